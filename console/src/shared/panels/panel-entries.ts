import type { Schemas } from '../../api/schemas';
import type { Status } from '../session/status';

export const ANNOUNCEMENT_KINDS = ['default', 'ongoing', 'success', 'warning', 'error'] as const;
/** Colours of the dots before API addresses; other names are shown as the first. */
export const API_COLORS = ['blue', 'green', 'orange', 'red', 'grey'] as const;

export type Announcement = Status['announcements'][number];
export type ApiAddress = Status['api_info'][number];
export type StatusPage = Schemas['UptimeGroup'];
export type Question = Status['faq'][number];

type Row = Readonly<Record<string, unknown>>;

const textOf = (row: Row, name: string): string => (typeof row[name] === 'string' ? row[name] : '');

/** Rows that are being typed, as the dashboard will show them. */
export const readAnnouncements = (rows: readonly Row[]): Announcement[] =>
  rows
    .map((row) => ({
      content: textOf(row, 'content'),
      publishDate: textOf(row, 'publishDate'),
      type: ANNOUNCEMENT_KINDS.find((kind) => kind === row['type']) ?? 'default',
      extra: textOf(row, 'extra'),
    }))
    .toSorted((left, right) => Date.parse(right.publishDate) - Date.parse(left.publishDate));

export const readAddresses = (rows: readonly Row[]): ApiAddress[] =>
  rows.map((row) => ({
    url: textOf(row, 'url'),
    route: textOf(row, 'route'),
    description: textOf(row, 'description'),
    color: textOf(row, 'color'),
  }));

export const readQuestions = (rows: readonly Row[]): Question[] =>
  rows.map((row) => ({ question: textOf(row, 'question'), answer: textOf(row, 'answer') }));

/** Their monitors are read by the server, once they are stored. */
export const readStatusPages = (rows: readonly Row[]): StatusPage[] =>
  rows.map((row) => ({
    categoryName: textOf(row, 'categoryName'),
    description: textOf(row, 'description'),
    reachable: true,
    monitors: [],
  }));
