import type { Schemas } from '../../api/schemas';

/** Price of a model in dollars, as the instance or the built-in list has it. */
export type ModelPrice = Readonly<Schemas['ModelPrice']>;

/** Typed price of one model, in dollars per million tokens; empty = not typed. */
export interface TypedPrice {
  readonly input: string;
  readonly output: string;
}

export const NO_PRICE: TypedPrice = { input: '', output: '' };

/** Dollars per million input tokens at ratio 1. */
const DOLLARS_PER_RATIO = 2;
/** Largest price that the server takes, in dollars. */
const MAX_DOLLARS = 2_000_000;

/** Non-negative dollars; undefined = no such number. */
function dollarsOf(text: string): number | undefined {
  const typed = text.trim().replace(',', '.');
  if (!/^\d{1,7}(\.\d{1,9})?$/.test(typed)) return undefined;
  const dollars = Number(typed);
  return dollars <= MAX_DOLLARS ? dollars : undefined;
}

export type PriceFault = 'number' | 'inputZero';

/** The first fault of a typed price; undefined = it is complete, or nothing is typed. */
export function priceFault({ input, output }: TypedPrice): PriceFault | undefined {
  const isWrong = (text: string) => text.trim() !== '' && dollarsOf(text) === undefined;
  if (isWrong(input) || isWrong(output)) return 'number';
  return dollarsOf(input) === 0 && (dollarsOf(output) ?? 0) > 0 ? 'inputZero' : undefined;
}

/** True when a model can be served at this price. Models that do not chat need no price of their output. */
export function isComplete(price: ModelPrice, typed: TypedPrice): boolean {
  if (priceFault(typed) !== undefined || dollarsOf(typed.input) === undefined) return false;
  return !price.is_chat || dollarsOf(typed.output) !== undefined;
}

/** The built-in list price as typed text. */
export const listPrice = ({ list_input: input, list_output: output }: ModelPrice): TypedPrice | undefined =>
  input === null ? undefined : { input: String(input), output: output === null ? '' : String(output) };

/** Digits kept when dollars become a ratio; more would come from floating point. */
const tidy = (value: number): number => Number(value.toFixed(9));

/** Items to store for complete prices, one a model. */
export function priceItems(
  prices: readonly ModelPrice[],
  typed: ReadonlyMap<string, TypedPrice>,
): Schemas['PriceSyncApply']['items'] {
  return prices.flatMap((price) => {
    const own = typed.get(price.model);
    if (price.is_priced || own === undefined || !isComplete(price, own)) return [];
    const input = dollarsOf(own.input) ?? 0;
    const output = dollarsOf(own.output);
    return [
      {
        model: price.model,
        entries: [
          { key: 'ModelRatio' as const, listed: tidy(input / DOLLARS_PER_RATIO) },
          ...(output === undefined
            ? []
            : [{ key: 'CompletionRatio' as const, listed: input === 0 ? 1 : tidy(output / input) }]),
        ],
      },
    ];
  });
}

/** Dollars of a model that chats, for the order of the list; Infinity = unknown. */
function costOf(price: ModelPrice, typed: TypedPrice | undefined): number {
  if (price.is_priced) return (price.input ?? Infinity) + (price.output ?? Infinity);
  return (dollarsOf(typed?.input ?? '') ?? Infinity) + (dollarsOf(typed?.output ?? '') ?? Infinity);
}

/** The least expensive of some models that chat, for a first call; undefined = none of them chats. */
export function cheapestChat(
  prices: readonly ModelPrice[],
  served: ReadonlySet<string>,
  typed: ReadonlyMap<string, TypedPrice>,
): string | undefined {
  const [first, ...rest] = prices.filter((price) => price.is_chat && served.has(price.model));
  if (first === undefined) return undefined;
  const cost = (price: ModelPrice) => costOf(price, typed.get(price.model));
  return rest.reduce((best, each) => (cost(each) < cost(best) ? each : best), first).model;
}
