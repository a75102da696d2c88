import { readFileSync } from 'node:fs';
import { decodeCredential, faultOfCredentials } from '../../config/address-faults.js';

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;

/** The same in the words of MySQL's clients and of other drivers. */
const SSL_MODE_ALIASES: ReadonlyMap<string, SslMode> = new Map([
  ['disabled', 'disable'],
  ['allow', 'prefer'],
  ['preferred', 'prefer'],
  ['required', 'require'],
  ['verify-identity', 'verify-full'],
  ['no-verify', 'require'],
  ['strict', 'verify-full'],
  ['accept-invalid-certs', 'require'],
  ['true', 'require'],
  ['false', 'disable'],
  ['1', 'require'],
  ['0', 'disable'],
  ['{"rejectunauthorized":true}', 'verify-full'],
  ['{"rejectunauthorized":false}', 'require'],
]);
const COMMON = { sslmode: 'mode', ssl: 'mode', sslrootcert: 'authority' } as const;
const MYSQL = settingsOf({
  ...COMMON,
  sslca: 'authority',
  sslaccept: 'mode',
  socket: 'socket',
  unixsocket: 'socket',
  socketpath: 'socket',
  charset: 'charset',
});
const NAMES = {
  postgres: settingsOf({ ...COMMON, channelbinding: 'binding', host: 'socket', pgbouncer: 'pooled' }),
  mysql: MYSQL,
  mariadb: MYSQL,
};

export type DatabaseDialect = 'sqlite' | 'mysql' | 'postgres';

export interface SqliteAddress {
  readonly dialect: 'sqlite';
  /** File path, or `:memory:`. */
  readonly path: string;
}

export interface ServerAddress {
  readonly dialect: 'mysql' | 'postgres';
  /** TypeORM's name of the driver: MariaDB differs from MySQL in details. */
  readonly type: 'mysql' | 'mariadb' | 'postgres';
  readonly host: string;
  readonly port: number;
  /** Socket of this machine instead of a host: of MySQL the file, of PostgreSQL its folder. */
  readonly socket?: string;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** `prefer` takes what the server offers, `require` encrypts, `verify-ca` checks who signed the certificate, `verify-full` also its name. */
  readonly sslMode: SslMode;
  /** File of the certificate authority; absent = those the system trusts. */
  readonly sslRootCert?: string;
  /** Logging in is bound to the encrypted connection where the server offers it. */
  readonly bindsChannel?: true;
  /** A pooler is known to stand between. */
  readonly isPooled?: true;
}

