import { describe, expect, it } from '@jest/globals';
import { bearerKey } from './bearer-key.js';

describe('bearerKey', () => {
  it.each([
    ['Bearer sk-1', 'sk-1'],
    ['bearer   sk-1', 'sk-1'],
    [' Bearer\tsk-1 ', 'sk-1'],
    ['Basic sk-1', undefined],
    ['Bearer', undefined],
    ['Bearer a b', undefined],
    ['sk-1', undefined],
    ['', undefined],
  ])('reads %j as %j', (header, key) => {
    expect(bearerKey(header)).toBe(key);
  });

  it('reads a key that is too long to be one of ours all the same', () => {
    const key = 'x'.repeat(500);
    expect(bearerKey(`Bearer ${key}`)).toBe(key);
  });
});
