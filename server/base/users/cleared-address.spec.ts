import { describe, expect, it } from '@jest/globals';
import { clearedAddress } from './cleared-address.js';

describe('clearedAddress', () => {
  it('gives one address the same mark, other addresses and other secrets another', () => {
    const mark = clearedAddress('secret', 'ada@example.com');
    expect(mark).toMatch(/^gone:[0-9a-f]{64}$/);
    expect(clearedAddress('secret', 'ada@example.com')).toBe(mark);
    expect(clearedAddress('secret', 'bob@example.com')).not.toBe(mark);
    expect(clearedAddress('other', 'ada@example.com')).not.toBe(mark);
  });

  it('leaves a mark as it is', () => {
    const mark = clearedAddress('secret', 'ada@example.com');
    expect(clearedAddress('secret', mark)).toBe(mark);
  });
});
