import type { ReactNode } from 'react';
import type { Column } from './columns';
import type { ListState } from './use-list-state';

export type RowId = number | string;

/** State of a query, as far as a table needs it. */
export interface TableQuery<T> {
  readonly data: { readonly items: readonly T[]; readonly total: number } | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly isError: boolean;
  refetch(): unknown;
}

export interface Selection {
  readonly selected: ReadonlySet<RowId>;
  onChange(selected: ReadonlySet<RowId>): void;
}

type Paging = Pick<ListState<string>, 'page' | 'pageSize' | 'setPage' | 'setPageSize'> &
  Partial<Pick<ListState<string>, 'active' | 'clearFilters'>>;

export interface DataTableProps<T> {
  /** Name for the saved choice of columns. */
  name: string;
  /** Name of the table, for screen readers. */
  label: string;
  columns: readonly Column<T>[];
  query: TableQuery<T>;
  rowId: (row: T) => RowId;
  /** Name of a row in the labels of its controls. */
  rowName: (row: T) => string;
  onOpen?: (row: T) => void;
  /** Rows that do not open are plain text; all open when left out. */
  canOpen?: (row: T) => boolean;
  actions?: (row: T) => ReactNode;
  /** On phones the actions stand beside the status instead of on a line of their own: for one small button. */
  actionsBeside?: boolean;
  selection?: Selection;
  /**
   * Rows of another kind: what they show instead of these columns, which should stand side by side; null for a row of the usual
   * kind.
   */
  across?: { readonly columns: readonly string[]; readonly render: (row: T) => ReactNode };
  /** Rows that are switched off are drawn paler. */
  isMuted?: (row: T) => boolean;
  /** Columns keep the widths they name and share the rest, so that no text however long makes the table wider than its place. */
  fixed?: boolean;
  /** Name of the `sort` of a column, empty = the order of the list; headings of such columns change it. */
  sort?: { readonly by: string; onChange(by: string): void };
  /** Height of its rows, without a scroll bar of its own: for a few rows among other things on a page. */
  grows?: boolean;
  /** State of the list; its filters may be why it is empty. */
  paging?: Paging;
  /** Shown when there really is nothing yet. */
  empty: ReactNode;
  failedTitle: string;
}
