import { ANNOUNCEMENT_KINDS, API_COLORS } from '../../shared/panels/panel-entries';

/** Lists that are edited entry by entry. */
export type RowsId = 'announcements' | 'apiInfo' | 'faq' | 'statusPages';

export interface RowMember {
  readonly name: string;
  readonly label:
    | 'content'
    | 'publishDate'
    | 'type'
    | 'extra'
    | 'url'
    | 'route'
    | 'description'
    | 'color'
    | 'question'
    | 'answer'
    | 'categoryName'
    | 'kumaAddress'
    | 'slug';
  readonly kind: 'line' | 'block' | 'moment' | 'choice';
  readonly choices?: readonly string[];
}

export const ROW_MEMBERS: Readonly<Record<RowsId, readonly RowMember[]>> = {
  announcements: [
    { name: 'content', label: 'content', kind: 'block' },
    { name: 'publishDate', label: 'publishDate', kind: 'moment' },
    { name: 'type', label: 'type', kind: 'choice', choices: ANNOUNCEMENT_KINDS },
    { name: 'extra', label: 'extra', kind: 'line' },
  ],
  apiInfo: [
    { name: 'url', label: 'url', kind: 'line' },
    { name: 'route', label: 'route', kind: 'line' },
    { name: 'description', label: 'description', kind: 'line' },
    { name: 'color', label: 'color', kind: 'choice', choices: API_COLORS },
  ],
  faq: [
    { name: 'question', label: 'question', kind: 'line' },
    { name: 'answer', label: 'answer', kind: 'block' },
  ],
  statusPages: [
    { name: 'categoryName', label: 'categoryName', kind: 'line' },
    { name: 'description', label: 'description', kind: 'line' },
    { name: 'url', label: 'kumaAddress', kind: 'line' },
    { name: 'slug', label: 'slug', kind: 'line' },
  ],
};

export type Row = Readonly<Record<string, unknown>>;

/** A new entry. */
export function emptyRow(rows: RowsId, nowMs: number): Row {
  return Object.fromEntries(
    ROW_MEMBERS[rows].map(({ name, kind, choices }) => [
      name,
      kind === 'moment' ? new Date(nowMs).toISOString() : (choices?.[0] ?? ''),
    ]),
  );
}

/** Entries of a stored list; undefined when the text is no list of objects. */
export function readRows(text: string): Row[] | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() === '' ? '[]' : text);
    const isList = Array.isArray(value) && value.every((row) => typeof row === 'object' && row !== null);
    return isList ? (value as Row[]) : undefined;
  } catch {
    return undefined;
  }
}

/** `2026-11-25T08:00:00Z` as the field for a local moment wants it, and back. */
export function toLocalMoment(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
export const fromLocalMoment = (local: string): string => {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
};
