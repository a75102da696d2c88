import { describe, expect, it } from '@jest/globals';
import { balanceAfter } from './adjust-quota';

describe('balanceAfter', () => {
  it('adds, subtracts and sets', () => {
    expect(balanceAfter(100, 'add', 50)).toBe(150);
    expect(balanceAfter(100, 'subtract', 50)).toBe(50);
    expect(balanceAfter(100, 'override', 0)).toBe(0);
    expect(balanceAfter(100, 'add', Number.NaN)).toBeUndefined();
  });

  it.each([1.5, Infinity, 2 ** 53])('has no balance for %p, which is no whole quota', (value) => {
    for (const mode of ['add', 'subtract', 'override'] as const)
      expect(balanceAfter(100, mode, value)).toBeUndefined();
  });

  it('falls below zero where more is taken than there is', () => {
    expect(balanceAfter(100, 'subtract', 150)).toBe(-50);
  });
});
