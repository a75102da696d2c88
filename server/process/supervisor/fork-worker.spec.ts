import { describe, expect, it } from '@jest/globals';
import cluster, { type Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { forkWorker } from './fork-worker.js';

class FakeWorker extends EventEmitter {
  process: { pid: number | undefined };

  constructor(pid: number | undefined) {
    super();
    this.process = { pid };
  }

  isConnected(): boolean {
    return true;
  }
}
const ends = async (fork: () => Worker, provoke: () => void = () => undefined) => {
  const said: string[] = [];
  const exits: (number | string)[] = [];
  const made = forkWorker(fork, (_, message) => void said.push(message));
  made.onExit((code, signal) => void exits.push(code, signal));
  provoke();
  await new Promise((resolve) => setImmediate(resolve));
  return { said, exits };
};

describe('a worker that cannot be started [F-15]', () => {
  it('has died like others when the program is not there', async () => {
    // Node reports it like a missing program.
    cluster.setupPrimary({ cwd: '/nowhere' });
    const said: string[] = [];
    const made = forkWorker(
      () => cluster.fork(),
      (_, message) => void said.push(message),
    );
    const code = await new Promise<number>((resolve) => made.onExit(resolve));
    cluster.setupPrimary({ cwd: process.cwd() });
    expect(code).toBe(1);
    expect(made.pid).toBeUndefined();
    expect(said.join()).toMatch(/^a worker could not be started: (?:Error: )?spawn .*ENOENT/);
  });

  it('has died like others when there is no memory for one', async () => {
    const { said, exits } = await ends(() => {
      throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' });
    });
    expect(exits).toEqual([1, '']);
    expect(said).toEqual(['a worker could not be started: spawn ENOMEM']);
  });

  it('keeps a living worker whose message could not be sent, and reports its death once', async () => {
    const worker = new FakeWorker(4_711);
    const { exits } = await ends(
      () => worker as unknown as Worker,
      () => {
        worker.emit('error', new Error('write EPIPE'));
        worker.emit('exit', 0, '');
        worker.emit('exit', 0, '');
      },
    );
    expect(exits).toEqual([0, '']);
  });
});
