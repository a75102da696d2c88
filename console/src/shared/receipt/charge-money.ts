import { digitsFor, exactMoney, fixedMoney } from '../format/money';
import type { Explanation } from './explanation.api';

type Charge = Explanation['charge'];
type Step = Charge['steps'][number];

/** One line of a receipt, in money. */
export interface MoneyLine {
  readonly step: Step;
  /** Dollars of a million tokens, a call, or a thousand uses of a tool; everything that multiplies it is in it. */
  readonly price: string;
  /** Dollars of the line. */
  readonly amount: string;
}

export interface MoneyReceipt {
  readonly lines: readonly MoneyLine[];
  /** Before rounding to whole quota. */
  readonly sum: string;
  readonly charged: string;
}

const MILLION = 1_000_000;
const PRICE_DIGITS = { least: 2, most: 6 };
const AMOUNT_DIGITS = { least: 4, most: 8 };

/** Uses of what a price is quoted for. */
function unitOf({ part }: Step): number {
  if (part === 'tool') return 1_000;
  return part === 'call' ? 1 : MILLION;
}

/**
 * A charge in money. Prices are what was paid: factors of the group, the size and the class of service are multiplied in, so that
 * quantity times price is the amount of each line.
 * @param quotaPerUnit  quota of one dollar
 */
export function moneyReceipt(charge: Charge, quotaPerUnit: number): MoneyReceipt {
  const figures = charge.steps.map((step) => {
    const dollars = Number(step.subtotal) / quotaPerUnit;
    const price = step.count === 0 ? 0 : (dollars / step.count) * unitOf(step);
    return { step, dollars, price };
  });
  const sum = Number(charge.exact) / quotaPerUnit;
  const charged = charge.charged / quotaPerUnit;
  const priceDigits = digitsFor(
    figures.map(({ price }) => price),
    PRICE_DIGITS.least,
    PRICE_DIGITS.most,
  );
  const amountDigits = digitsFor(
    [...figures.map(({ dollars }) => dollars), sum],
    AMOUNT_DIGITS.least,
    AMOUNT_DIGITS.most,
  );
  return {
    lines: figures.map(({ step, dollars, price }) => ({
      step,
      price: fixedMoney(price, priceDigits),
      amount: fixedMoney(dollars, amountDigits),
    })),
    sum: fixedMoney(sum, amountDigits),
    charged: exactMoney(charged),
  };
}

/** `410 × $2.50/1M + 200 × $10.00/1M = $0.003025 → $0.003026`: the sum a person can redo by hand. */
export function moneyFormula({ lines, sum, charged }: MoneyReceipt): string {
  const units = { tool: '/1000', call: '' } as const;
  const terms = lines.map(({ step, price }) => {
    const unit = step.part === 'tool' || step.part === 'call' ? units[step.part] : '/1M';
    return `${step.count.toLocaleString('en-US')} × ${price}${unit}`;
  });
  return `${terms.length === 0 ? '$0.00' : terms.join(' + ')} = ${sum} → ${charged}`;
}

/** Dollars of a million tokens at a ratio, all factors multiplied in. */
export function pricePerMillion(ratio: number, quotaPerUnit: number): string {
  const dollars = Number(((ratio * MILLION) / quotaPerUnit).toPrecision(9));
  return fixedMoney(dollars, digitsFor([dollars], PRICE_DIGITS.least, PRICE_DIGITS.most));
}
