import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { PAGE_SIZES, storedPageSize } from '../browser/stored';
import { useStored } from '../browser/use-stored';

export type Filters<K extends string> = Readonly<Record<K, string>>;

/** State of a list. The address holds it: a filtered page can be shared, reloaded and returned to. */
export interface ListState<K extends string, A extends K = K> {
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  readonly filters: Filters<K>;
  /** Filters that differ from their defaults, in declaration order. */
  readonly active: readonly A[];
  setPage(page: number): void;
  /** Remembered for every list; returns to page one. */
  setPageSize(size: number): void;
  /** Changes filters and returns to page one. */
  setFilters(patch: Partial<Filters<K>>): void;
  clearFilters(): void;
}

/**
 * @param defaults  filter → the text that means "not filtered"; must keep its identity between renders
 * @param only      those of them that leave rows out, where others choose a view; must keep its identity too
 */
export function useListState<K extends string, A extends K = K>(
  defaults: Filters<K>,
  only?: readonly A[],
): ListState<K, A> {
  const [search, setSearch] = useSearchParams();
  const pageSize = useStored(storedPageSize);

  const change = useCallback(
    (edit: (next: URLSearchParams) => void) => {
      setSearch(
        (previous) => {
          const next = new URLSearchParams(previous);
          edit(next);
          return next;
        },
        { replace: true },
      );
    },
    [setSearch],
  );

  const filters = useMemo(() => {
    const entries = Object.entries<string>(defaults).map(([key, fallback]) => [
      key,
      search.get(key) ?? fallback,
    ]);
    return Object.fromEntries(entries) as Filters<K>;
  }, [defaults, search]);

  return useMemo(() => {
    const keys = Object.keys(defaults) as K[];
    const hiding = only ?? (keys as A[]);
    const page = Number(search.get('page') ?? '1');
    const write = (next: URLSearchParams, key: K, value: string) => {
      if (value === defaults[key]) next.delete(key);
      else next.set(key, value);
    };
    return {
      page: Number.isInteger(page) && page >= 1 ? page : 1,
      pageSize,
      filters,
      active: hiding.filter((key) => filters[key] !== defaults[key]),
      setPage: (wanted) =>
        change((next) => (wanted <= 1 ? next.delete('page') : next.set('page', String(wanted)))),
      setPageSize: (size) => {
        if (PAGE_SIZES.some((known) => known === size)) storedPageSize.write(size);
        change((next) => next.delete('page'));
      },
      setFilters: (patch) =>
        change((next) => {
          next.delete('page');
          for (const key of keys) {
            const value = patch[key];
            if (value !== undefined) write(next, key, value);
          }
        }),
      clearFilters: () =>
        change((next) => {
          next.delete('page');
          hiding.forEach((key) => next.delete(key));
        }),
    } satisfies ListState<K, A>;
  }, [change, defaults, filters, only, pageSize, search]);
}

/** A filter as a search box and a select take it. */
export const boundFilter = <K extends string>(
  { filters, setFilters }: Pick<ListState<K>, 'filters' | 'setFilters'>,
  name: K,
) => ({
  value: filters[name],
  onChange: (text: string) => setFilters({ [name]: text } as Partial<Filters<K>>),
});

/** The active filters as a toolbar takes them. */
export const filterChips = <K extends string, A extends K>(
  list: ListState<K, A>,
  label: (name: A) => string,
) => ({
  chips: list.active.map((name) => ({
    id: name,
    label: label(name),
    onClear: () => boundFilter<K>(list, name).onChange(''),
  })),
  onClearAll: list.clearFilters,
});
