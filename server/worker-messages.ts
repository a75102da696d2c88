import type { Env } from './config/env.js';

/** What the supervisor tells its workers. */
export const WORKER_ORDERS = { stop: 'stop', hurry: 'hurry' } as const;

/** What a worker tells its supervisor once it serves. */
export interface WorkerReport {
  readonly listeningPort: number;
}

export const isWorkerReport = (message: unknown): message is WorkerReport =>
  typeof message === 'object' &&
  message !== null &&
  'listeningPort' in message &&
  typeof message.listeningPort === 'number';

/** The line that says where the console is. */
export function readyLine(env: Pick<Env, 'host' | 'serverAddress'>, port: number): string {
  const isEverywhere = env.host === '0.0.0.0' || env.host === '::';
  const host = isEverywhere ? 'localhost' : env.host.includes(':') ? `[${env.host}]` : env.host;
  return `Tollgate is ready: ${env.serverAddress ?? `http://${host}:${port}`}\n`;
}
