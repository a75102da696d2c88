import { documentOf, isDocument } from './json-documents.js';
import { type ListedPrice, priceOf, withoutGaps } from './listed-price.js';

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
  const tiers = Object.entries(cost).flatMap(([member, prices]) => {
    const above = LONG_CONTEXT.exec(member)?.[1];
    const long = documentOf(prices);
    const longInput = priceOf(long, 'input');
    if (above === undefined || longInput === undefined) return [];
    return [
      {
        above: Number(above) * 1_000,
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
    }),
    ...(tiers.length === 0 ? {} : { tiers }),
  };
}
