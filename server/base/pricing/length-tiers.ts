import type { LengthTier } from '../../relay-core/model/price-snapshot.js';
import { PriceDocumentError, readDecimal } from './read-price-document.js';

/** One tier as the operator writes it: factors of the model's own prices for calls longer than `above` input tokens. */
export interface LengthTierEntry {
  readonly above: number;
  readonly input: number;
  readonly output: number;
  readonly cache_read?: number | undefined;
  readonly cache_write?: number | undefined;
}

export type LengthTierDocument = Readonly<Record<string, readonly LengthTierEntry[]>>;

const KEY = 'LongContextRatio';

/** Tiers by model, ascending. Fails: throws PriceDocumentError naming the entry that cannot be used. */
export function readTiers(document: LengthTierDocument): ReadonlyMap<string, readonly LengthTier[]> {
  const tiers = new Map<string, readonly LengthTier[]>();
  for (const [model, entries] of Object.entries(document)) {
    const read = entries.map((entry, index) => readTier(entry, `${model}.${index}`));
    read.sort((left, right) => left.above - right.above);
    const twice = read.find((tier, index) => tier.above === read[index + 1]?.above);
    if (twice !== undefined)
      throw new PriceDocumentError(
        `${KEY}: "${model}" has two entries for calls above ${twice.above} tokens`,
      );
    if (read.length > 0) tiers.set(model, Object.freeze(read));
  }
  return tiers;
}

function readTier(entry: LengthTierEntry, name: string): LengthTier {
  if (!Number.isSafeInteger(entry.above) || entry.above < 1)
    throw new PriceDocumentError(`${KEY}: "${name}.above" must be a whole number of tokens of at least 1`);
  const { cache_read: read, cache_write: write } = entry;
  return Object.freeze({
    above: entry.above,
    input: readDecimal(entry.input, KEY, `${name}.input`),
    output: readDecimal(entry.output, KEY, `${name}.output`),
    ...(read === undefined ? {} : { cacheRead: readDecimal(read, KEY, `${name}.cache_read`) }),
    ...(write === undefined ? {} : { cacheWrite: readDecimal(write, KEY, `${name}.cache_write`) }),
  });
}
