import type { Worker } from 'node:cluster';
import type { WorkerProcess } from './worker-group.js';

/** Exit code of a worker that could not be created. */
const STILLBORN = 1;

/**
 * Creates a worker, or a stand-in that exits at once: the machine has no memory, process or file left, or the program is being
 * replaced on disk. Such a worker has died like others, and the next one is tried after a pause; those that serve are not touched.
 * @param fork  throws, or has its worker emit `error`, when there is none
 */
export function forkWorker(
  fork: () => Worker,
  log: (level: 'error', message: string) => void,
): WorkerProcess {
  const tell = (error: unknown): void =>
    log('error', `a worker could not be started: ${error instanceof Error ? error.message : String(error)}`);
  let worker: Worker;
  try {
    worker = fork();
  } catch (error) {
    tell(error);
    return {
      pid: undefined,
      send: () => undefined,
      kill: () => undefined,
      onMessage: () => undefined,
      onExit: (listener) => void setImmediate(listener, STILLBORN, ''),
    };
  }
  let isOver = false;
  let onOver: (code: number, signal: string) => void = () => undefined;
  const end = (code: number, signal: string): void => {
    if (isOver) return;
    isOver = true;
    onOver(code, signal);
  };
  worker.on('exit', end);
  worker.on('error', (error: Error) => {
    tell(error);
    // A living one reports a message that could not be sent, and lives on.
    if (worker.process.pid === undefined) end(STILLBORN, '');
  });
  return {
    pid: worker.process.pid,
    send: (order) => {
      if (worker.isConnected()) worker.send(order);
    },
    kill: () => void worker.process.kill('SIGKILL'),
    onMessage: (listener) => void worker.on('message', listener),
    onExit: (listener) => void (onOver = listener),
  };
}
