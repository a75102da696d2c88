import { describe, expect, it } from '@jest/globals';
import { OPTION_FALLBACKS } from '../../base/options/option-catalogue.js';
import { PriceTable } from '../../base/pricing/price-table.js';
import { lookUpPrice } from './price-lookup.js';

const table = new PriceTable(
  {
    ...OPTION_FALLBACKS,
    ModelRatio: { chatty: 1.25 },
    CompletionRatio: { chatty: 4 },
    ModelPrice: { 'dall-e-3': 0.04 },
  },
  1,
);
const LIST = { 'house-model': { input: 3, output: 15 }, chatty: { input: 9 } };

describe('lookUpPrice', () => {
  it('gives a price by tokens in dollars per million tokens, and no list price beside it', () => {
    expect(lookUpPrice(table, 'chatty', LIST)).toEqual({
      model: 'chatty',
      is_priced: true,
      input: 2.5,
      output: 10,
      per_call: null,
      list_input: null,
      list_output: null,
      is_chat: true,
    });
  });

  it('returns a price per call, and marks an image model as none that chats', () => {
    expect(lookUpPrice(table, 'dall-e-3', LIST)).toMatchObject({
      is_priced: true,
      input: null,
      output: null,
      per_call: 0.04,
      is_chat: false,
    });
  });

  it('gives the list price of a model without a price', () => {
    expect(lookUpPrice(table, 'house-model', LIST)).toMatchObject({
      is_priced: false,
      input: null,
      output: null,
      list_input: 3,
      list_output: 15,
    });
  });

  it('finds no list price under names that every object inherits', () => {
    expect(lookUpPrice(table, 'constructor', LIST)).toMatchObject({
      is_priced: false,
      list_input: null,
      list_output: null,
    });
  });
});
