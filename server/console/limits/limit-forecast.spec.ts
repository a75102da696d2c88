import { describe, expect, it } from '@jest/globals';
import { reachedAtMs } from './limit-forecast.js';

const DAY = 86_400_000;
const MAY = {
  startsAtMs: Date.parse('2026-05-01T00:00:00Z'),
  resetsAtMs: Date.parse('2026-06-01T00:00:00Z'),
};
const at = (days: number): number => MAY.startsAtMs + days * DAY;

describe('reachedAtMs', () => {
  it('extends the rate of the period so far', () => {
    expect(reachedAtMs({ used: 50, amount: 65, ...MAY }, at(10))).toBe(at(13));
    expect(reachedAtMs({ used: 50, amount: 155, ...MAY }, at(10))).toBeNull();
    expect(reachedAtMs({ used: 50, amount: 154, ...MAY }, at(10))).toBe(at(30.8));
  });

  it.each([
    ['nothing was used', { used: 0, amount: 10, ...MAY }, 10],
    ['the amount is reached', { used: 10, amount: 10, ...MAY }, 10],
    ['the amount is 0', { used: 0, amount: 0, ...MAY }, 10],
    ['the period has just begun', { used: 5, amount: 10, ...MAY }, 0.5],
    ['the period never ends', { used: 5, amount: 10, startsAtMs: 0, resetsAtMs: null }, 10],
    ['calls at once have no period', { used: 5, amount: 10, startsAtMs: null, resetsAtMs: null }, 10],
  ])('gives no date when %s', (_, use, days) => {
    expect(reachedAtMs(use, at(days))).toBeNull();
  });
});
