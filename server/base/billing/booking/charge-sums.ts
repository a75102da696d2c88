import { insertRows, sqlIn, type SqlTarget } from '../ledger/money-sql.js';

/** Sums of some calls. */
export interface ChargeSum {
  readonly tokens: number;
  readonly count: number;
  readonly quota: number;
}

const SUMMED = ['token_used', 'count', 'quota'] as const;

/** Sums of equal keys as one, in one order for all writers: two never wait for each other in a circle. */
export function sumInOrder<Sum extends ChargeSum>(
  parts: Iterable<Sum>,
  keyOf: (part: Sum) => string,
): readonly Sum[] {
  const sums = new Map<string, { readonly first: Sum; tokens: number; count: number; quota: number }>();
  for (const part of parts) {
    const key = keyOf(part);
    const { tokens, count, quota } = part;
    const sum = sums.get(key);
    if (sum === undefined) {
      sums.set(key, { first: part, tokens, count, quota });
      continue;
    }
    sum.tokens += tokens;
    sum.count += count;
    sum.quota += quota;
  }
  return [...sums.entries()]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, { first, ...sum }]) => ({ ...first, ...sum }));
}

/**
 * Adds sums to rows of a table, which has the columns `token_used`, `count` and `quota`. Fails: with the database's error.
 * @param keys    columns of its primary key
 * @param keysOf  their values, in the same order
 */
export async function addToSums<Sum extends ChargeSum>(
  target: SqlTarget,
  table: string,
  keys: readonly string[],
  sums: readonly Sum[],
  keysOf: (sum: Sum) => readonly unknown[],
): Promise<void> {
  if (sums.length === 0) return;
  const again = sqlIn(target).orAdd({ table, key: keys }, SUMMED);
  const rows = sums.map((sum) => [...keysOf(sum), sum.tokens, sum.count, sum.quota]);
  await insertRows(target, table, [...keys, ...SUMMED], rows, again);
}
