import { decodeCredential } from '../../config/address-faults.js';

const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const;
export type SslMode = (typeof SSL_MODES)[number];

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
    // As forms write it: a plus sign is a blank nowhere here.
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

/** As libpq: an authority somebody names is asked, and the one of the system wants the name checked as well. */
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
