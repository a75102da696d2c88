import { describe, expect, it } from '@jest/globals';
import { whenKnown } from './now-or-later.js';

describe('whenKnown', () => {
  it('continues at once with a value that is known', () => {
    const seen: number[] = [];
    const result = whenKnown(2, (value) => {
      seen.push(value);
      return value * 3;
    });
    expect(seen).toEqual([2]);
    expect(result).toBe(6);
  });

  it('continues with a promised value when it is known', async () => {
    const seen: number[] = [];
    const result = whenKnown(Promise.resolve(2), (value) => {
      seen.push(value);
      return value * 3;
    });
    expect(seen).toEqual([]);
    await expect(result).resolves.toBe(6);
  });

  it('passes a rejection on without the next step', async () => {
    const seen: unknown[] = [];
    const failed = Promise.reject(new Error('lost'));
    await expect(whenKnown(failed, (value) => seen.push(value))).rejects.toThrow('lost');
    expect(seen).toEqual([]);
  });
});
