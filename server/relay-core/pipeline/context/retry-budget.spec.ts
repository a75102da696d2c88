import { describe, expect, it } from '@jest/globals';
import { RetryBudget } from './retries.js';

/** Retries left in the budget. */
function spendAll(budget: RetryBudget): number {
  let spent = 0;
  while (budget.spend()) spent += 1;
  return spent;
}

function count(budget: RetryBudget, calls: number, fromMs: number, toMs: number): void {
  for (let call = 0; call < calls; call += 1) budget.countCall(fromMs + ((toMs - fromMs) * call) / calls);
}

describe('the retry budget [RLY-11]', () => {
  it('gives an instance without calls ten retries, then a tenth of a retry for each call', () => {
    const budget = new RetryBudget();
    expect(spendAll(budget)).toBe(10);
    count(budget, 45, 0, 1_000);
    expect(spendAll(budget)).toBe(4);
  });

  it('gives a busy instance a tenth of the calls of ten seconds at most', () => {
    const budget = new RetryBudget();
    count(budget, 5_000, 0, 50_000);
    expect(spendAll(budget)).toBe(100);
  });

  it('returns to ten when few calls came for a while', () => {
    const budget = new RetryBudget();
    count(budget, 1_000, 0, 9_000);
    count(budget, 20, 10_000, 19_000);
    count(budget, 20, 20_000, 29_000);
    expect(spendAll(budget)).toBe(10);
  });

  it('gets back what led to an answer, up to what it may have', () => {
    const budget = new RetryBudget();
    expect(spendAll(budget)).toBe(10);
    budget.refund(3);
    expect(spendAll(budget)).toBe(3);
    budget.refund(50);
    expect(spendAll(budget)).toBe(10);
  });
});
