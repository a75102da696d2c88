export const ROW_GROUPS: readonly {
  readonly code: string;
  readonly title: string;
  readonly count: number;
  readonly digits: number;
}[];

export function rowsIn(text: string): string[];

export function isRow(row: string): boolean;
