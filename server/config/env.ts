import { randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isLoopbackHost } from '../common/api/own-hosts.js';
import { environmentSchema, faultsBetween, isOwnVariable } from './env.schema.js';
import { EnvironmentError } from './environment-error.js';
import { findMisspelledVariables } from './misspelled-variables.js';
import { traceSettings, type TraceSettings } from './trace-env.js';
import { publishedAddress } from './published-address.js';

/** Settings of this process: read once, validated, frozen. The only reader of process.env. */
export abstract class Env {
  abstract readonly port: number;
  abstract readonly host: string;
  /** Absolute folder of the SQLite file, the spool and generated secrets. */
  abstract readonly dataDir: string;
  abstract readonly databaseUrl: string;
  /** Undefined = call logs live in the main database. */
  abstract readonly logDatabaseUrl: string | undefined;
  abstract readonly redisUrl: string | undefined;
  abstract readonly workers: number;
  /** A supervisor starts, watches and exchanges the workers; always with several. */
  abstract readonly isSupervised: boolean;
  /** Stored options are ignored except those needed to log in as root. */
  abstract readonly isSafeMode: boolean;
  /** Workers take slices of hot accounts' pools (docs/decisions); without, every call asks Redis. */
  abstract readonly takesSlices: boolean;
  /** Plain calls are read and answered by gateway/relay/fast-path; without, Node's HTTP server takes all. */
  abstract readonly usesFastPath: boolean;
  /** Upstreams are called through our own HTTP/1.1 pool; without, through undici. */
  abstract readonly usesHttp1Pool: boolean;
  /** A thread of its own books what the spool holds; without, the worker does. */
  abstract readonly usesBookingThread: boolean;
  /** `malloc_trim` is called once a minute, so that the C library gives unused pages back. */
  abstract readonly trimsNativeHeap: boolean;
  /** Position of this process among the workers; set by the supervisor, 0 without one. */
  abstract readonly workerIndex: number;
  abstract readonly sessionSecret: string;
  abstract readonly cryptoSecret: string;
  /** Public base address without trailing slash. */
  abstract readonly serverAddress: string | undefined;
  /** Path it is published under: empty, or as `/gateway`. */
  abstract readonly basePath: string;
  /** Hop count or comma-separated CIDR list of proxies whose X-Forwarded-For counts; undefined = none. */
  abstract readonly trustProxy: string | undefined;
  abstract readonly logLevel: string;
  abstract readonly metricsPort: number | undefined;
  /** Token that scrapers must send; undefined = every client that reaches the port may read. */
  abstract readonly metricsToken: string | undefined;
  /** Undefined = nothing is traced. */
  abstract readonly tracing: TraceSettings | undefined;
  abstract readonly streamingTimeoutMs: number;
  abstract readonly maxRequestBodyBytes: number;
  /** Maximum of open client connections per worker. */
  abstract readonly maxConnections: number;
  abstract readonly drainTimeoutMs: number;
  /** Time after SIGTERM in which everything is still served; 0 unless several instances share a store. */
  abstract readonly drainDelayMs: number;
  abstract readonly initialRoot: { readonly username: string; readonly password: string } | undefined;
  abstract readonly setupToken: string | undefined;
  /** Address of the gateway `npm run import` reads, where its arguments name none. */
  abstract readonly importSource: string | undefined;
  /** Value of a variable that a configuration file of another gateway names; undefined for those of this product. */
  abstract readonly foreignVariable: (name: string) => string | undefined;
  /** Secrets of a LiteLLM that is imported: the salt its stored keys are sealed with, else its master key. */
  abstract readonly litellmSecrets: {
    readonly salt: string | undefined;
    readonly master: string | undefined;
  };
  /** Private names, addresses and CIDR ranges that channels may reach; see outbound-callers.ts for this and the next three. */
  abstract readonly allowedPrivateHosts: readonly string[];
  /** Undefined = as for channels. */
  abstract readonly allowedPrivateHostsIdentity: readonly string[] | undefined;
  /** Undefined = as for channels. */
  abstract readonly allowedPrivateHostsServices: readonly string[] | undefined;
  /** Undefined = none. */
  abstract readonly allowedPrivateHostsUsers: readonly string[] | undefined;
  /** Console API requests per address and 180 s of guests, ten times as many per signed-in user; 0 = no limit. */
  abstract readonly apiRateLimit: number;
  /** This process takes part in asking upstreams about drawings and songs they have not finished. */
  abstract readonly pollsTasks: boolean;
  /** Address that verifies tokens of the human check. */
  abstract readonly turnstileVerifyUrl: string;
  /** Sensitive changes to the own account need a login or proof of the last ten minutes. */
  abstract readonly isFreshLoginRequired: boolean;
  abstract readonly errorLogEnabled: boolean;
  /** Bound to loopback: channel addresses on this machine are allowed (docs/security.md). */
  abstract readonly isLoopback: boolean;
}

/**
 * Validates the environment. Creates DATA_DIR and, without Redis, the secrets in it.
 * Fails: EnvironmentError naming every fault in one message.
 */
