import cluster from 'node:cluster';
import { takeSmallPools } from './infra/sockets/buffer-pool-size.js';
import { loadEnvAndFile } from './config/env-file.js';
import { type Env, readEnv } from './config/env.js';
import { EnvironmentError } from './config/environment-error.js';

takeSmallPools();

let env: Env | undefined;
try {
  if (cluster.isPrimary) {
    const loaded = loadEnvAndFile();
    ({ env } = loaded);
    for (const warning of loaded.warnings) process.stderr.write(`The environment: ${warning}.\n`);
    await takeDataDir(env);
    await start(env);
  } else {
    env = readEnv(process.env);
    await runWorker(env);
  }
} catch (error) {
  // A mistake in the environment is named without loading the rest.
  const text =
    error instanceof EnvironmentError
      ? error.message
      : (await import('./process/start-fault.js')).startFault(error, env);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}

/** One instance per folder, with room to write. Fails: StartRefusal. */
async function takeDataDir({ dataDir }: Env): Promise<void> {
  const { checkDiskSpace } = await import('./process/start-checks/disk-space.js');
  const { lockDataDir } = await import('./process/start-checks/data-dir-lock.js');
  checkDiskSpace(dataDir);
  const lock = await lockDataDir(dataDir);
  process.once('exit', () => lock.release());
}

/** Loaded as late as possible, so that faults are named at once and the supervisor stays small. */
async function start(settings: Env): Promise<void> {
  if (!settings.isSupervised) return runWorker(settings);
  const { superviseWorkers } = await import('./process/supervisor/supervise-workers.js');
  const { serveWorkerMetrics } = await import('./process/supervisor/gather-metrics.js');
  await serveWorkerMetrics(settings);
  superviseWorkers(readSupervision);
}

/** Generated secrets are the supervisor's to make: two workers starting together must not make two. */
function readSupervision(): { env: Env; variables: Record<string, string> } {
  const { env: read, file } = loadEnvAndFile();
  const secrets = { SESSION_SECRET: read.sessionSecret, CRYPTO_SECRET: read.cryptoSecret };
  return { env: read, variables: { ...file, ...secrets } };
}

async function runWorker(settings: Env): Promise<void> {
  const worker = await import('./worker.js');
  await worker.runWorker(settings);
}
