/** Rows of a page when the caller names none. */
export const DEFAULT_PAGE_SIZE = 10;
/** Largest page a list answers. */
export const MAX_PAGE_SIZE = 100;
/** Furthest row a paged list reaches; beyond it filters must narrow. */
export const MAX_OFFSET = 100_000;

/** One page of a one-based, wrapped list (console API paging style A). */
export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
  readonly page: number;
  readonly page_size: number;
}
