import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { contain, contained } from '../../../server/common/contain.js';

const FAULT = new Error('a fault of ours');
const fail = (): void => {
  throw FAULT;
};

const told: unknown[] = [];
const note = (fault: unknown): void => void told.push(fault);
let others: readonly ((reason: unknown, promise: Promise<unknown>) => void)[] = [];

beforeEach(() => {
  told.length = 0;
  others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', note);
});
afterEach(() => {
  process.removeAllListeners('unhandledRejection');
  for (const listener of others) process.on('unhandledRejection', listener);
});

/** Rejections nobody handled are told after the turn. */
const afterTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a fault in a listener', () => {
  it('ends what the listener belongs to and is told as a bug; whoever spoke goes on', async () => {
    const emitter = new EventEmitter();
    const ended: unknown[] = [];
    emitter.on(
      'data',
      contained(
        (_bytes: string) => fail(),
        (bytes) => ended.push(bytes),
      ),
    );
    expect(emitter.emit('data', 'what came')).toBe(true);
    expect(ended).toEqual(['what came']);
    await afterTurn();
    expect(told).toEqual([FAULT]);
  });

  it('tells one whose end fails as well twice, and lets it go no further', async () => {
    expect(() => contained(fail, fail)()).not.toThrow();
    expect(() => contain(fail, fail)).not.toThrow();
    await afterTurn();
    expect(told).toHaveLength(4);
  });
});
