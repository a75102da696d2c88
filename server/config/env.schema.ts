import { isIP } from 'node:net';
import { z } from 'zod';
import { traceVariables } from './trace-env.js';
import { parsePrivateHost } from './private-hosts.js';
import { parseRedisAddress } from './redis-address.js';
import { oneOf, yesOrNo } from './env-choices.js';

const wholeNumber = (least: number, most: number) => {
  const message = `expected a whole number from ${least} to ${most}`;
  return z.coerce
    .number(message)
    .refine((number) => Number.isInteger(number) && number >= least && number <= most, message);
};

const optionalText = z
  .string()
  .trim()
  .optional()
  .transform((text) => (text === '' ? undefined : text));

const databaseUrl = optionalText.refine(
  (text) => text === undefined || /^(sqlite:|mysql:\/\/|mariadb:\/\/|postgres(ql)?:\/\/)/.test(text),
  'must start with sqlite:, mysql://, mariadb:// or postgres://',
);

const redisUrl = optionalText.refine(
  (text) => text === undefined || /^(redis|rediss)(\+cluster|\+sentinel)?:\/\//.test(text),
  'must start with redis://, rediss://, redis+cluster:// or redis+sentinel://',
);

/** Why a Redis address with a known beginning cannot be read; undefined = it can. */
function redisFault(url: string): string | undefined {
  if (!/^rediss?(\+(cluster|sentinel))?:\/\//.test(url)) return undefined;
  try {
    parseRedisAddress(url);
    return undefined;
  } catch (error) {
    if (error instanceof RangeError) return error.message.replace(/^REDIS_URL:? /, '');
    throw error;
  }
}

const webAddress = optionalText.refine(
  (text) => text === undefined || /^https?:\/\/[^\s/]+/.test(text),
  'must be an http or https address',
);

const secret = optionalText.refine(
  (text) => text === undefined || text.length >= 32,
  'must have at least 32 characters',
);

const HOST_NAME = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*\.?$/i;

const isAddressOrRange = (text: string): boolean => {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
  );
};

const listOf = (isEntry: (text: string) => boolean, message: string) =>
  optionalText.refine(
    (text) => (text ?? '').split(/[\s,]+/).every((entry) => entry === '' || isEntry(entry)),
    message,
  );

/** Range names of the header's parser. */
const PROXY_NAMES: ReadonlySet<string> = new Set(['loopback', 'linklocal', 'uniquelocal']);

const trustProxy = listOf(
  (entry) => /^\d{1,3}$/.test(entry) || PROXY_NAMES.has(entry) || isAddressOrRange(entry),
  'must be the number of proxies, or their addresses or CIDR ranges',
);

const privateHosts = listOf(
  (entry) => parsePrivateHost(entry) !== undefined,
  'must be host names, addresses or CIDR ranges, each with or without a port (host:8080, [fd00::1]:8080, host:*)',
);

/** Lists that would otherwise be another one's: `none` makes them empty. */
const ownPrivateHosts = optionalText.refine(
  (text) => text?.toLowerCase() === 'none' || privateHosts.safeParse(text).success,
  'must be none, or host names, addresses or CIDR ranges, each with or without a port (host:8080)',
);

/** Names the gateway's own paths begin with: what comes there could mean two things. */
const OWN_SEGMENTS =
  /^\/(?:api|v1|v1beta|v1alpha|v2|openai|anthropic|pg|mj|mj-[a-z]+|suno|dashboard|assets|oauth|healthz|readyz|metrics)(?:\/|$)/;

/** Under which path of its host the gateway is published; `/` is none. */
const basePath = z
  .string()
  .trim()
  .default('')
  .transform((text) => text.replace(/\/+$/, ''))
  .refine(
    (text) => text === '' || (/^(?:\/[\w~-][\w.~-]*)+$/.test(text) && text.length <= 128),
    'must be a path such as /gateway',
  )
  .refine((text) => !OWN_SEGMENTS.test(text), 'must not begin with a path the gateway has itself');

const DEFAULT_PORT = 3000;

