import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import { LIMITS } from '../../shared/form/limits';
import { type FactorFigures, factorsOfMoney, moneyAtRatio, NO_FIGURES } from './factor-money';
import { FACTOR_KEYS } from './price-documents';
import {
  completionOfDollars,
  dollarsOfRatio,
  outputDollars,
  ratioOfDollars,
  type ModelPrice,
} from './prices';

/** Ways to type a price: in dollars, as ratios, or per call. */
export const ENTRY_MODES = ['token', 'ratio', 'call'] as const;
export type EntryMode = (typeof ENTRY_MODES)[number];

/**
 * @param taken  names that have a price already, refused for a new one; undefined = the name is not asked
 * @param isBatch  many models get the price: nothing may be left to their names
 */
export function priceSchema(t: TFunction, taken: ReadonlySet<string> | undefined, isBatch = false) {
  const amount = z.union([z.number(), z.nan()]);
  const name =
    taken === undefined
      ? z.string()
      : z.string().check(
          z.trim(),
          z.minLength(1, t('prices.nameRequired')),
          z.refine((model) => !taken.has(model), t('prices.exists')),
        );
  const shape = { model: name, mode: z.enum(ENTRY_MODES), input: amount, output: amount };
  return z
    .object({
      ...shape,
      ratio: amount,
      completion: amount,
      call: amount,
      /** Factors of the input price, typed in the modes `ratio` and `call`. */
      factors: z.record(z.enum(FACTOR_KEYS), amount),
      /** Dollars per million tokens of the same kinds; typed in the mode `token`. */
      money: z.record(z.enum(FACTOR_KEYS), amount),
    })
    .check(
      z.superRefine((values, context) => {
        const refuse = (path: (string | number)[], message: string) =>
          context.addIssue({ code: 'custom', path, message });
        const number = t(isBatch ? 'prices.batch.number' : 'prices.number');
        const isRatio = (value: number) => value >= 0 && value <= LIMITS.modelRatio;
        const needed = ({ token: 'input', ratio: 'ratio', call: 'call' } as const)[values.mode];
        if (isBatch && Number.isNaN(values[needed])) refuse([needed], t('prices.batch.empty'));
        else if (!isRatio(values[needed])) refuse([needed], number);
        const optional = ({ token: 'output', ratio: 'completion', call: undefined } as const)[values.mode];
        if (optional !== undefined) {
          const isEmpty = Number.isNaN(values[optional]);
          if (isEmpty && isBatch) refuse([optional], t('prices.batch.both'));
          else if (!isEmpty && !isRatio(values[optional])) refuse([optional], number);
        }
        if (values.mode === 'token' && values.input === 0 && values.output > 0)
          refuse(['input'], t('prices.inputZero'));
        const isMoney = values.mode === 'token';
        const factors = isMoney ? factorsOfMoney(values.money, values.input) : values.factors;
        for (const key of FACTOR_KEYS) {
          const typed = isMoney ? values.money[key] : values.factors[key];
          const place = [isMoney ? 'money' : 'factors', key];
          if (Number.isNaN(typed)) continue;
          if (isMoney && typed > 0 && values.input === 0) refuse(place, t('prices.moneyNeedsInput'));
          else if (!isRatio(factors[key])) refuse(place, number);
        }
      }),
    );
}

export type PriceValues = z.infer<ReturnType<typeof priceSchema>>;

/** Initial values of the form. A model without a price starts empty. */
export function valuesOfPrice(price: ModelPrice): PriceValues {
  const { ratio, completion } = price;
  const output =
    ratio === undefined || completion === undefined ? Number.NaN : outputDollars(ratio, completion);
  const factors: FactorFigures = { ...NO_FIGURES, ...price.factors };
  return {
    model: price.model,
    mode: price.mode,
    input: ratio === undefined ? Number.NaN : dollarsOfRatio(ratio),
    output,
    ratio: ratio ?? Number.NaN,
    completion: completion ?? Number.NaN,
    call: price.call ?? Number.NaN,
    factors,
    money: moneyAtRatio(factors, ratio ?? Number.NaN),
  };
}

/** The typed figures in the other style: dollars become ratios, ratios dollars. */
export function convertEntry(values: PriceValues, to: EntryMode): Partial<PriceValues> {
  if (to === 'ratio' && values.mode === 'token')
    return { ...toRatios(values), factors: factorsOfMoney(values.money, values.input) };
  if (to === 'token' && values.mode === 'ratio')
    return {
      input: dollarsOfRatio(values.ratio),
      output: outputDollars(values.ratio, values.completion),
      money: moneyAtRatio(values.factors, values.ratio),
    };
  return {};
}

function toRatios({ input, output }: PriceValues): { ratio: number; completion: number } {
  const completion = Number.isNaN(output) ? Number.NaN : completionOfDollars(input, output);
  return { ratio: ratioOfDollars(input), completion };
}

/** Factors of a valid form. Money that could not be shown, for want of an input price, leaves its factor as it was. */
function factorsOf({ mode, input, ratio, factors, money }: PriceValues): Partial<FactorFigures> {
  const isHidden = Number.isNaN(ratio);
  const typed = mode === 'token' ? factorsOfMoney(money, input) : factors;
  const entries = FACTOR_KEYS.map((key) => {
    const isKept = mode === 'token' && isHidden && Number.isNaN(money[key]);
    return [key, isKept ? factors[key] : typed[key]] as const;
  });
  return Object.fromEntries(entries.filter(([, factor]) => !Number.isNaN(factor)));
}

/** The price of a valid form. */
export function priceOfValues(values: PriceValues): ModelPrice {
  const factors = factorsOf(values);
  if (values.mode === 'call') return { model: values.model, mode: 'call', call: values.call, factors };
  const { ratio, completion } = values.mode === 'token' ? toRatios(values) : values;
  return {
    model: values.model,
    mode: 'token',
    ratio,
    completion: Number.isNaN(completion) ? undefined : completion,
    factors,
  };
}
