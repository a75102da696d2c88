import cluster from 'node:cluster';
import { EnvironmentError, readEnv } from './config/env.js';
import { superviseWorkers } from './supervisor.js';
import { runWorker } from './worker.js';

try {
  const env = readEnv(process.env);
  if (cluster.isPrimary && env.workers > 1) {
    // Generated secrets are the supervisor's to make: two workers starting together must not make two.
    superviseWorkers(env, { SESSION_SECRET: env.sessionSecret, CRYPTO_SECRET: env.cryptoSecret });
  } else {
    await runWorker(env);
  }
} catch (error) {
  const text =
    error instanceof EnvironmentError ? error.message : `Tollgate could not start: ${describe(error)}`;
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
