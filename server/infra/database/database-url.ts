export type DatabaseDialect = 'sqlite' | 'mysql' | 'postgres';

export interface SqliteAddress {
  readonly dialect: 'sqlite';
  /** File path, or `:memory:`. */
  readonly path: string;
}

export interface ServerAddress {
  readonly dialect: 'mysql' | 'postgres';
  /** As TypeORM names the driver: MariaDB differs from MySQL in details. */
  readonly type: 'mysql' | 'mariadb' | 'postgres';
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  readonly database: string;
  /** `require` encrypts without checking the certificate, `verify-full` checks it. */
  readonly sslMode: SslMode;
}

const SSL_MODES = ['disable', 'require', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

const DEFAULT_PORTS = { mysql: 3306, mariadb: 3306, postgres: 5432 } as const;

export class DatabaseUrlError extends Error {}

/**
 * Reads `sqlite:PATH`, `mysql://…`, `mariadb://…`, `postgres://…` (with `?sslmode=disable|require|verify-full`).
 * Fails: DatabaseUrlError that says what is wrong and never repeats the password.
 */
export function parseDatabaseUrl(text: string): SqliteAddress | ServerAddress {
  if (text.startsWith('sqlite:')) {
    const path = text.slice('sqlite:'.length).replace(/^\/\/(?=\/|[^/])/, '');
    if (path === '')
      throw new DatabaseUrlError('the SQLite address names no file: write sqlite:/path/to/file.db');
    return { dialect: 'sqlite', path };
  }
  const url = URL.parse(text);
  if (url === null) throw new DatabaseUrlError('the database address is not a URL');
  const type = url.protocol.replace(/:$/, '').replace('postgresql', 'postgres');
  if (type !== 'mysql' && type !== 'mariadb' && type !== 'postgres') {
    throw new DatabaseUrlError(
      `the database address starts with ${url.protocol}, not with sqlite:, mysql:, mariadb: or postgres:`,
    );
  }
  const database = decodeURIComponent(url.pathname.slice(1));
  if (database === '')
    throw new DatabaseUrlError(
      'the database address names no database: add it after the host, as in …@host/tollgate',
    );
  return {
    dialect: type === 'postgres' ? 'postgres' : 'mysql',
    type,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORTS[type] : Number(url.port),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database,
    sslMode: sslModeOf(url.searchParams),
  };
}

function sslModeOf(parameters: URLSearchParams): SslMode {
  for (const name of parameters.keys()) {
    if (name !== 'sslmode')
      throw new DatabaseUrlError(`the database address has an unknown setting: ${name}`);
  }
  const mode = parameters.get('sslmode') ?? 'disable';
  const known = SSL_MODES.find((candidate) => candidate === mode);
  if (known === undefined) throw new DatabaseUrlError(`sslmode is ${SSL_MODES.join(', ')}; not ${mode}`);
  return known;
}

/** What drivers are told about TLS; undefined = none. */
export function encryptionOf({ sslMode }: ServerAddress): { rejectUnauthorized: boolean } | undefined {
  return sslMode === 'disable' ? undefined : { rejectUnauthorized: sslMode === 'verify-full' };
}
