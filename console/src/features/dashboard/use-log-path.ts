import type { UseLine } from './use-sums';

/** Lines of answered calls: what the sums of use count. */
const CONSUMPTION = '2';

/** Address of the usage log with exactly the calls of a line from `start` to before `end`; undefined = several names together. */
export function logPathOf(
  { filters }: Pick<UseLine, 'filters'>,
  { start, end }: { readonly start: number; readonly end: number },
): string | undefined {
  if (filters === undefined || Object.values(filters).includes('')) return undefined;
  const search = new URLSearchParams({
    type: CONSUMPTION,
    ...filters,
    start: String(start),
    end: String(end - 1),
  });
  return `/log?${search.toString()}`;
}
