import { describe, expect, it } from '@jest/globals';
import { anExplanation } from '../../testing/explanation';
import { moneyFormula, moneyReceipt, pricePerMillion } from './charge-money';

const { charge } = anExplanation();

describe('a charge in money', () => {
  it('has the price of a million tokens and an amount on each line, which sum to the charge', () => {
    const receipt = moneyReceipt(charge, 500_000);
    expect(receipt.lines.map(({ price, amount }) => [price, amount])).toEqual([
      ['$2.50', '$0.001025'],
      ['$10.00', '$0.002000'],
    ]);
    expect(moneyFormula(receipt)).toBe('410 × $2.50/1M + 200 × $10.00/1M = $0.003025 → $0.003026');
  });

  it('multiplies the factors of group and class of service into the price', () => {
    const dear = {
      ...charge,
      group_ratio: '2',
      steps: [{ part: 'textInput', count: 1_000, ratio: '1', subtotal: '4375' }],
      exact: '4375',
      charged: 4_375,
    };
    expect(moneyFormula(moneyReceipt(dear, 500_000))).toBe('1,000 × $8.75/1M = $0.00875 → $0.00875');
  });

  it('quotes calls each and tools by the thousand', () => {
    const mixed = {
      ...charge,
      mode: 'call' as const,
      steps: [
        { part: 'call', count: 3, ratio: '0.08', subtotal: '120000' },
        { part: 'tool', tool: 'web_search', count: 2, ratio: '10', subtotal: '10000' },
      ],
      exact: '130000',
      charged: 130_000,
    };
    expect(moneyFormula(moneyReceipt(mixed, 500_000))).toBe('3 × $0.08 + 2 × $10.00/1000 = $0.2600 → $0.26');
  });

  it('shows zero where nothing was used', () => {
    const nothing = { ...charge, steps: [], exact: '0', charged: 0 };
    expect(moneyFormula(moneyReceipt(nothing, 500_000))).toBe('$0.00 = $0.0000 → $0.00');
  });

  it('divides by the quota of a dollar', () => {
    expect(pricePerMillion(1.25, 500_000)).toBe('$2.50');
    expect(pricePerMillion(1.25, 1_000_000)).toBe('$1.25');
    expect(pricePerMillion(0.0375, 500_000)).toBe('$0.075');
  });
});
