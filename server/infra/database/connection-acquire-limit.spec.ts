import { describe, expect, it } from '@jest/globals';
import { ConnectionAcquireLimit, DatabaseBusyError } from './connection-acquire-limit.js';

describe('ConnectionAcquireLimit', () => {
  it('refuses at once when the queue is full', async () => {
    const gate = new ConnectionAcquireLimit({ permits: 1, queueLimit: 1, deadlineMs: 60_000 });
    await gate.enter();
    const waiting = gate.enter();
    await expect(gate.enter()).rejects.toThrow(DatabaseBusyError);
    gate.release();
    await waiting;
    gate.release();
  });

  it('refuses waiters past the deadline, and forgets them', async () => {
    const gate = new ConnectionAcquireLimit({ permits: 1, queueLimit: 5, deadlineMs: 1 });
    await gate.enter();
    await expect(gate.enter()).rejects.toThrow(DatabaseBusyError);
    expect(gate.waiting).toBe(0);
    gate.release();
    await gate.enter();
    expect(gate.inside).toBe(1);
  });

  it('lets them in in the order they came, never more than there are permits', async () => {
    const gate = new ConnectionAcquireLimit({ permits: 2, queueLimit: 100, deadlineMs: 60_000 });
    const order: number[] = [];
    let inside = 0;
    let most = 0;
    const visits = Array.from({ length: 50 }, async (_, index) => {
      await gate.enter();
      inside += 1;
      most = Math.max(most, inside);
      order.push(index);
      await Promise.resolve();
      inside -= 1;
      gate.release();
    });
    await Promise.all(visits);
    expect(order).toEqual(Array.from({ length: 50 }, (_, index) => index));
    expect(most).toBe(2);
    expect(gate.inside).toBe(0);
  });
});
