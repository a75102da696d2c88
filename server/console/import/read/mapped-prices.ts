import { isJsonObject, parseJson } from '../../../common/parse-json.js';
import type { SourceChannel } from '../source/records.js';

const PRICE_OPTIONS = ['ModelRatio', 'CompletionRatio'];
/** A key of one-api for the channels of one type: `model(33)`. */
const OF_ONE_TYPE = /^(.+)\((\d+)\)$/;

/**
 * Prices of one-api by the names that callers send. one-api prices the name after the mapping of the channel, and may have a price for
 * the channels of one type; here the requested name has the price.
 */
export function priceRequestedNames(
  options: ReadonlyMap<string, string>,
  channels: readonly SourceChannel[],
): Map<string, string> {
  const mapped = new Map(options);
  for (const key of PRICE_OPTIONS) {
    const ratios = parseJson(options.get(key) ?? '');
    if (!isJsonObject(ratios)) continue;
    const prices = new Map(Object.entries(ratios));
    for (const [name, ratio] of Object.entries(ratios)) {
      const bare = OF_ONE_TYPE.exec(name)?.[1];
      if (bare !== undefined && !prices.has(bare)) prices.set(bare, ratio);
    }
    for (const { fields } of channels) {
      const mapping = parseJson(String(fields['model_mapping'] ?? ''));
      for (const [requested, upstream] of Object.entries(isJsonObject(mapping) ? mapping : {})) {
        const price = typeof upstream === 'string' ? ratios[upstream] : undefined;
        if (price !== undefined) prices.set(requested, price);
      }
    }
    mapped.set(key, JSON.stringify(Object.fromEntries(prices)));
  }
  return mapped;
}