const DEFAULT_PORTS = { mysql: 3306, mariadb: 3306, postgres: 5432 } as const;
const URL_FORM =
  /^([a-z+]+):\/\/(?:([^@/?#]*)@)?(\[[^\]]*\]|[^@/?#:]*)(?::(\d+))?(?:\/([^@?#]*))?(?:\?([^#]*))?$/i;

const SEVERAL_HOSTS = /^[a-z+]+:\/\/(?:[^@/?#]*@)?[^@/?#]*,[^@/?#]*(?:[/?#]|$)/i;

export class DatabaseUrlError extends Error {}

/**
 * Reads `sqlite:PATH`, `mysql://…`, `mariadb://…`, `postgres://…`, with the settings providers write behind them.
 * Fails: DatabaseUrlError that names the fault and never repeats the password.
 */
export function parseDatabaseUrl(text: string): SqliteAddress | ServerAddress {
  if (text.startsWith('sqlite:')) {
    const path = text.slice('sqlite:'.length).replace(/^\/\/(?=\/|[^/])/, '');
    if (path === '')
      throw new DatabaseUrlError('the SQLite address names no file: write sqlite:/path/to/file.db');
    return { dialect: 'sqlite', path };
  }
  try {
    return parseServerUrl(text.trim());
  } catch (error) {
    if (error instanceof RangeError) throw new DatabaseUrlError(`the database address ${error.message}`);
    throw error;
  }
}

function parseServerUrl(text: string): ServerAddress {
  const scheme = /^([a-z+]+:)\/\//i.exec(text)?.[1]?.toLowerCase();
  const type = scheme?.replace(/:$/, '').replace('postgresql', 'postgres');
  if (type === undefined) throw new RangeError('is not a URL');
  if (type !== 'mysql' && type !== 'mariadb' && type !== 'postgres')
    throw new RangeError(`starts with ${scheme}, not with sqlite:, mysql:, mariadb: or postgres:`);
  if (SEVERAL_HOSTS.test(text))
    throw new RangeError('names several hosts: write the one that takes writes, or of a proxy before them');
  const [, , credentials = '', host = '', port, path = '', query = ''] = URL_FORM.exec(text) ?? [
    undefined,
    undefined,
    '',
  ];
  const isRead = URL_FORM.test(text) && !(credentials === '' && query.includes('@'));
  if (!isRead || path === '') {
    const fault = faultOfCredentials(text);
    if (fault !== undefined) throw new RangeError(fault);
    if (!isRead) throw new RangeError('is not a URL');
    throw new RangeError('names no database: add it after the host, as in …@host/tollgate');
  }
  if (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))
    throw new RangeError('has a port that does not exist');
  const settings = readSettings(type, query);
  const place = decodeCredential(host.replace(/^\[|\]$/g, ''));
  const socket = place.startsWith('/') ? place : settings.socket;
  if (socket === undefined && place === '') throw new RangeError('names no host');
  const colon = credentials.indexOf(':');
  return {
    dialect: type === 'postgres' ? 'postgres' : 'mysql',
    type,
    host: socket ?? place,
    port: port === undefined ? DEFAULT_PORTS[type] : Number(port),
    username: decodeCredential(colon < 0 ? credentials : credentials.slice(0, colon)),
    password: colon < 0 ? '' : decodeCredential(credentials.slice(colon + 1)),
    database: decodeCredential(path),
    ...settings,
    ...(socket === undefined ? {} : { socket }),
  };
}

/** TLS settings for drivers; undefined = none. A socket of this machine needs none. */
export interface Encryption {
  readonly rejectUnauthorized: boolean;
  readonly ca?: string;
  /** The certificate must be the host's own. */
  readonly checksName: boolean;
}

/** Fails: DatabaseUrlError when the file of the authority cannot be read. */
export function encryptionOf({ sslMode, sslRootCert, socket }: ServerAddress): Encryption | undefined {
  if (sslMode === 'disable' || sslMode === 'prefer' || socket !== undefined) return undefined;
  const rejectUnauthorized = sslMode !== 'require';
  const checksName = sslMode === 'verify-full';
  if (sslRootCert === undefined) return { rejectUnauthorized, checksName };
  try {
    return { rejectUnauthorized, checksName, ca: readFileSync(sslRootCert, 'utf8') };
  } catch (cause) {
    const { code } = cause as Partial<NodeJS.ErrnoException>;
    const reason = code === undefined ? '' : ` (${code})`;
    throw new DatabaseUrlError(`the file of sslrootcert, ${sslRootCert}, cannot be read${reason}`, { cause });
  }
}

export type SslMode = (typeof SSL_MODES)[number];

/** What stands behind the ? of an address. */
export interface UrlSettings {
  readonly sslMode: SslMode;
  readonly sslRootCert?: string;
  readonly bindsChannel?: true;
  readonly isPooled?: true;
  readonly socket?: string;
}

/** Names as providers and drivers write them, without hyphens and underscores. */
type Setting = 'mode' | 'authority' | 'socket' | 'binding' | 'pooled' | 'charset';

function settingsOf(names: Readonly<Record<string, Setting>>): ReadonlyMap<string, Setting> {
  return new Map(Object.entries(names));
}

/** Fails: RangeError with the end of a sentence that names the setting. */
export function readSettings(type: 'mysql' | 'mariadb' | 'postgres', query: string): UrlSettings {
  const values = new Map<Setting, string>();
  for (const pair of query.split('&').filter((text) => text !== '')) {
    const equals = pair.indexOf('=');
    const name = decodeCredential(equals < 0 ? pair : pair.slice(0, equals));
    const setting = NAMES[type].get(name.toLowerCase().replace(/[-_]/g, ''));
    if (setting === undefined) throw new RangeError(`has an unknown setting: ${name.slice(0, 50)}`);
    // Decoded like a form, except that a plus sign is never a blank here.
    const value = equals < 0 ? '' : decodeCredential(pair.slice(equals + 1));
    if (values.has(setting) && values.get(setting) !== value)
      throw new RangeError(`says two things with the setting ${name}`);
    values.set(setting, value);
  }
  const authority = values.get('authority');
  const named = modeOf(values.get('mode'), authority);
  const socket = values.get('socket');
  if (socket !== undefined && !socket.startsWith('/'))
    throw new RangeError('names a socket that is no absolute path');
  const charset = values.get('charset');
  if (charset !== undefined && !/^utf8mb4/i.test(charset))
    throw new RangeError('asks for another charset than utf8mb4, which is always used');
  const binding = choice('channel_binding', values.get('binding'), ['disable', 'prefer', 'require']);
  const pooled = choice('pgbouncer', values.get('pooled'), ['true', 'false']);
  if (binding === 'require' && (named === 'disable' || named === 'prefer'))
    throw new RangeError('wants channel_binding without TLS: add sslmode=require');
  return {
    sslMode: named,
    ...(authority === undefined || authority === 'system' ? {} : { sslRootCert: authority }),
    ...(binding === 'prefer' || binding === 'require' ? { bindsChannel: true } : {}),
    ...(pooled === 'true' ? { isPooled: true } : {}),
    ...(socket === undefined ? {} : { socket }),
  };
}

/** Same as libpq: a named authority is used, and the system's requires a check of the name as well. */
function modeOf(text: string | undefined, authority: string | undefined): SslMode {
  const word = (text ?? (authority === undefined ? 'disable' : 'verify-full'))
    .toLowerCase()
    .replace(/_/g, '-')
    .replace(/\s/g, '');
  const mode = SSL_MODES.find((one) => one === word) ?? SSL_MODE_ALIASES.get(word);
  if (mode === undefined)
    throw new RangeError(`has an unknown sslmode: it is ${SSL_MODES.join(', ')}; not ${word.slice(0, 50)}`);
  if (authority === undefined || mode !== 'require') return mode;
  return authority === 'system' ? 'verify-full' : 'verify-ca';
}

function choice(name: string, value: string | undefined, choices: readonly string[]): string | undefined {
  if (value !== undefined && !choices.includes(value))
    throw new RangeError(`has ${name} with another value than ${choices.join(', ')}`);
  return value;
}
