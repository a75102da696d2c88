import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { buildApp } from './build-app.js';
import type { Env } from './config/env.js';
import { giveBackMemory } from './give-back-memory.js';
import { PinoLogger } from './infra/observability/pino-logger.js';
import { Readiness } from './infra/observability/readiness.js';
import { readyLine, WORKER_ORDERS } from './worker-messages.js';

/** After a second signal a stopping process ends within this time, whatever is still running (2.11). */
const SECOND_SIGNAL_MS = 5_000;
/** On top of the drain timeout: flushing the spool, closing pools. */
const CLOSE_GRACE_MS = 15_000;
const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Runs the gateway in this process until a signal stops it. Fails: when it cannot start. */
export async function runWorker(env: Env): Promise<void> {
  const logger = new PinoLogger(env.logLevel);
  watchForBugs(logger);
  const app = await buildApp(env, { logger });
  stopOnSignals(app, env, logger);
  await giveBackMemory();
  await app.listen(env.port, env.host);
  announce(app, env);
}

/**
 * A rejection nobody handled is a bug, and is reported as one. The process goes on: other calls are running, and their money is
 * safer with the books kept than with a crash.
 */
function watchForBugs(logger: PinoLogger): void {
  process.on('unhandledRejection', (reason) =>
    logger.error(`unhandled rejection: ${describe(reason)}`, 'Bug'),
  );
  process.on('uncaughtException', (error) => {
    logger.fatal(`uncaught exception, stopping: ${describe(error)}`, 'Bug');
    // The state of the process is unknown now. The spool holds what was settled; the next start books it.
    process.exit(1);
  });
}

/**
 * First signal: drain (2.11). Second: five more seconds. Under a supervisor the second one is the supervisor's to pass on, since
 * a signal to the whole process group arrives here and there at once.
 */
function stopOnSignals(app: NestFastifyApplication, env: Env, logger: PinoLogger): void {
  let isStopping = false;
  const begin = (cause: string): void => {
    if (isStopping) return;
    isStopping = true;
    logger.log(`${cause}: stopping`, 'Shutdown');
    exitAfter(env.drainDelayMs + env.drainTimeoutMs + CLOSE_GRACE_MS, 1);
    shutDown(app, env).then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error(`could not stop cleanly: ${describe(error)}`, 'Shutdown');
        process.exit(1);
      },
    );
  };
  const hurry = (cause: string): void => {
    logger.warn(`${cause} again: ending within ${SECOND_SIGNAL_MS / 1000} s`, 'Shutdown');
    exitAfter(SECOND_SIGNAL_MS, 1);
  };
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => (isStopping && !cluster.isWorker ? hurry(signal) : begin(signal)));
  }
  process.on('message', (message) => {
    if (message === WORKER_ORDERS.stop) begin('the supervisor');
    else if (message === WORKER_ORDERS.hurry) hurry('the supervisor');
  });
}

/** Not ready at once, still serving while load balancers notice, then closing: the listener, the calls, the books, the stores. */
async function shutDown(app: NestFastifyApplication, env: Env): Promise<void> {
  app.get(Readiness).beginStopping();
  if (env.drainDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, env.drainDelayMs));
  await app.close();
}

function exitAfter(delayMs: number, code: number): void {
  setTimeout(() => process.exit(code), delayMs).unref();
}

/** Tells whoever started the program where the console is. Port 0 has become a real one by now. */
function announce(app: NestFastifyApplication, env: Env): void {
  const { port } = app.getHttpServer().address() as AddressInfo;
  new Logger('Server').log(`listening on ${env.host}:${port}`);
  if (process.send === undefined) process.stdout.write(readyLine(env, port));
  else process.send({ listeningPort: port });
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
