import { expect, it } from '@jest/globals';
import { DrawBudget } from './draw-budget';

it('adds less and rests longer the slower drawing is', () => {
  const budget = new DrawBudget();
  const first = budget.characters;
  budget.count(80, first);
  expect(budget.characters).toBe(first / 2);
  expect(budget.restMs).toBe(40);
  for (let drawing = 0; drawing < 50; drawing += 1) budget.count(500, budget.characters);
  expect(budget.characters).toBeGreaterThan(0);
});

it('adds more only after full pieces that were fast', () => {
  const budget = new DrawBudget();
  const first = budget.characters;
  budget.count(2, 3);
  budget.count(20, first);
  expect([budget.characters, budget.restMs]).toEqual([first, 0]);
  budget.count(2, first);
  expect(budget.characters).toBeGreaterThan(first);
  for (let drawing = 0; drawing < 100; drawing += 1) budget.count(2, budget.characters);
  expect(budget.characters).toBeLessThanOrEqual(20_000);
});
