import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { Env } from '../../config/env.js';
import { EnvironmentError } from '../../config/environment-error.js';
import { PinoLogger } from '../../infra/observability/pino-logger.js';
import { fixedDifferences } from './fixed-settings.js';
import { SharedPort } from './shared-port.js';
import { forkWorker } from './fork-worker.js';
import { type GroupPlan, WorkerGroup } from './worker-group.js';
import { readyLine } from './worker-messages.js';

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** What the supervisor runs workers with. */
export interface Supervision {
  readonly env: Env;
  /** Environment every worker gets on top of the supervisor's own. */
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * Runs `env.workers` processes on one port until a signal stops it. SIGTERM and SIGINT drain all of them; SIGHUP reads the
 * settings again and exchanges the workers one by one.
 * @param read  reads the settings; throws EnvironmentError for a fault in them
 */
export function superviseWorkers(read: () => Supervision): void {
  let running = read();
  const logger = new PinoLogger(running.env.logLevel);
  const log = (level: 'log' | 'warn' | 'error', message: string): void =>
    logger[level](message, 'Supervisor');
  const port = new SharedPort();
  port.watch();
  const group = new WorkerGroup(planOf(running), {
    fork: (index, variables) =>
      forkWorker(() => {
        const worker = cluster.fork({ ...variables, TOLLGATE_WORKER_INDEX: String(index) });
        port.follow(worker.process);
        return worker;
      }, log),
    startsAtOnce: Math.max(1, Math.floor(availableParallelism() / 2)),
    nowMs: () => performance.now(),
    after: (delayMs, action) => {
      const timer = setTimeout(action, delayMs);
      return () => clearTimeout(timer);
    },
    log,
    onReady: (port) => void process.stdout.write(readyLine(running.env, port)),
    onEnd: (exitCode) => process.exit(exitCode),
  });
  const stop = (): void => {
    setTimeout(() => port.close(), running.env.drainDelayMs);
    group.stop();
  };
  for (const signal of STOP_SIGNALS) process.on(signal, stop);
  process.on('SIGHUP', () => {
    // A terminal that is closed says the same, and means something else.
    if (process.stdin.isTTY) return stop();
    const next = readAgain(running, read, log);
    if (next === undefined) return;
    running = next;
    log('log', 'SIGHUP: the workers are exchanged one by one');
    void group.roll(planOf(next));
  });
  group.start();
}

/** @returns undefined when the settings cannot be worked with; the old ones stay */
function readAgain(
  running: Supervision,
  read: () => Supervision,
  log: (level: 'error', message: string) => void,
): Supervision | undefined {
  try {
    const next = read();
    const fixed = fixedDifferences(running.env, next.env);
    if (fixed.length === 0) return next;
    log('error', `SIGHUP: ${fixed.join(', ')} changed, which needs a restart; nothing was changed`);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    log('error', `SIGHUP: ${error.message}\nThe old settings stay.`);
  }
  return undefined;
}

const planOf = ({ env, variables }: Supervision): GroupPlan => ({ workers: env.workers, variables });
