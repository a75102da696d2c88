import cluster from 'node:cluster';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { buildApp } from './build-app.js';
import type { Env } from './config/env.js';
import { collectGarbageOnce } from './process/collect-garbage-once.js';
import { trimMemory } from './process/trim-native-heap.js';
import { SetupService } from './console/options/setup.service.js';
import { ClockWatch } from './infra/health/clock-watch.js';
import { EventLoopWatch } from './infra/health/event-loop-watch.js';
import { knownSecrets } from './infra/observability/known-secrets.js';
import { PinoLogger } from './infra/observability/pino-logger.js';
import { Readiness } from './infra/health/readiness.js';
import { JobRunner } from './infra/schedule/job-runner.js';
import { lastAnswers, drainConnections } from './http/drain-connections.js';
import { MoneyService } from './base/billing/engine/money.service.js';
import { RelayDrain } from './gateway/relay/relay-drain.js';
import { ConcurrencyLimits } from './gateway/relay/concurrency-limits.js';
import {
  HEARTBEAT_INTERVAL_MS,
  readyLine,
  WORKER_BEAT,
  WORKER_ORDERS,
} from './process/supervisor/worker-messages.js';
import { checkClock } from './process/start-checks/clock-check.js';

/** After a second signal a stopping process ends within this time, whatever is still running. */
const SECOND_SIGNAL_MS = 5_000;
/** So much of it is for what runs; the rest is for ending it in good order, and for the books. */
const SECOND_SIGNAL_RUN_MS = 2_000;
/** On top of the drain timeout: flushing the spool, closing pools. */
const CLOSE_GRACE_MS = 11_000;
/** Minimum time for the kept connections of a leaving worker to move to others. */
const LEAVE_DELAY_MS = 1_000;
/**
 * Time requests on earlier connections are served once the listener is closed, behind balancers. Longer than a balancer keeps an
 * idle one (docker/nginx.conf): so it is always the balancer that closes it, and no request meets a closed one.
 */
const LINGER_MS = 4_000;
/**
 * A balancer that keeps connections and does not ask for our health goes on sending, and the connection that arrives in the moment in
 * which the listener is closed is lost. So the last answers before that keep their connections: then none has to be made.
 */
const CALM_MS = 1_000;
/** Shorter delays leave no time for it. */
const LONG_DELAY_MS = 5_000;
/** The listener is closed within this time, whichever side closes it. */
const CLOSED_MS = 250;
const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

const ENDING_ORDERS: ReadonlySet<unknown> = new Set([
  WORKER_ORDERS.stop,
  WORKER_ORDERS.leave,
  WORKER_ORDERS.hurry,
]);

/** Runs the gateway in this process until a signal stops it. Fails: when it cannot start. */
export async function runWorker(env: Env): Promise<void> {
  const logger = new PinoLogger(env.logLevel, knownSecrets(env));
  watchForBugs(logger);
  const stopListening = beatForSupervisor();
  const app = await buildApp(env, { logger });
  await refuseWrongClock(app);
  stopListening();
  obey(app, env, logger);
  await collectGarbageOnce();
  await app.listen(env.port, env.host);
  watchEventLoop(app);
  if (env.trimsNativeHeap) trimMemory();
  announce(app, env);
}

/** Fails: StartRefusal; the app is closed then. */
async function refuseWrongClock(app: NestFastifyApplication): Promise<void> {
  try {
    checkClock(app.get(ClockWatch, { strict: false }).lastSkewMs);
  } catch (error) {
    await app.close();
    throw error;
  }
}

/**
 * Sends heartbeats of this event loop to the supervisor, from the start on.
 * @returns ends the time in which an order to stop ends the process at once: nothing is served yet
 */
function beatForSupervisor(): () => void {
  if (!cluster.isWorker) return () => undefined;
  // A closed terminal and `kill -HUP` of the whole group mean the supervisor, which decides what becomes of us.
  process.on('SIGHUP', () => undefined);
  setInterval(() => process.connected && process.send?.(WORKER_BEAT), HEARTBEAT_INTERVAL_MS).unref();
  const onMessage = (message: unknown): void => {
    if (ENDING_ORDERS.has(message)) process.exit(0);
  };
  process.on('message', onMessage);
  return () => process.removeListener('message', onMessage);
}

/** Begins with the traffic: a start is one long turn of the loop. */
function watchEventLoop(app: NestFastifyApplication): void {
  const watch = app.get(EventLoopWatch);
  const gates = app.get(ConcurrencyLimits, { strict: false });
  watch.onOverload((isOverloaded) => gates.shed(isOverloaded));
  watch.start();
}

