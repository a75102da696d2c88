import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { BookedTasks } from './booked-tasks.js';
import type { TaskKind } from './task-kinds.js';
import type { TaskRow } from './task-rows.js';

const ROW = { id: 1 } as unknown as TaskRow;

/** Books the task at its n-th look; 0 = never. */
function kindOf(bookedAtLook: number): { readonly kind: TaskKind<TaskRow>; looks: () => number } {
  let looks = 0;
  const ownOf = () => {
    looks += 1;
    return Promise.resolve(bookedAtLook !== 0 && looks >= bookedAtLook ? [ROW] : []);
  };
  return { kind: { rows: { ownOf } } as unknown as TaskKind<TaskRow>, looks: () => looks };
}

/** Advances the clock while a reader waits for it. */
async function passTime<T>(clock: FakeClock, answer: Promise<T>): Promise<T> {
  let isOver = false;
  const done = answer.finally(() => (isOver = true));
  while (!isOver) {
    clock.advance(100);
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  return done;
}

describe('BookedTasks', () => {
  it('gives a task that is booked at once', async () => {
    const { kind, looks } = kindOf(1);
    expect(await new BookedTasks(new FakeClock()).find(kind, 1, 'a')).toBe(ROW);
    expect(looks()).toBe(1);
  });

  it('waits for one that is on its way into the books', async () => {
    const clock = new FakeClock();
    const { kind } = kindOf(4);
    expect(await passTime(clock, new BookedTasks(clock).find(kind, 1, 'a'))).toBe(ROW);
  });

  it('gives up after two seconds', async () => {
    const clock = new FakeClock();
    const { kind, looks } = kindOf(0);
    const beganMs = clock.nowMs();
    expect(await passTime(clock, new BookedTasks(clock).find(kind, 1, 'a'))).toBeNull();
    expect(clock.nowMs() - beganMs).toBeLessThan(3_000);
    expect(looks()).toBeGreaterThan(10);
  });

  it('lets at most a hundred wait at once', async () => {
    const clock = new FakeClock();
    const tasks = new BookedTasks(clock);
    const waiting = Array.from({ length: 100 }, () => tasks.find(kindOf(0).kind, 1, 'a'));
    await new Promise<void>((resolve) => setImmediate(resolve));
    const { kind, looks } = kindOf(2);
    expect(await tasks.find(kind, 1, 'a')).toBeNull();
    expect(looks()).toBe(1);
    await passTime(clock, Promise.all(waiting));
    expect(await passTime(clock, tasks.find(kindOf(2).kind, 1, 'a'))).toBe(ROW);
  });
});