export function readEnv(source: NodeJS.ProcessEnv): Env {
  // Compose files pass unset variables as empty ones.
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => (value ?? '').trim() !== ''));
  const parsed = environmentSchema.safeParse(given);
  const faults = [
    ...(parsed.error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`),
    ...faultsBetween(given),
    ...findMisspelledVariables(given).faults,
  ];
  if (!parsed.success || faults.length > 0) throw EnvironmentError.of(faults);
  const values = parsed.data;
  const dataDir = resolve(values.DATA_DIR);
  prepareFolder(dataDir);
  const workers = values.WORKERS ?? (values.REDIS_URL === undefined ? 1 : availableParallelism());
  return Object.freeze({
    port: values.PORT,
    host: values.HOST,
    dataDir,
    databaseUrl: values.DATABASE_URL ?? `sqlite:${join(dataDir, 'tollgate.db')}`,
    logDatabaseUrl: values.LOG_DATABASE_URL,
    redisUrl: values.REDIS_URL,
    workers,
    isSupervised: workers > 1 || values.SUPERVISOR === 'true',
    isSafeMode: values.SAFE_MODE === '1' || values.SAFE_MODE === 'true',
    takesSlices: values.QUOTA_SLICES === 'true',
    usesFastPath: values.RELAY_FAST_PATH === 'true',
    usesHttp1Pool: values.RELAY_HTTP1_POOL === 'true',
    usesBookingThread: values.BOOKING_THREAD === 'true',
    trimsNativeHeap: values.TRIM_NATIVE_HEAP === 'true',
    workerIndex: values.TOLLGATE_WORKER_INDEX,
    sessionSecret: values.SESSION_SECRET ?? storedSecret(dataDir, 'session-secret'),
    cryptoSecret: values.CRYPTO_SECRET ?? storedSecret(dataDir, 'crypto-secret'),
    serverAddress:
      values.SERVER_ADDRESS === undefined
        ? undefined
        : publishedAddress(values.SERVER_ADDRESS, values.BASE_PATH),
    basePath: values.BASE_PATH,
    trustProxy: values.TRUST_PROXY,
    logLevel: values.LOG_LEVEL,
    metricsPort: values.METRICS_PORT,
    metricsToken: values.METRICS_TOKEN,
    tracing: traceSettings(values),
    streamingTimeoutMs: values.STREAMING_TIMEOUT_SECONDS * 1000,
    maxRequestBodyBytes: values.MAX_REQUEST_BODY_MB * 1024 * 1024,
    maxConnections: values.MAX_CONNECTIONS,
    drainTimeoutMs: values.DRAIN_TIMEOUT_SECONDS * 1000,
    drainDelayMs: (values.DRAIN_DELAY_SECONDS ?? (values.REDIS_URL === undefined ? 0 : 10)) * 1000,
    initialRoot:
      values.INITIAL_ROOT_USERNAME !== undefined && values.INITIAL_ROOT_PASSWORD !== undefined
        ? { username: values.INITIAL_ROOT_USERNAME, password: values.INITIAL_ROOT_PASSWORD }
        : undefined,
    setupToken: values.SETUP_TOKEN,
    importSource: values.IMPORT_SOURCE,
    foreignVariable: (name) => (isOwnVariable(name) ? undefined : given[name]),
    litellmSecrets: { salt: values.LITELLM_SALT_KEY, master: values.LITELLM_MASTER_KEY },
    allowedPrivateHosts: entriesOf(values.ALLOWED_PRIVATE_HOSTS) ?? [],
    allowedPrivateHostsIdentity: entriesOf(values.ALLOWED_PRIVATE_HOSTS_IDENTITY),
    allowedPrivateHostsServices: entriesOf(values.ALLOWED_PRIVATE_HOSTS_SERVICES),
    allowedPrivateHostsUsers: entriesOf(values.ALLOWED_PRIVATE_HOSTS_USERS),
    apiRateLimit: values.GLOBAL_API_RATE_LIMIT,
    pollsTasks: values.UPDATE_TASK === 'true',
    turnstileVerifyUrl: values.TURNSTILE_VERIFY_URL,
    isFreshLoginRequired: values.FRESH_LOGIN_REQUIRED === 'true',
    errorLogEnabled: values.ERROR_LOG_ENABLED === 'true',
    isLoopback: isLoopbackHost(values.HOST),
  });
}

/** The entries of a list; undefined = the list is not set. */
function entriesOf(list: string | undefined): readonly string[] | undefined {
  if (list?.toLowerCase() === 'none') return [];
  return list?.split(/[\s,]+/).filter(Boolean);
}

/** Fails: EnvironmentError when the folder cannot be made or written to. */
function prepareFolder(dataDir: string): void {
  try {
    makeFolder(dataDir);
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason =
      code === 'EEXIST' || code === 'ENOTDIR'
        ? 'is, or lies in, something that is not a folder'
        : 'cannot be written to by this account';
    throw EnvironmentError.of([`DATA_DIR: ${dataDir} ${reason} (${code})`], error);
  }
}

/** One folder after the other: where nothing can be made and no error comes (/proc), Node's own way goes round in circles. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have been faster.
    if (!isFolder(folder)) throw error;
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

function storedSecret(dataDir: string, name: string): string {
  const path = join(dataDir, name);
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  const secret = randomBytes(48).toString('base64url');
  writeFileSync(path, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  chmodSync(path, 0o600);
  return secret;
}
