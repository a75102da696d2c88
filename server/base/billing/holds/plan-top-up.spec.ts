import { describe, expect, it } from '@jest/globals';
import { type Demand, planTopUp } from './plan-top-up.js';

const demand = (amount: number, more: Partial<Demand> = {}): Demand => ({
  tokenId: null,
  amount,
  minimum: amount,
  ...more,
});
const plan = (input: Partial<Parameters<typeof planTopUp>[0]>) =>
  planTopUp({ demands: [], available: 0, rest: 0, tokens: new Map(), chunk: 0, ...input });
const granted = (amount: number) => ({ kind: 'granted', amount });
const refused = (scope: string) => ({ kind: 'refused', scope });

describe('planTopUp', () => {
  it('moves exactly the shortfall of a small balance', () => {
    const { verdicts, userMove } = plan({ demands: [demand(100)], available: 500, rest: 30, chunk: 1_000 });
    expect(verdicts).toEqual([granted(100)]);
    expect(userMove).toBe(70);
  });

  it('adds spare of a large balance, an eighth of the rest at most', () => {
    expect(plan({ demands: [demand(100)], available: 100_000, chunk: 1_000 }).userMove).toBe(1_100);
    expect(plan({ demands: [demand(100)], available: 8_100, chunk: 50_000 }).userMove).toBe(1_100);
  });

  it('lets a smaller call pass one that does not fit', () => {
    const { verdicts, userMove } = plan({ demands: [demand(90), demand(50), demand(10)], available: 100 });
    expect(verdicts).toEqual([granted(90), refused('user'), granted(10)]);
    expect(userMove).toBe(100);
  });

  it('gives the remainder to a call that takes less', () => {
    expect(plan({ demands: [demand(90, { minimum: 20 })], available: 40 }).verdicts).toEqual([granted(40)]);
    expect(plan({ demands: [demand(90, { minimum: 41 })], available: 40 }).verdicts).toEqual([
      refused('user'),
    ]);
  });

  it('blames the key where the account has enough', () => {
    const tokens = new Map([[7, { available: 5, rest: 0 }]]);
    const { verdicts, userMove } = plan({ demands: [demand(10, { tokenId: 7 })], available: 1_000, tokens });
    expect(verdicts).toEqual([refused('token')]);
    expect(userMove).toBe(0);
  });

  it('moves from account and key alike', () => {
    const tokens = new Map([[7, { available: 60, rest: 10 }]]);
    const { tokenMoves, userMove } = plan({
      demands: [demand(20, { tokenId: 7 }), demand(30, { tokenId: 7 })],
      available: 100,
      tokens,
    });
    expect(tokenMoves).toEqual(new Map([[7, 40]]));
    expect(userMove).toBe(50);
  });

  it('returns 0 for an overdrawn pool when no call gets a grant', () => {
    const { verdicts, userMove } = plan({ demands: [demand(50)], available: 20, rest: -10 });
    expect(verdicts).toEqual([refused('user')]);
    expect(userMove).toBe(0);
  });
});
