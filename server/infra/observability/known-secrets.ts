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

/** As it is written in the address, and what it means. */
function passwordsOf(address: string | undefined): readonly string[] {
  const [, written] = /^[a-z+]+:\/\/[^\s:/@]*:([^\s@]+)@/i.exec(address ?? '') ?? [];
  if (written === undefined) return [];
  try {
    return [written, decodeURIComponent(written)];
  } catch {
    // A percent sign that means itself.
    return [written];
  }
}
