import { documentOf, isDocument } from '../../relay-core/formats/shared/fields/json-fields.js';
import { type ListedPrice, priceOf, withoutGaps } from './listed-price.js';
import { modesOf } from './read-service-tiers.js';

/** Members of `cost` that name a price for long calls: `context_over_200k` and its like. */
const LONG_CONTEXT = /^context_over_(\d{1,5})k$/;

/**
 * The list of models.dev: providers by id, each with `models` by id, prices in dollars per million tokens under `cost`.
 * @returns undefined when the document is no such list
 */
export function readModelsDev(document: unknown): ListedPrice[] | undefined {
  const providers = Object.entries(documentOf(document)).filter(
    ([, provider]) => isDocument(provider) && isDocument(provider['models']),
  );
  if (providers.length === 0) return undefined;
  return providers.flatMap(([provider, entry]) =>
    Object.entries(documentOf(documentOf(entry)['models'])).map(([model, facts]) =>
      readModel(provider, model, documentOf(facts)),
    ),
  );
}

function readModel(provider: string, model: string, facts: Readonly<Record<string, unknown>>): ListedPrice {
  const cost = documentOf(facts['cost']);
  const input = priceOf(cost, 'input');
  const output = priceOf(cost, 'output');
  if (input === undefined) return { model, provider, unsupported: 'the list has no price of input' };
  if (input === 0 && (output ?? 0) > 0)
    return { model, provider, unsupported: 'only its output has a price' };
  const tiers = [...longPrices(cost)].flatMap(([above, long]) => {
    const longInput = priceOf(long, 'input');
    if (longInput === undefined) return [];
    return [
      {
        above,
        input: longInput,
        output: priceOf(long, 'output') ?? output ?? 0,
        ...withoutGaps({ cacheRead: priceOf(long, 'cache_read'), cacheWrite: priceOf(long, 'cache_write') }),
      },
    ];
  });
  return {
    model,
    provider,
    input,
    ...withoutGaps({
      output,
      reasoning: priceOf(cost, 'reasoning'),
      cacheRead: priceOf(cost, 'cache_read'),
      cacheWrite: priceOf(cost, 'cache_write'),
      audioInput: priceOf(cost, 'input_audio'),
      audioOutput: priceOf(cost, 'output_audio'),
      maxOutput: priceOf(documentOf(facts['limit']), 'output'),
      serviceTiers: modesOf(facts),
    }),
    ...(tiers.length === 0 ? {} : { tiers }),
  };
}

/** Prices of long calls by the length above which they hold: `tiers` of the list, and the form it had before. */
function longPrices(cost: Readonly<Record<string, unknown>>): Map<number, Readonly<Record<string, unknown>>> {
  const prices = new Map<number, Readonly<Record<string, unknown>>>();
  for (const [member, entry] of Object.entries(cost)) {
    const above = LONG_CONTEXT.exec(member)?.[1];
    if (above !== undefined) prices.set(Number(above) * 1_000, documentOf(entry));
  }
  const tiers: readonly unknown[] = Array.isArray(cost['tiers']) ? cost['tiers'] : [];
  // The old form has one length only, whatever the tiers.
  if (tiers.length > 0) prices.clear();
  for (const entry of tiers) {
    const { tier, ...long } = documentOf(entry);
    const { type = 'context', size } = documentOf(tier);
    if (type === 'context' && typeof size === 'number' && Number.isSafeInteger(size) && size > 0)
      prices.set(size, long);
  }
  return new Map([...prices].toSorted(([left], [right]) => left - right));
}