/**
 * An unhandled rejection is a bug, and is reported as one. The process goes on: other calls are running, and their money is safer
 * with the books kept than with a crash.
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
 * First signal: drain. Second: the same within five seconds. Under a supervisor that lives the second one is the supervisor's to pass
 * on, since a signal to the whole process group arrives here and there at once.
 */
function obey(app: NestFastifyApplication, env: Env, logger: PinoLogger): void {
  let isStopping = false;
  const hurried = new AbortController();
  const begin = (cause: string, isExchange = false): void => {
    if (isStopping) return;
    isStopping = true;
    logger.log(`${cause}: stopping`, 'Shutdown');
    const delayMs = isExchange ? Math.max(env.drainDelayMs, LEAVE_DELAY_MS) : env.drainDelayMs;
    exitAfter(delayMs + LINGER_MS + env.drainTimeoutMs + CLOSE_GRACE_MS, 1);
    shutDown(app, delayMs, isExchange, hurried.signal).then(
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
    hurried.abort();
    app.get(RelayDrain, { strict: false }).limitRemaining(SECOND_SIGNAL_RUN_MS);
  };
  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => (isStopping && !hasSupervisor() ? hurry(signal) : begin(signal)));
  }
  process.on('message', (message) => {
    if (message === WORKER_ORDERS.stop) begin('the supervisor');
    else if (message === WORKER_ORDERS.leave) begin('the supervisor has another worker', true);
    else if (message === WORKER_ORDERS.hurry) hurry('the supervisor');
    else if (message === WORKER_ORDERS.adopt && !isStopping)
      void app.get(MoneyService, { strict: false }).adoptDead();
  });
}

/**
 * Not ready at once, still serving while load balancers notice, then closing: the listener and idle connections, the calls, the
 * books, the stores.
 * @param isExchange others of this instance serve: readiness checks are still answered with yes
 * @param hurried aborted = nothing is waited for any more
 */
async function shutDown(
  app: NestFastifyApplication,
  delayMs: number,
  isExchange: boolean,
  hurried: AbortSignal,
): Promise<void> {
  const wait = (ms: number): Promise<void> =>
    pause(ms, undefined, { signal: hurried }).catch(() => undefined);
  const server = app.getHttpServer();
  const readiness = app.get(Readiness);
  if (!isExchange) readiness.beginStopping();
  const drain = app.get(RelayDrain, { strict: false });
  drain.endAbandoned();
  const answers = lastAnswers(server);
  answers.begin();
  const calmMs = delayMs >= LONG_DELAY_MS && !isExchange ? CALM_MS : 0;
  await wait(delayMs - calmMs);
  if (calmMs > 0) {
    answers.end();
    await wait(calmMs);
  }
  const connections = drainConnections(server);
  // The supervisor closes the port it shares; what it took in before is still on its way to us.
  const isPortShared = cluster.isWorker && !isExchange;
  if (!isPortShared) connections.refuseNew();
  if (calmMs > 0) await wait(CLOSED_MS);
  answers.begin();
  // Balancers that were notified a moment ago are still served; a balancer that finds the listener closed goes elsewhere by itself.
  if (delayMs > 0) await wait(LINGER_MS);
  connections.refuseNew();
  // Jobs are given back now, not when the last stream is over.
  const areJobsBack = app.get(JobRunner, { strict: false }).beforeApplicationShutdown();
  if (delayMs > 0) await drain.beforeDeadline(drain.idle().then(() => connections.waitUntilQuiet(LINGER_MS)));
  readiness.beginClosing();
  connections.closeIdle();
  await Promise.all([app.close(), areJobsBack, connections.over]);
}

const hasSupervisor = (): boolean => cluster.isWorker && process.connected;

function exitAfter(delayMs: number, code: number): void {
  setTimeout(() => process.exit(code), delayMs).unref();
}

/** Reports the address of the console to the parent process or the terminal. Port 0 has become a real one by now. */
function announce(app: NestFastifyApplication, env: Env): void {
  const { port } = app.getHttpServer().address() as AddressInfo;
  new Logger('Server').log(`listening on ${env.host}:${port}`);
  app.get(SetupService, { strict: false }).announce();
  if (process.send === undefined) process.stdout.write(readyLine(env, port));
  else process.send({ listeningPort: port });
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
