import { describe, expect, it } from '@jest/globals';
import { planTrip } from './part-window.js';

describe('planTrip', () => {
  it('leases a share of what is free beyond the need', () => {
    const plan = planTrip({ amount: 12_810, used: 0, room: 0, needs: [10] });
    expect(plan).toEqual({ change: 110, admitted: new Set([0]), keeps: 100 });
  });

  it('leases single attempts near the amount', () => {
    expect(planTrip({ amount: 1_000, used: 950, room: 0, needs: [10, 10] })).toEqual({
      change: 20,
      admitted: new Set([0, 1]),
      keeps: 0,
    });
  });

  it('admits a small attempt behind one that does not fit', () => {
    expect(planTrip({ amount: 100, used: 80, room: 0, needs: [50, 20] }).admitted).toEqual(new Set([1]));
  });

  it('gives back room that may not be kept', () => {
    expect(planTrip({ amount: 1_000, used: 1_000, room: 70, needs: [] })).toEqual({
      change: -70,
      admitted: new Set(),
      keeps: 0,
    });
  });

  it('gives everything back when idle', () => {
    expect(planTrip({ amount: 100_000, used: 300, room: 300, needs: [], isIdle: true }).change).toBe(-300);
  });

  it('covers use above what was admitted before it leases more', () => {
    expect(planTrip({ amount: 100, used: 90, room: -50, needs: [1] })).toEqual({
      change: 10,
      admitted: new Set(),
      keeps: 0,
    });
  });

  it('admits nothing under an amount that was lowered below the use', () => {
    expect(planTrip({ amount: 100, used: 900, room: 0, needs: [1] }).admitted.size).toBe(0);
  });
});
