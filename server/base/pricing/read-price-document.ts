import { formatRatio, parseRatio } from '../../common/ratio.js';

/** Larger ratios and prices are typing mistakes: with a billion tokens they would leave the exact range. */
const MAX_RATIO = 1_000_000;

/** A price document the operator typed that cannot be used; `message` names the option and the entry. */
export class PriceDocumentError extends Error {}

/**
 * A document of names to numbers as exact decimals. Names come from outside, so it is a Map.
 * Fails: throws PriceDocumentError naming the first entry that is not a usable number.
 */
export function readNumbers(
  document: Readonly<Record<string, number>>,
  key: string,
): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const [name, value] of Object.entries(document)) table.set(name, readDecimal(value, key, name));
  return table;
}

/** @param key  the option · @param name  its entry. Fails: throws PriceDocumentError naming both. */
export function readDecimal(value: number, key: string, name: string): string {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0 || value > MAX_RATIO) {
    throw new PriceDocumentError(`${key}: "${name}" must be a number from 0 to ${MAX_RATIO}`);
  }
  try {
    return formatRatio(parseRatio(value));
  } catch (cause) {
    throw new PriceDocumentError(`${key}: "${name}" has too many decimal places`, { cause });
  }
}
