import { describe, expect, it } from '@jest/globals';
import { mayRedeem, redeemableQuota } from './code-acts.js';

const NOW = 1_700_000_000;

describe('redeemableQuota', () => {
  it.each([
    [{ status: 1, expiredTime: 0 }, 50],
    [{ status: 1, expiredTime: NOW + 1 }, 50],
    [{ status: 1, expiredTime: NOW }, 0],
    [{ status: 2, expiredTime: 0 }, 0],
    [{ status: 3, expiredTime: 0 }, 0],
  ])('gives of a code with %j %i', (state, quota) => {
    expect(redeemableQuota({ quota: 50, ...state }, NOW)).toBe(quota);
  });
});

describe('mayRedeem', () => {
  it.each([
    ['another account', { id: 3, role: 1 }, false, true],
    ['its maker', { id: 2, role: 10 }, false, false],
    ['its maker without the role', { id: 2, role: 1 }, false, false],
    ['an editor', { id: 3, role: 10 }, true, false],
    ['root', { id: 2, role: 100 }, true, true],
  ])('decides about %s', (_who, actor, isEditor, allowed) => {
    expect(mayRedeem(actor, { makerId: 2, isEditor })).toBe(allowed);
  });
});
