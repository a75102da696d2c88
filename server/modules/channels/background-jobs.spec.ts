import { describe, expect, it } from '@jest/globals';
import { MemorySharedStore } from '../../infra/shared-store/memory-shared-store.js';
import { SystemClock } from '../../infra/clock/system-clock.js';
import { BackgroundJobs } from './background-jobs.js';

const deferred = (): { promise: Promise<boolean>; resolve: (value: boolean) => void } =>
  Promise.withResolvers<boolean>();

describe('background jobs (CHAN-14)', () => {
  it('run one at a time, tell how far they are, and free their place whatever happens', async () => {
    const jobs = new BackgroundJobs(new MemorySharedStore(new SystemClock(), 'e'), new SystemClock());
    const [first, second] = [deferred(), deferred()];
    const reached = deferred();
    expect(await jobs.progressOf('test')).toMatchObject({ running: false, total: 0 });
    const failing = async (): Promise<boolean> => {
      throw new Error('a channel broke');
    };
    const last = (): Promise<boolean> => {
      reached.resolve(true);
      return second.promise;
    };
    expect(await jobs.start('test', [() => first.promise, failing, last])).toBe(true);
    expect(await jobs.start('test', [])).toBe(false);
    first.resolve(true);
    await reached.promise;
    expect(await jobs.progressOf('test')).toMatchObject({ running: true, done: 2, total: 3, failed: 1 });
    second.resolve(false);
    await jobs.onApplicationShutdown();
    expect(await jobs.progressOf('test')).toMatchObject({ running: false, done: 3, failed: 2 });
    expect(await jobs.start('test', [])).toBe(true);
  });

  it('end between two channels when the server stops', async () => {
    const jobs = new BackgroundJobs(new MemorySharedStore(new SystemClock(), 'e'), new SystemClock());
    const gate = deferred();
    let steps = 0;
    const step = (): Promise<boolean> => {
      steps += 1;
      return gate.promise;
    };
    await jobs.start('test', [step, step, step]);
    const stopped = jobs.onApplicationShutdown();
    gate.resolve(true);
    await stopped;
    expect(steps).toBeLessThan(2);
    expect((await jobs.progressOf('test')).running).toBe(false);
  });
});
