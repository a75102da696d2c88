import type { Env } from '../../config/env.js';

/** Shorter ones would be found in the middle of words. */
const SHORTEST = 8;

/** Secrets of the environment, longest first: what a log line must not hold, however it came there. */
export function knownSecrets(
  env: Pick<Env, 'databaseUrl' | 'logDatabaseUrl' | 'redisUrl'> & {
    readonly [
      K in 'sessionSecret' | 'cryptoSecret' | 'metricsToken' | 'setupToken' | 'initialRoot' | 'tracing'
    ]: Env[K];
  },
): readonly string[] {
  const addresses = [env.databaseUrl, env.logDatabaseUrl, env.redisUrl];
  const secrets = [
    env.sessionSecret,
    env.cryptoSecret,
    env.metricsToken,
    env.setupToken,
    env.initialRoot?.password,
    ...Object.values(env.tracing?.headers ?? {}),
    ...addresses.flatMap(passwordsOf),
  ];
  return [...new Set(secrets)]
    .filter((secret) => secret !== undefined)
    .filter((secret) => secret.length >= SHORTEST)
    .sort((a, b) => b.length - a.length);
}

/** Behind the name; alone, which only Redis has; of the sentinels. */
const PASSWORDS: readonly RegExp[] = [
  /^[a-z+]+:\/\/[^\s:/@]*:([^\s@]+)@/i,
  /^redis[a-z+]*:\/\/([^\s:/@]+)@/i,
  /[?&]sentinel-password=([^&\s]+)/,
];

/** Passwords as written in the address, and decoded. */
function passwordsOf(address = ''): readonly string[] {
  const written = PASSWORDS.map((place) => place.exec(address)?.[1]).filter((text) => text !== undefined);
  return written.flatMap((text) => [text, decoded(text)]);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that means itself.
    return text;
  }
}
