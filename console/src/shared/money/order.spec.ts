import { describe, expect, it } from '@jest/globals';
import { moneyText } from './order';

describe('sums of money', () => {
  it.each([
    ['73.00', '', 'CNY 73.00'],
    ['15.00', 'usd', 'USD 15.00'],
    ['100000.00', '', 'CNY 100,000.00'],
    ['9007199254740993.01', 'eur', 'EUR 9,007,199,254,740,993.01'],
    ['1234567', 'jpy', 'JPY 1,234,567'],
  ])('%s in "%s" is %s', (text, currency, said) => {
    expect(moneyText(text, currency)).toBe(said);
  });
});
