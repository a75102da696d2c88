import { describe, expect, it } from '@jest/globals';
import { MemorySharedStore } from '../../../infra/shared-store/memory-shared-store.js';
import { SystemClock } from '../../../infra/clock/system-clock.js';
import type { JobRunner } from '../../../infra/schedule/job-runner.js';
import { JobOvertakenError } from '../../../infra/schedule/job-run.js';
import { BackgroundJobs } from './background-jobs.js';

/** Jobs of one worker, without a database. */
function memoryJobs(): JobRunner {
  const running = new Set<string>();
  return {
    begin: async (name: string) => {
      if (running.has(name)) return null;
      running.add(name);
      return { name, fence: 1, confirm: async () => undefined, end: () => undefined };
    },
    finish: async ({ name }: { readonly name: string }) => void running.delete(name),
  } as unknown as JobRunner;
}

const deferred = (): { promise: Promise<boolean>; resolve: (value: boolean) => void } =>
  Promise.withResolvers<boolean>();

const openJobs = (): BackgroundJobs =>
  new BackgroundJobs(new MemorySharedStore(new SystemClock(), 'e'), memoryJobs(), new SystemClock());

describe('background jobs [CHAN-114]', () => {
  it('runs one at a time, reports its progress, and frees its place whatever happens', async () => {
    const jobs = openJobs();
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

  it('ends between two channels when the server stops', async () => {
    const jobs = openJobs();
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

  it('leaves everything to the worker that took over [F-70]', async () => {
    const jobs = memoryJobs();
    const overtaken = {
      begin: async () => ({
        name: 'test',
        fence: 1,
        end: () => undefined,
        confirm: async () => {
          throw new JobOvertakenError('taken over');
        },
      }),
      finish: () => {
        throw new Error('it is not ours to finish');
      },
    } as unknown as JobRunner;
    const background = new BackgroundJobs(
      new MemorySharedStore(new SystemClock(), 'e'),
      Object.assign(jobs, overtaken),
      new SystemClock(),
    );
    let steps = 0;
    let ends = 0;
    const step = async (): Promise<boolean> => {
      steps += 1;
      return true;
    };
    await background.start('test', [step], () => {
      ends += 1;
    });
    await background.onApplicationShutdown();
    expect([steps, ends]).toEqual([0, 0]);
  });
});
