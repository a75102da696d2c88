import cluster from 'node:cluster';
import { type Env, EnvironmentError, readEnv } from './config/env.js';

const OLDEST_NODE_MAJOR = 24;

let env: Env | undefined;
try {
  if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE_MAJOR) {
    throw new EnvironmentError(
      `Tollgate needs Node ${OLDEST_NODE_MAJOR} or newer and this is ${process.versions.node}: \`npm start\` brings its own.`,
    );
  }
  env = readEnv(process.env);
  // Loaded now, so that faults are named at once and the supervisor stays small.
  if (cluster.isPrimary && env.workers > 1) {
    const { superviseWorkers } = await import('./supervisor.js');
    // Generated secrets are the supervisor's to make: two workers starting together must not make two.
    superviseWorkers(env, { SESSION_SECRET: env.sessionSecret, CRYPTO_SECRET: env.cryptoSecret });
  } else {
    const { runWorker } = await import('./worker.js');
    await runWorker(env);
  }
} catch (error) {
  // An unfit environment (an old Node) must be named without loading what needs a fit one.
  const text =
    error instanceof EnvironmentError
      ? error.message
      : (await import('./start-fault.js')).startFault(error, env);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
