import type { Env } from '../../config/env.js';

/** Settings that old and new workers of one instance must agree on while they run side by side, by their variable. */
const FIXED_SETTINGS = {
  PORT: 'port',
  HOST: 'host',
  BASE_PATH: 'basePath',
  DATA_DIR: 'dataDir',
  DATABASE_URL: 'databaseUrl',
  LOG_DATABASE_URL: 'logDatabaseUrl',
  REDIS_URL: 'redisUrl',
  SESSION_SECRET: 'sessionSecret',
  CRYPTO_SECRET: 'cryptoSecret',
  METRICS_PORT: 'metricsPort',
  METRICS_TOKEN: 'metricsToken',
} as const satisfies Record<string, keyof Env>;

/** Variables that cannot be changed by exchanging the workers, and differ. */
export function fixedDifferences(running: Env, next: Env): string[] {
  return Object.entries(FIXED_SETTINGS)
    .filter(([, setting]) => running[setting] !== next[setting])
    .map(([variable]) => variable);
}
