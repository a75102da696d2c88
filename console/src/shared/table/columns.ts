import type { ReactNode } from 'react';

/** A column as data. */
export interface Column<T> {
  readonly id: string;
  readonly label: string;
  readonly render: (row: T) => ReactNode;
  readonly align?: 'left' | 'right' | 'center';
  readonly width?: number | string;
  /** Takes what the other columns leave, and is cut there; all columns then keep to one line. One per table. */
  readonly fills?: true;
  /** False = always shown, not in the column chooser. */
  readonly choosable?: boolean;
  /** Hidden until chosen. */
  readonly hiddenAtFirst?: boolean;
  /** The cell of the title brings its own link or button: it is not made one that opens the row. */
  readonly hasOwnLink?: true;
  /** Left out on windows narrower than 1,200 px, unless it was chosen. */
  readonly wideOnly?: true;
  /** Name the server sorts by, largest first; its heading is a button then. */
  readonly sort?: string;
  /** Place on the card that replaces a row on phones; left out = not on the card. */
  readonly card?: 'title' | 'aside' | 'line';
}

/** Columns that are shown, by the saved choice. */
export function chosenColumns<T>(
  columns: readonly Column<T>[],
  choice: Readonly<Record<string, boolean>>,
  isWide = true,
): Column<T>[] {
  return columns.filter(
    (column) =>
      isChosen(column, choice) && (isWide || column.wideOnly !== true || choice[column.id] === true),
  );
}

/** Start of the first unbroken run of these columns among the shown ones. */
export function runOf(
  shown: readonly { readonly id: string }[],
  ids: readonly string[],
): { readonly from: number; readonly length: number } {
  const isIn = ({ id }: { readonly id: string }) => ids.includes(id);
  const from = shown.findIndex(isIn);
  if (from === -1) return { from: 0, length: 0 };
  const rest = shown.slice(from);
  const end = rest.findIndex((column) => !isIn(column));
  return { from, length: end === -1 ? rest.length : end };
}

export function isChosen<T>(column: Column<T>, choice: Readonly<Record<string, boolean>>): boolean {
  return column.choosable === false || (choice[column.id] ?? column.hiddenAtFirst !== true);
}
