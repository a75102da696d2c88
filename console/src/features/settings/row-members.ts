import { isRecord, parseJson } from '../../shared/format/json';
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
  readonly isRequired?: boolean;
  /** Longest text, in characters. */
  readonly max?: number;
  /** Form of the text, once there is one. */
  readonly form?: RegExp;
  readonly choices?: readonly string[];
}

/** An address of the web without a name and a password in it. */
const ADDRESS = /^https?:\/\/[^\s/@]+(?:[/?#]\S*)?$/i;

/** Longest list of each kind, as the server takes it. */
export const MAX_ROWS: Readonly<Record<RowsId, number>> = {
  announcements: 100,
  apiInfo: 100,
  faq: 100,
  statusPages: 20,
};

export const ROW_MEMBERS: Readonly<Record<RowsId, readonly RowMember[]>> = {
  announcements: [
    { name: 'content', label: 'content', kind: 'block', isRequired: true, max: 2_000 },
    { name: 'publishDate', label: 'publishDate', kind: 'moment', isRequired: true },
    { name: 'type', label: 'type', kind: 'choice', choices: ANNOUNCEMENT_KINDS },
    { name: 'extra', label: 'extra', kind: 'line', max: 200 },
  ],
  apiInfo: [
    { name: 'url', label: 'url', kind: 'line', isRequired: true, max: 2_048, form: ADDRESS },
    { name: 'route', label: 'route', kind: 'line', isRequired: true, max: 100 },
    { name: 'description', label: 'description', kind: 'line', max: 200 },
    { name: 'color', label: 'color', kind: 'choice', choices: API_COLORS },
  ],
  faq: [
    { name: 'question', label: 'question', kind: 'line', isRequired: true, max: 200 },
    { name: 'answer', label: 'answer', kind: 'block', isRequired: true, max: 4_000 },
  ],
  statusPages: [
    { name: 'categoryName', label: 'categoryName', kind: 'line', isRequired: true, max: 50 },
    { name: 'description', label: 'description', kind: 'line', max: 200 },
    { name: 'url', label: 'kumaAddress', kind: 'line', isRequired: true, max: 2_048, form: ADDRESS },
    { name: 'slug', label: 'slug', kind: 'line', isRequired: true, max: 100, form: /^[A-Za-z0-9_-]+$/ },
  ],
};

export type Row = Readonly<Record<string, unknown>>;

/** Returns true when the server would refuse a member of an entry. */
export function isFaulty({ name, kind, isRequired = false, max, form }: RowMember, row: Row): boolean {
  const text = String(row[name] ?? '').trim();
  if (text === '') return isRequired;
  if (kind === 'moment' && Number.isNaN(Date.parse(text))) return true;
  return (max !== undefined && text.length > max) || form?.test(text) === false;
}

export interface RowFault {
  /** Number of the entry, from 1. */
  readonly number: number;
  readonly member: RowMember;
}

/** The first member that the server would refuse. */
export function faultIn(rows: RowsId, entries: readonly Row[]): RowFault | undefined {
  for (const [index, entry] of entries.entries()) {
    const member = ROW_MEMBERS[rows].find((each) => isFaulty(each, entry));
    if (member !== undefined) return { number: index + 1, member };
  }
  return undefined;
}

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
  const value = text.trim() === '' ? [] : parseJson(text);
  return Array.isArray(value) && value.every(isRecord) ? value : undefined;
}

/** Stands for a text that is no moment: the form refuses it. */
const NO_MOMENT = '?';

/** `2026-11-25T08:00:00Z` in seconds and back; undefined = empty, NaN = no moment. */
export const toFieldMoment = (iso: string): number | undefined =>
  iso === '' ? undefined : Date.parse(iso) / 1000;
export function fromFieldMoment(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  return Number.isNaN(seconds) ? NO_MOMENT : new Date(seconds * 1000).toISOString();
}
