import cluster, { type Worker } from 'node:cluster';
import type { Env } from './config/env.js';
import { PinoLogger } from './infra/observability/pino-logger.js';
import { restartDelayMs } from './restart-delay.js';
import { isWorkerReport, readyLine, WORKER_ORDERS } from './worker-messages.js';

const MINUTE_MS = 60_000;
const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Runs `env.workers` processes on one port: replaces a worker that died, passes signals on, ends when the last one has ended.
 * @param variables  environment every worker gets on top of its own
 */
export function superviseWorkers(env: Env, variables: Readonly<Record<string, string>>): void {
  const logger = new PinoLogger(env.logLevel);
  const deaths: number[] = [];
  let isStopping = false;
  let isAnnounced = false;
  let exitCode = 0;

  const start = (index: number): void => {
    const worker = cluster.fork({ ...variables, TOLLGATE_WORKER_INDEX: String(index) });
    worker.on('message', (message: unknown) => {
      if (isAnnounced || !isWorkerReport(message)) return;
      isAnnounced = true;
      process.stdout.write(readyLine(env, message.listeningPort));
    });
    worker.on('exit', (code, signal) => onExit(index, worker, code, signal));
  };

  const onExit = (index: number, worker: Worker, code: number, signal: string): void => {
    if (isStopping) {
      exitCode ||= code;
      if (Object.keys(cluster.workers ?? {}).length === 0) process.exit(exitCode);
      return;
    }
    if (!isAnnounced && code !== 0) return giveUp(code);
    const nowMs = Date.now();
    deaths.push(nowMs);
    while ((deaths[0] ?? nowMs) < nowMs - MINUTE_MS) deaths.shift();
    const delayMs = restartDelayMs(deaths.length);
    logger.error(
      `worker ${index} (pid ${worker.process.pid}) ended with ${signal || code}, a new one starts in ${delayMs} ms`,
      'Supervisor',
    );
    setTimeout(() => !isStopping && start(index), delayMs);
  };

  /** Nobody has ever listened: the fault lies in the start, a port in use or a database away, and starting again hides it. */
  const giveUp = (code: number): void => {
    isStopping = true;
    exitCode = code;
    const workers = Object.values(cluster.workers ?? {});
    if (workers.length === 0) process.exit(code);
    for (const worker of workers) worker?.process.kill('SIGTERM');
  };

  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      const order = isStopping ? WORKER_ORDERS.hurry : WORKER_ORDERS.stop;
      isStopping = true;
      const workers = Object.values(cluster.workers ?? {});
      if (workers.length === 0) process.exit(exitCode);
      for (const worker of workers) if (worker?.isConnected() === true) worker.send(order);
    });
  }
  for (let index = 0; index < env.workers; index += 1) start(index);
}