/** Every environment variable the server reads (docs/configuration.md, docs/operating). Defaults here are the documented ones. */
export const environmentSchema = z.object({
  NODE_ENV: z.string().default('production'),
  PORT: wholeNumber(0, 65_535).default(DEFAULT_PORT),
  HOST: z
    .string()
    .trim()
    .refine(
      (text) => isIP(text.replace(/^\[(.*)\]$/, '$1')) !== 0 || HOST_NAME.test(text),
      'must be an address or a host name',
    )
    .default('127.0.0.1'),
  DATA_DIR: z.string().trim().min(1).default('./data'),
  DATABASE_URL: databaseUrl,
  LOG_DATABASE_URL: databaseUrl,
  REDIS_URL: redisUrl,
  WORKERS: wholeNumber(1, 256).optional(),
  SUPERVISOR: yesOrNo.optional(),
  ENV_FILE: optionalText,
  SAFE_MODE: oneOf(['0', '1', 'false', 'true']).default('0'),
  QUOTA_SLICES: yesOrNo.default('true'),
  RELAY_FAST_PATH: yesOrNo.default('true'),
  RELAY_HTTP1_POOL: yesOrNo.default('true'),
  BOOKING_THREAD: yesOrNo.default('true'),
  TRIM_NATIVE_HEAP: yesOrNo.default('true'),
  SESSION_SECRET: secret,
  CRYPTO_SECRET: secret,
  SERVER_ADDRESS: webAddress.transform((text) => text?.replace(/\/+$/, '')),
  BASE_PATH: basePath,
  TRUST_PROXY: trustProxy,
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  METRICS_PORT: wholeNumber(0, 65_535).optional(),
  METRICS_TOKEN: optionalText.refine(
    (text) => text === undefined || /^[\x21-\x7e]{16,}$/.test(text),
    'must have at least 16 characters, none of them a space',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: webAddress,
  ...traceVariables,
  STREAMING_TIMEOUT_SECONDS: wholeNumber(1, 86_400).default(300),
  MAX_REQUEST_BODY_MB: wholeNumber(1, 1024).default(32),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000).default(10_000),
  DRAIN_TIMEOUT_SECONDS: wholeNumber(0, 86_400).default(600),
  DRAIN_DELAY_SECONDS: wholeNumber(0, 600).optional(),
  INITIAL_ROOT_USERNAME: optionalText.refine(
    (text) => text === undefined || /^[A-Za-z0-9._-]{3,64}$/.test(text),
    'must have 3 to 64 characters: letters, digits, dots, dashes and underscores',
  ),
  INITIAL_ROOT_PASSWORD: optionalText.refine(
    (text) => text === undefined || (text.length >= 8 && text.length <= 128),
    'must have 8 to 128 characters',
  ),
  SETUP_TOKEN: optionalText,
  IMPORT_SOURCE: optionalText,
  LITELLM_SALT_KEY: optionalText,
  LITELLM_MASTER_KEY: optionalText,
  ALLOWED_PRIVATE_HOSTS: privateHosts,
  ALLOWED_PRIVATE_HOSTS_IDENTITY: ownPrivateHosts,
  ALLOWED_PRIVATE_HOSTS_SERVICES: ownPrivateHosts,
  ALLOWED_PRIVATE_HOSTS_USERS: ownPrivateHosts,
  TOLLGATE_WORKER_INDEX: wholeNumber(0, 65_535).default(0),
  GLOBAL_API_RATE_LIMIT: wholeNumber(0, 1_000_000).default(180),
  UPDATE_TASK: yesOrNo.default('true'),
  TURNSTILE_VERIFY_URL: webAddress.transform(
    (text) => text ?? 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  ),
  FRESH_LOGIN_REQUIRED: yesOrNo.default('false'),
  ERROR_LOG_ENABLED: yesOrNo.default('true'),
});

/** Variables that go together. Looked at whatever else is wrong, so that all faults come in one message. */
export function faultsBetween(source: Readonly<Record<string, string | undefined>>): string[] {
  const isSet = (name: string): boolean => (source[name] ?? '').trim() !== '';
  const faults: string[] = [];
  for (const name of ['SESSION_SECRET', 'CRYPTO_SECRET']) {
    if (isSet('REDIS_URL') && !isSet(name)) {
      faults.push(`${name}: is required when REDIS_URL is set (all instances must share it)`);
    }
  }
  const metricsPort = isSet('METRICS_PORT') ? Number(source['METRICS_PORT']) : 0;
  // 0 is a free port, each time another one.
  if (metricsPort !== 0 && metricsPort === (isSet('PORT') ? Number(source['PORT']) : DEFAULT_PORT))
    faults.push(`METRICS_PORT: ${metricsPort} is PORT already, metrics need a port of their own`);
  const redis = redisFault((source['REDIS_URL'] ?? '').trim());
  if (redis !== undefined) faults.push(`REDIS_URL: ${redis}`);
  if (isSet('INITIAL_ROOT_USERNAME') !== isSet('INITIAL_ROOT_PASSWORD')) {
    faults.push('INITIAL_ROOT_USERNAME: goes together with INITIAL_ROOT_PASSWORD, set both or none');
  }
  if (isSet('WORKERS') && Number(source['WORKERS']) > 1 && !isSet('REDIS_URL')) {
    faults.push('WORKERS: several processes need a shared store, set REDIS_URL');
  }
  if (source['SUPERVISOR'] === 'false' && Number(source['WORKERS'] ?? 1) > 1) {
    faults.push('SUPERVISOR: several processes need one, leave it out or set WORKERS to 1');
  }
  return faults;
}

/** True for a variable of this product: what a source names is never read from it. */
export const isOwnVariable = (name: string): boolean => Object.hasOwn(environmentSchema.shape, name);
