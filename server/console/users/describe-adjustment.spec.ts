import { describe, expect, it } from '@jest/globals';
import { movement, movementFacts } from './describe-adjustment.js';

describe('movement and movementFacts', () => {
  it('shows the sign, the old and the new balance, and the reason', () => {
    const adjustment = { amount: 500, balance: 700, reason: 'paid in cash' };
    expect(movement(adjustment)).toBe('+500 from 200 to 700 (paid in cash)');
    expect(movementFacts(adjustment)).toEqual({ quota: 500, quota_after: 700, reason: 'paid in cash' });
    expect(movement({ amount: -500, balance: 200, reason: '' })).toBe('-500 from 700 to 200');
  });

  it('leaves the balance out when nothing was moved', () => {
    expect(movement({ amount: 0, reason: '' })).toBe('0');
    expect(movementFacts({ amount: 0, reason: '' })).toEqual({ quota: 0 });
  });
});
