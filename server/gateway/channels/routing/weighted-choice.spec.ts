import { describe, expect, it } from '@jest/globals';
import { chooseWeighted } from './cached-channel-picker.js';

describe('chooseWeighted', () => {
  it('has nothing to give from nothing', () => {
    expect(chooseWeighted([], 0.5)).toBeUndefined();
  });

  it('gives every item its share of weight + 10, up to both edges', () => {
    // Effective weights 10, 40 and 50 of 100.
    const items = [
      { name: 'a', weight: 0 },
      { name: 'b', weight: 30 },
      { name: 'c', weight: 40 },
    ];
    const drawn = new Map<string, number>();
    for (let step = 0; step < 1_000; step += 1) {
      const name = chooseWeighted(items, step / 1_000)?.name ?? '';
      drawn.set(name, (drawn.get(name) ?? 0) + 1);
    }
    expect(Object.fromEntries(drawn)).toEqual({ a: 100, b: 400, c: 500 });
    expect(chooseWeighted(items, 0)?.name).toBe('a');
    expect(chooseWeighted(items, 0.999_999_999)?.name).toBe('c');
  });

  it('treats negative weights as none', () => {
    const items = [
      { name: 'a', weight: -100 },
      { name: 'b', weight: 0 },
    ];
    expect(chooseWeighted(items, 0.49)?.name).toBe('a');
    expect(chooseWeighted(items, 0.51)?.name).toBe('b');
  });
});
