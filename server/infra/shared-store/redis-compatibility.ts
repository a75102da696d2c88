import { contained } from '../../common/contain-faults.js';
import type { ConnectionOptions } from 'node:tls';
import { Redis, ReplyError } from 'ioredis';
import {
  parseRedisAddress,
  type RedisAccess,
  type RedisAddress,
  type RedisNode,
} from '../../config/redis-address.js';

/** A server that does not answer by then is away, which is no reason not to start. */
const ANSWER_WITHIN_MS = 1_000;

const UNREACHABLE_CODES: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);
const ANY_CERTIFICATE: ConnectionOptions = { rejectUnauthorized: false };
const CERTIFICATE = /CERT|SIGNATURE|ISSUER/;
const REFUSED = /^(WRONGPASS|NOAUTH|ERR invalid (username-)?password)/;

/**
 * Reason the server at the address can never be used: another password, another kind of Redis, no TLS. Checked once, before the
 * store's client connects, which would retry for ever. A server that is away, or may not be queried, is given the benefit of the
 * doubt.
 * @returns a sentence without its full stop, which names the server and the correct setting; undefined = no reason known
 */
export async function redisIncompatibility(url: string): Promise<string | undefined> {
  const address = parseRedisAddress(url);
  const found = await Promise.all(nodesOf(address).map((node) => probeNode(address, node)));
  return found.find((sentence) => sentence !== undefined);
}

function nodesOf(address: RedisAddress): readonly RedisNode[] {
  if (address.form === 'cluster') return address.nodes;
  return address.form === 'sentinel' ? address.sentinels : [address];
}

async function probeNode(address: RedisAddress, node: RedisNode): Promise<string | undefined> {
  const place = `${node.host}:${node.port}`;
  const { isEncrypted } = address;
  const outcome = await onConnection(node, isEncrypted ? {} : undefined, (client) =>
    incompatibilityOf(client, address, place),
  );
  if ('answer' in outcome) return outcome.answer;
  const { fault } = outcome;
  if (fault instanceof ReplyError) return refusalOf((fault as Error).message, address, place);
  const { code } = (fault ?? {}) as { readonly code?: unknown };
  if (typeof code === 'string' && CERTIFICATE.test(code))
    return `the certificate of Redis at ${place} is not trusted (${code}): name its issuer's in NODE_EXTRA_CA_CERTS`;
  // A client that uses the wrong one of TLS and plain text gets no answer, or a closed connection.
  if (UNREACHABLE_CODES.has(code) || !(await answersTo(node, isEncrypted ? undefined : ANY_CERTIFICATE)))
    return undefined;
  return isEncrypted
    ? `Redis at ${place} does not speak TLS: write redis instead of rediss`
    : `Redis at ${place} speaks TLS only: write rediss instead of redis`;
}

/** Connects without user name and password: the address may belong to another service. */
async function answersTo(node: RedisNode, tls: ConnectionOptions | undefined): Promise<boolean> {
  const outcome = await onConnection(node, tls, (client) => client.ping());
  return 'answer' in outcome || outcome.fault instanceof ReplyError;
}

type Outcome<T> = { readonly answer: T } | { readonly fault: unknown };

async function onConnection<T>(
  { host, port }: RedisNode,
  tls: ConnectionOptions | undefined,
  ask: (client: Redis) => Promise<T>,
): Promise<Outcome<T>> {
  const client = new Redis({
    host,
    port,
    lazyConnect: true,
    enableReadyCheck: false,
    enableOfflineQueue: false,
    connectTimeout: ANSWER_WITHIN_MS,
    commandTimeout: ANSWER_WITHIN_MS,
    maxRetriesPerRequest: 0,
    // No handshake before our first command: its answer is the evidence.
    protocol: 2,
    disableClientInfo: true,
    retryStrategy: () => null,
    ...(tls === undefined ? {} : { tls }),
  });
  let connectFault: unknown;
  const note = (error: unknown): void => {
    connectFault = error;
  };
  client.on('error', contained(note));
  try {
    await client.connect();
    return { answer: await ask(client) };
  } catch (error) {
    return { fault: connectFault ?? error };
  } finally {
    client.disconnect();
  }
}

/** Fails: with the error of the server, or of the network. */
async function incompatibilityOf(
  client: Redis,
  address: RedisAddress,
  place: string,
): Promise<string | undefined> {
  await logIn(client, address.form === 'sentinel' ? address.sentinelAccess : address);
  const mode = /^redis_mode:(\S+)/m.exec(String(await client.info('server')))?.[1];
  if (mode === 'sentinel' && address.form !== 'sentinel')
    return `at ${place} is a Redis Sentinel: write redis+sentinel://HOST:PORT,…/MASTER`;
  if (address.form === 'sentinel') {
    if (mode !== undefined && mode !== 'sentinel')
      return `at ${place} is a Redis that stores data, not a Sentinel: write redis:// for a single one`;
    const master = await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', address.master);
    return master === null
      ? `the Sentinel at ${place} knows no master "${address.master}": look it up with SENTINEL MASTERS`
      : undefined;
  }
  const isCluster = /^cluster_enabled:1/m.test(String(await client.info('cluster')));
  if (isCluster && address.form === 'single')
    return `at ${place} is a node of a Redis Cluster: write redis+cluster://HOST:PORT,…`;
  if (mode === 'standalone' && !isCluster && address.form === 'cluster')
    return `at ${place} is a single Redis, not a node of a Cluster: write redis://`;
  return undefined;
}

async function logIn(client: Redis, { username, password }: RedisAccess): Promise<void> {
  if (password === undefined) return;
  try {
    await (username === undefined ? client.auth(password) : client.auth(username, password));
  } catch (error) {
    // A superfluous password is harmless: the server needs none.
    if (!(error instanceof Error) || !/without any password|no password is set/i.test(error.message))
      throw error;
  }
}

function refusalOf(message: string, address: RedisAddress, place: string): string | undefined {
  if (!REFUSED.test(message)) return undefined;
  if (address.form !== 'sentinel')
    return `Redis at ${place} does not accept the name and password of the address (${message}): correct them`;
  return address.sentinelAccess.password === undefined
    ? `the Sentinel at ${place} asks for a password of its own (${message}): add ?sentinel-password=… to the address`
    : `the Sentinel at ${place} does not accept the sentinel-password of the address (${message}): correct it`;
}
