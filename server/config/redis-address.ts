/** Where Redis is, read from REDIS_URL. */
export type RedisAddress = {
  readonly username: string | undefined;
  readonly password: string | undefined;
  readonly isEncrypted: boolean;
} & (
  | { readonly form: 'single'; readonly host: string; readonly port: number; readonly database: number }
  | { readonly form: 'cluster'; readonly nodes: readonly RedisNode[] }
  | {
      readonly form: 'sentinel';
      readonly sentinels: readonly RedisNode[];
      readonly master: string;
      readonly database: number;
    }
);

export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

const URL_FORM = /^(rediss?)(?:\+(cluster|sentinel))?:\/\/(?:([^@/]*)@)?([^/?]+)((?:\/[^/?]*)*)$/;
const NODE_FORM = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/;

/**
 * Reads `redis://[user:password@]host[:port][/database]`, `rediss://…`, `redis+cluster://host:port,host:port` and
 * `redis+sentinel://host:port,host:port/MASTER[/database]`.
 * Fails: throws RangeError that says what is wrong, without the password.
 */
export function parseRedisAddress(url: string): RedisAddress {
  const match = URL_FORM.exec(url);
  if (!match) throw new RangeError('REDIS_URL is not a Redis address');
  const [, scheme, form, credentials, hosts = '', path = ''] = match;
  const access = { ...readCredentials(credentials), isEncrypted: scheme === 'rediss' };
  const segments = path
    .split('/')
    .slice(1)
    .filter((segment) => segment !== '');
  if (form === 'cluster') return { form, ...access, nodes: readNodes(hosts, 6379) };
  if (form === 'sentinel') {
    const [master, database] = segments;
    if (master === undefined)
      throw new RangeError('REDIS_URL of a sentinel needs the name of the master: …/mymaster');
    return { form, ...access, sentinels: readNodes(hosts, 26_379), master, database: readDatabase(database) };
  }
  const [node] = readNodes(hosts, 6379);
  if (node === undefined) throw new RangeError('REDIS_URL names no host');
  return { form: 'single', ...access, ...node, database: readDatabase(segments[0]) };
}

function readCredentials(text: string | undefined): {
  username: string | undefined;
  password: string | undefined;
} {
  if (text === undefined || text === '') return { username: undefined, password: undefined };
  const colon = text.indexOf(':');
  const decode = (part: string): string | undefined => (part === '' ? undefined : decodeURIComponent(part));
  return colon < 0
    ? { username: undefined, password: decode(text) }
    : { username: decode(text.slice(0, colon)), password: decode(text.slice(colon + 1)) };
}

function readNodes(hosts: string, defaultPort: number): RedisNode[] {
  return hosts.split(',').map((text) => {
    const match = NODE_FORM.exec(text.trim());
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
