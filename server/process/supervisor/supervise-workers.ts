import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { ChildProcess, SendHandle } from 'node:child_process';
import { tracingChannel } from 'node:diagnostics_channel';
import type { Server } from 'node:net';
import type { Env } from '../../config/env.js';
import { EnvironmentError } from '../../config/environment-error.js';
import { PinoLogger } from '../../infra/observability/pino-logger.js';
import { forkWorker } from './fork-worker.js';
import { type GroupPlan, WorkerGroup } from './worker-group.js';
import { readyLine } from './worker-messages.js';
import { whenNothingWaits } from '../../http/waiting-connections.js';

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

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Settings of a supervisor. */
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
    // A terminal that is closed sends the same, with another meaning.
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

/** Variables that cannot be changed by exchanging the workers, and differ. */
export function fixedDifferences(running: Env, next: Env): string[] {
  return Object.entries(FIXED_SETTINGS)
    .filter(([, setting]) => running[setting] !== next[setting])
    .map(([variable]) => variable);
}

/** Node's listening handle. It has no public name; without it the last worker closes the port, as in Node's own cluster. */
interface ListenHandle {
  onconnection: ((...connection: unknown[]) => void) | null;
  close(): void;
}

/** Node's message that hands a connection to a worker; the worker's acknowledgement follows. */
interface HandOver {
  readonly cmd?: unknown;
  readonly act?: unknown;
  readonly seq?: unknown;
}
interface Receipt {
  readonly ack?: unknown;
}

/**
 * The port of the workers, as the supervisor has it. Node takes connections in here, hands them out one after the other, and closes
 * the port when the last worker has let go of it: connections on their way to that worker, and those the system took in meanwhile,
 * are reset, and a call that was sent on one of them fails. So the supervisor closes the port itself, first; the workers let go of
 * it when they have what was taken in before.
 */
export class SharedPort {
  private readonly handles = new Set<ListenHandle>();

  /** Before the first worker starts. */
  watch(): void {
    tracingChannel('net.server.listen').asyncEnd.subscribe((message) => {
      const { server } = message as { readonly server: Server & { _handle?: ListenHandle | null } };
      if (server._handle) this.handles.add(server._handle);
    });
  }

  /**
   * Tracks connections a worker was handed and has not accepted yet. Node forgets them when the worker dies: such a connection stays open
   * without an answer for as long as its client waits. It is handed to another worker, or closed if there is none.
   */
  follow(child: ChildProcess): void {
    const onTheWay = new Map<unknown, ListenHandle>();
    const send = child.send.bind(child) as (...words: unknown[]) => boolean;
    child.send = (message: unknown, handle?: unknown, ...rest: unknown[]): boolean => {
      const { cmd, act, seq } = message as HandOver;
      if (cmd === 'NODE_CLUSTER' && act === 'newconn' && handle) onTheWay.set(seq, handle as ListenHandle);
      return send(message, handle as SendHandle, ...rest);
    };
    child.on('internalMessage', ({ ack }: Receipt) => onTheWay.delete(ack));
    // After Node has handled the exit, too.
    child.on('exit', () =>
      setImmediate(() => {
        for (const connection of onTheWay.values()) this.handOut(connection);
      }),
    );
  }

  close(): void {
    for (const handle of this.handles) void closeWhenEmpty(handle);
    this.handles.clear();
  }

  private handOut(connection: ListenHandle): void {
    const [port] = this.handles;
    if (this.handles.size === 1 && port?.onconnection) port.onconnection(0, connection);
    else connection.close();
  }
}

async function closeWhenEmpty(handle: ListenHandle): Promise<void> {
  await whenNothingWaits((listener) => {
    const take = handle.onconnection;
    handle.onconnection = (...connection) => {
      listener();
      take?.(...connection);
    };
  });
  handle.close();
}
