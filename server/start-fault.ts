import type { Env } from './config/env.js';
import { CryptoSecretError } from './infra/database/crypto-secret-check.js';
import { DatabaseStartError } from './infra/database/open-named-database.js';
import { StartRefusal } from './start-checks/start-refusal.js';

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be used by this account',
  EADDRNOTAVAIL: 'does not belong to this machine',
};

/**
 * What the operator reads when the start failed in a fit environment: one sentence for a fault of the surroundings, the stack only for a bug.
 * @param env  undefined when reading it is what failed, for reasons of its own
 */
export function startFault(error: unknown, env?: Env): string {
  if (
    error instanceof CryptoSecretError ||
    error instanceof DatabaseStartError ||
    error instanceof StartRefusal
  )
    return `Tollgate could not start. ${error.message}`;
  const listening = env === undefined ? undefined : listenFault(error, env);
  if (listening !== undefined) return `Tollgate could not start. ${listening}`;
  return `Tollgate could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

function listenFault(error: unknown, env: Env): string | undefined {
  const { code, syscall, port } = (error ?? {}) as { code?: unknown; syscall?: unknown; port?: unknown };
  if (typeof code !== 'string' || (syscall !== 'listen' && syscall !== 'bind')) return undefined;
  const isMetrics = port !== env.port && env.metricsPort !== undefined && port === env.metricsPort;
  const text = Object.hasOwn(LISTEN_FAULTS, code) ? LISTEN_FAULTS[code] : 'cannot be listened on';
  return `${isMetrics ? 'METRICS_PORT' : 'PORT'}: ${env.host}:${String(port ?? env.port)} ${text} (${code}).`;
}
