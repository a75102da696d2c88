import type { Env } from '../../config/env.js';

/** Orders of the supervisor to its workers. */
export const WORKER_ORDERS = {
  /** Drain and end. */
  stop: 'stop',
  /** Same as `stop`, while others of this instance go on serving: the instance stays ready. */
  leave: 'leave',
  /** End within seconds, whatever still runs. */
  hurry: 'hurry',
  /** A worker of this instance died: book what its spool holds. */
  adopt: 'adopt',
} as const;
export type WorkerOrder = (typeof WORKER_ORDERS)[keyof typeof WORKER_ORDERS];

/** Heartbeat message of a worker whose event loop turns. */
export const WORKER_BEAT = 'beat';

/** Interval of heartbeats. */
export const HEARTBEAT_INTERVAL_MS = 2_000;

/** Message of a worker once it serves. */
export interface WorkerReport {
  readonly listeningPort: number;
}

export const isWorkerReport = (message: unknown): message is WorkerReport =>
  typeof message === 'object' &&
  message !== null &&
  'listeningPort' in message &&
  typeof message.listeningPort === 'number';

/** The line with the address of the console. */
export function readyLine(env: Pick<Env, 'host' | 'serverAddress'>, port: number): string {
  const isEverywhere = env.host === '0.0.0.0' || env.host === '::';
  const host = isEverywhere ? 'localhost' : env.host.includes(':') ? `[${env.host}]` : env.host;
  return `Tollgate is ready: ${env.serverAddress ?? `http://${host}:${port}`}\n`;
}
