/** A set of HTTP statuses an operator wrote as codes and ranges. */
export type StatusRanges = readonly (readonly [first: number, last: number])[];

/**
 * Statuses another channel may do better at, unless the operator says otherwise: 400, 408, 413, 415 and 422 concern the request
 * itself; after 504 and 524 the vendor may still be working, and charging for it.
 */
export const RETRIED_STATUSES = '100-199,300-399,401-407,409-412,414,416-421,423-499,500-503,505-523,525-599';

const LOWEST = 100;
const HIGHEST = 599;

/**
 * Reads `401-407, 429,500-503`: commas of either width, spaces anywhere, 100 to 599.
 * @returns ranges in order, merged; empty text = no status; undefined = not such a list
 */
export function parseStatusRanges(text: string): StatusRanges | undefined {
  const ranges: [number, number][] = [];
  for (const entry of text.replaceAll('，', ',').split(',')) {
    const word = entry.trim();
    if (word === '') continue;
    const match = /^(\d{3})(?:\s*-\s*(\d{3}))?$/.exec(word);
    if (match === null) return undefined;
    const first = Number(match[1]);
    const last = Number(match[2] ?? match[1]);
    if (first < LOWEST || last > HIGHEST || last < first) return undefined;
    ranges.push([first, last]);
  }
  return merged(ranges);
}

export const isInRanges = (ranges: StatusRanges, status: number): boolean =>
  ranges.some(([first, last]) => status >= first && status <= last);

export const formatStatusRanges = (ranges: StatusRanges): string =>
  ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',');

function merged(ranges: readonly [number, number][]): StatusRanges {
  const result: [number, number][] = [];
  for (const [first, last] of ranges.toSorted((left, right) => left[0] - right[0])) {
    const before = result.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else result.push([first, last]);
  }
  return result;
}
