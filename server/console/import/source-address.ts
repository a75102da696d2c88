import type { ErrorCode } from '../../common/errors/error-catalogue.js';
import { renderRefusal } from '../../common/errors/render-refusal.js';
import { isAbsolute, resolve } from 'node:path';

type AddressFault = Extract<ErrorCode, `import_address_${string}`>;

/** An address whose form cannot be read; the message never holds its password. */
export class SourceAddressError extends Error {
  constructor(readonly code: AddressFault) {
    super(renderRefusal(code, {}, 'en').body.message);
  }
}

const SCHEMES = /^(?:sqlite:|mysql:\/\/|mariadb:\/\/|postgres(?:ql)?:\/\/)/i;
/** Form of Go's MySQL driver: `user:password@tcp(host:3306)/database?parseTime=true`. */
const GO_MYSQL = /^(?:([^:@/]*)(?::(.*))?@)?(?:(tcp|unix)\(([^)]*)\))?\/([^?]*)(?:\?.*)?$/s;
/** Form of libpq: `host=… user=… dbname=…`. */
const KEYWORDS = /^\s*(?:[a-z_]+\s*=\s*(?:'[^']*'|\S*)\s*)+$/i;

/**
 * The address of a source in the form that databases are opened by: ours as they are, those of Go's drivers translated, a path of a
 * file as `sqlite:PATH`.
 * Fails: SourceAddressError.
 */
export function sourceAddress(text: string, folder: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new SourceAddressError('import_address_empty');
  if (/^sqlite:/i.test(trimmed))
    return fileAddress(trimmed.replace(/^sqlite:(?:\/\/(?=\/|[^/]))?/i, ''), folder);
  if (SCHEMES.test(trimmed)) return withoutForeignSettings(trimmed);
  if (/^local/i.test(trimmed)) throw new SourceAddressError('import_address_local');
  const mysql = GO_MYSQL.exec(trimmed);
  if (
    mysql !== null &&
    (trimmed.includes('@tcp(') || trimmed.includes('@unix(') || /^[^/]+@\//.test(trimmed))
  )
    return fromGoMysql(mysql);
  if (KEYWORDS.test(trimmed) && /\bhost\s*=/i.test(trimmed)) return fromKeywords(trimmed);
  if (/^[./~]|\.(db|sqlite3?)$/i.test(trimmed)) return fileAddress(trimmed, folder);
  throw new SourceAddressError('import_address_unknown');
}

function fileAddress(path: string, folder: string): string {
  const [file = ''] = path.split('?');
  if (file === '') throw new SourceAddressError('import_address_without_file');
  return `sqlite:${isAbsolute(file) ? file : resolve(folder, file)}`;
}

/** Settings of Go's and Prisma's drivers that do not concern the connection. */
const FOREIGN_SETTINGS = new Set([
  'parsetime',
  'loc',
  'schema',
  'connection_limit',
  'pool_timeout',
  'connect_timeout',
  'timezone',
  'charset',
  'collation',
  'timeout',
]);

function withoutForeignSettings(address: string): string {
  const [start, query] = splitOnce(address, '?');
  if (query === undefined) return address;
  const kept = query
    .split('&')
    .filter((pair) => !FOREIGN_SETTINGS.has((pair.split('=')[0] ?? '').toLowerCase()));
  return kept.length === 0 ? start : `${start}?${kept.join('&')}`;
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.lastIndexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function fromGoMysql([
  ,
  user = '',
  password = '',
  network = 'tcp',
  place = '',
  database = '',
]: RegExpExecArray): string {
  const credentials = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return network === 'unix'
    ? `mysql://${credentials}@localhost/${encodeURIComponent(database)}?socket=${encodeURIComponent(place)}`
    : `mysql://${credentials}@${place === '' ? '127.0.0.1' : place}/${encodeURIComponent(database)}`;
}

function fromKeywords(text: string): string {
  const values = new Map<string, string>();
  for (const [, name = '', quoted, plain] of text.matchAll(/([a-z_]+)\s*=\s*(?:'([^']*)'|(\S*))/gi))
    values.set(name.toLowerCase(), quoted ?? plain ?? '');
  const of = (name: string): string => encodeURIComponent(values.get(name) ?? '');
  const mode = values.get('sslmode');
  const port = values.get('port');
  return `postgres://${of('user')}:${of('password')}@${values.get('host') ?? ''}${port === undefined ? '' : `:${port}`}/${of('dbname')}${mode === undefined ? '' : `?sslmode=${mode}`}`;
}
