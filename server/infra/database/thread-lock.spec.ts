import { describe, expect, it } from '@jest/globals';
import { ThreadLock } from './thread-lock.js';

describe('ThreadLock', () => {
  it('lets one in at a time, also over the same memory', async () => {
    const lock = new ThreadLock();
    const other = new ThreadLock(lock.memory, 2);
    expect(lock.tryEnter()).toBe(true);
    expect(other.tryEnter()).toBe(false);
    const order: string[] = [];
    const waiting = [1, 2, 3].map(async (number) => {
      await other.enter();
      order.push(`in ${number}`);
      await Promise.resolve();
      order.push(`out ${number}`);
      other.release();
    });
    lock.release();
    await Promise.all(waiting);
    expect(order).toHaveLength(6);
    for (let at = 0; at < 6; at += 2) expect(order[at + 1]).toBe(order[at]?.replace('in', 'out'));
    expect(lock.tryEnter()).toBe(true);
  });

  it('releases the lock of a dead thread only', () => {
    const lock = new ThreadLock();
    const dead = new ThreadLock(lock.memory, 2);
    expect(dead.tryEnter()).toBe(true);
    lock.releaseFor(3);
    expect(lock.tryEnter()).toBe(false);
    lock.releaseFor(2);
    expect(lock.tryEnter()).toBe(true);
  });
});
