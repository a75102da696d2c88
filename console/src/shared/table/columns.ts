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
  /** Place on the card that replaces a row on phones; left out = not on the card. */
  readonly card?: 'title' | 'aside' | 'line';
}

/** Columns that are shown, by the saved choice. */
export function chosenColumns<T>(
  columns: readonly Column<T>[],
  choice: Readonly<Record<string, boolean>>,
): Column<T>[] {
  return columns.filter((column) => isChosen(column, choice));
}

export function isChosen<T>(column: Column<T>, choice: Readonly<Record<string, boolean>>): boolean {
  return column.choosable === false || (choice[column.id] ?? column.hiddenAtFirst !== true);
}
