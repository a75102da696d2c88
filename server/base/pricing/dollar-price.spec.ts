import { describe, expect, it } from '@jest/globals';
import { OPTION_FALLBACKS } from '../options/option-catalogue.js';
import { dollarPriceOf } from './dollar-price.js';
import { PriceTable } from './price-table.js';

const table = new PriceTable(
  {
    ...OPTION_FALLBACKS,
    SelfUseModeEnabled: true,
    GroupRatio: { default: 3 },
    ModelRatio: { 'fx-tokens': 0.15 },
    CompletionRatio: { 'fx-tokens': 0.7 },
    ModelPrice: { 'fx-calls': 0.04 },
  },
  1,
);

describe('dollarPriceOf', () => {
  it.each([
    ['fx-tokens', { input: 0.3, output: 0.21, perCall: null }],
    ['fx-calls', { input: null, output: null, perCall: 0.04 }],
    ['fx-unset', { input: null, output: null, perCall: null }],
  ])('reads the price of %s before the factor of a group, and guesses none', (model, price) => {
    expect(dollarPriceOf(table, model)).toEqual(price);
  });
});
