import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { LateWork, loadOnce, workLate } from './late-work';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  jest.restoreAllMocks();
  jest.useRealTimers();
});

it('runs nothing at once, and lets a timer in between when work takes long', () => {
  const late = new LateWork();
  const done: number[] = [];
  let nowMs = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
  for (let index = 0; index < 10; index += 1)
    late.plan(() => {
      done.push(index);
      nowMs += 4;
    });
  expect(done).toEqual([]);
  jest.advanceTimersToNextTimer();
  expect(done).toEqual([0, 1]);
  jest.advanceTimersToNextTimer();
  expect(done).toEqual([0, 1, 2, 3]);
  jest.runAllTimers();
  expect(done).toHaveLength(10);
});

it('leaves out work that was withdrawn', async () => {
  const load = jest.fn(async () => 'code');
  const fetched = loadOnce(load);
  const work = jest.fn();
  workLate(fetched, work)();
  const withdraw = workLate(fetched, work);
  await jest.advanceTimersByTimeAsync(0);
  withdraw();
  workLate(fetched, work);
  await jest.runAllTimersAsync();
  expect(work.mock.calls).toEqual([['code']]);
  expect(load).toHaveBeenCalledTimes(1);
});

it('begins to fetch code in a task of its own, once', async () => {
  const load = jest.fn(async () => 'code');
  const fetched = loadOnce(load);
  const first = fetched();
  await Promise.resolve();
  expect(load).not.toHaveBeenCalled();
  expect(fetched()).toBe(first);
  jest.runAllTimers();
  await expect(first).resolves.toBe('code');
  expect(load).toHaveBeenCalledTimes(1);
});

it('does without code that cannot be fetched', async () => {
  const work = jest.fn();
  workLate(
    loadOnce(async () => Promise.reject(new Error('offline'))),
    work,
  );
  await jest.runAllTimersAsync();
  expect(work).not.toHaveBeenCalled();
});
