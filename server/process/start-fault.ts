import type { Env } from '../config/env.js';
import { CryptoSecretError } from '../infra/database/crypto-secret-check.js';
import { DatabaseStartError } from '../infra/database/open-named-database.js';
import { StartRefusal } from '../common/errors/start-refusal.js';

const PORT_FAULTS: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'is in use by another program: stop that one, or choose another port'],
  ['EACCES', 'may not be used by this account: choose a port above 1023'],
]);

/** The port is not to blame. */
const HOST_FAULTS: ReadonlyMap<unknown, string> = new Map([
  ['EADDRNOTAVAIL', 'is no address of this machine'],
  ['ENOTFOUND', 'is a name that leads nowhere'],
  ['EAI_AGAIN', 'is a name that cannot be looked up now'],
  ['EAFNOSUPPORT', 'is an address of a kind this machine does not have'],
]);
const HOST_REMEDY = 'write 0.0.0.0 for all of its addresses, 127.0.0.1 for none that others reach';

/**
 * Message for the operator when a start fails in a valid environment: one sentence for a fault of the surroundings, the stack only for a bug.
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
  const { code, syscall, port, hostname } = (error ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof code !== 'string') return undefined;
  const isLookup = syscall === 'getaddrinfo' && hostname === env.host;
  if (syscall !== 'listen' && syscall !== 'bind' && !isLookup) return undefined;
  const hostFault = HOST_FAULTS.get(code);
  if (hostFault !== undefined) return `HOST: ${env.host} ${hostFault} (${code}): ${HOST_REMEDY}.`;
  const isMetrics = port !== env.port && env.metricsPort !== undefined && port === env.metricsPort;
  const text = PORT_FAULTS.get(code) ?? 'cannot be listened on';
  return `${isMetrics ? 'METRICS_PORT' : 'PORT'}: ${env.host}:${String(port ?? env.port)} (${code}) ${text}.`;
}
