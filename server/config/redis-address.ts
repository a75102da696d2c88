import { decodeCredential, faultOfCredentials } from './address-faults.js';

/** A name and password; undefined = none. */
export interface RedisAccess {
  readonly username: string | undefined;
  readonly password: string | undefined;
}

/** Address of Redis, read from REDIS_URL. */
export type RedisAddress = RedisAccess & {
  readonly isEncrypted: boolean;
} & (
    | { readonly form: 'single'; readonly host: string; readonly port: number; readonly database: number }
    | { readonly form: 'cluster'; readonly nodes: readonly RedisNode[] }
    | {
        readonly form: 'sentinel';
        readonly sentinels: readonly RedisNode[];
        /** Credentials of the sentinels themselves; often there are none. */
        readonly sentinelAccess: RedisAccess;
        readonly master: string;
        readonly database: number;
      }
  );

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

const URL_FORM = /^(rediss?)(?:\+(cluster|sentinel))?:\/\/(?:([^@/]*)@)?([^@/?]+)((?:\/[^@/?]*)*)$/;
/** Parameters behind the address of sentinels. */
const SENTINEL_ACCESS = /\?((?:sentinel-(?:user|password)=[^&?@/#]*&?)*)$/;
const NODE_FORM = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/;

/**
 * Reads `redis://[user:password@]host[:port][/database]`, `rediss://…`, `redis+cluster://host:port,host:port` and
 * `redis+sentinel://host:port,host:port/MASTER[/database][?sentinel-user=…&sentinel-password=…]`.
 * Fails: throws RangeError that names the fault, without the password.
 */
export function parseRedisAddress(url: string): RedisAddress {
  const match = URL_FORM.exec(url.replace(SENTINEL_ACCESS, ''));
  if (!match) throw new RangeError(`REDIS_URL ${addressFault(url)}`);
  const [, scheme, form, credentials, hosts = '', path = ''] = match;
  const access = { ...readCredentials(credentials), isEncrypted: scheme === 'rediss' };
  const ownAccess = SENTINEL_ACCESS.exec(url)?.[1];
  if (ownAccess !== undefined && form !== 'sentinel')
    throw new RangeError('REDIS_URL has a ? behind its address, which only one of sentinels may have');
  const segments = path
    .split('/')
    .slice(1)
    .filter((segment) => segment !== '');
  if (form === 'cluster') {
    if (segments.some((segment) => Number(segment) !== 0))
      throw new RangeError(
        'REDIS_URL of a cluster takes no number of a database: a cluster has only number 0',
      );
    return { form, ...access, nodes: readNodes(hosts, 6379) };
  }
  if (form === 'sentinel') {
    const [master, database] = segments;
    if (master === undefined)
      throw new RangeError('REDIS_URL of a sentinel needs the name of the master: …/mymaster');
    const sentinelAccess = readSentinelAccess(ownAccess);
    const sentinels = readNodes(hosts, 26_379);
    return { form, ...access, sentinels, sentinelAccess, master, database: readDatabase(database) };
  }
  const [node, other] = readNodes(hosts, 6379);
  if (node === undefined) throw new RangeError('REDIS_URL names no host');
  if (other !== undefined)
    throw new RangeError('REDIS_URL names several hosts: use redis+cluster:// or redis+sentinel://');
  return { form: 'single', ...access, ...node, database: readDatabase(segments[0]) };
}

function readSentinelAccess(text = ''): RedisAccess {
  const valueOf = (name: string): string | undefined => {
    const value = new RegExp(`(?:^|&)sentinel-${name}=([^&]+)`).exec(text)?.[1];
    return value === undefined ? undefined : decoded(value);
  };
  return { username: valueOf('user'), password: valueOf('password') };
}

function readCredentials(text: string | undefined): RedisAccess {
  if (text === undefined || text === '') return { username: undefined, password: undefined };
  const colon = text.indexOf(':');
  const decode = (part: string): string | undefined => (part === '' ? undefined : decoded(part));
  return colon < 0
    ? { username: undefined, password: decode(text) }
    : { username: decode(text.slice(0, colon)), password: decode(text.slice(colon + 1)) };
}

function decoded(text: string): string {
  try {
    return decodeCredential(text);
  } catch (error) {
    throw error instanceof RangeError ? new RangeError(`REDIS_URL ${error.message}`) : error;
  }
}

function addressFault(url: string): string {
  if (/^[^/]*\/\/(?:[^@/]*@)?(?:\/|$)/.test(url)) return 'names no host';
  if (url.includes('?sentinel-'))
    return 'takes sentinel-user and sentinel-password behind its ?; in them /, ?, #, & and @ are written as %2F, %3F, %23, %26 and %40';
  return faultOfCredentials(url) ?? 'is not a Redis address';
}

function readNodes(hosts: string, defaultPort: number): RedisNode[] {
  const texts = hosts.split(',').map((text) => text.trim());
  // Half an address: the port of one was forgotten.
  const bare = texts.find((text) => NODE_FORM.exec(text)?.[2] === undefined && NODE_FORM.test(text));
  if (bare !== undefined && texts.some((text) => NODE_FORM.exec(text)?.[2] !== undefined))
    throw new RangeError(`REDIS_URL: "${bare}" has no port, though others have: name the port of each`);
  return texts.map((text) => {
    const match = NODE_FORM.exec(text);
    if (!match) throw new RangeError(`REDIS_URL: "${text}" is not a host with a port`);
    const port = Number(match[2] ?? defaultPort);
    if (port < 1 || port > 65_535)
      throw new RangeError(`REDIS_URL: "${text}" has a port that does not exist`);
    return { host: (match[1] ?? '').replace(/^\[|\]$/g, ''), port };
  });
}

function readDatabase(text: string | undefined): number {
  const database = Number(text ?? 0);
  if (!Number.isInteger(database) || database < 0)
    throw new RangeError('REDIS_URL: the database must be a number');
  return database;
}
