import { storedValue } from '../browser/stored';
import { isRecord } from '../format/json';

export interface SeenNotice {
  readonly text: string;
  /** First shown in this browser, seconds since 1970. */
  readonly at: number;
}

const MOST_NOTICES = 10;

const isSeenNotice = (value: unknown): value is SeenNotice =>
  isRecord(value) && typeof value['text'] === 'string' && typeof value['at'] === 'number';

/** Notices this browser has shown, the newest first. */
export const storedNotices = storedValue<readonly SeenNotice[]>({
  key: 'notices',
  parse: (value) => (Array.isArray(value) && value.every(isSeenNotice) ? value : undefined),
  fallback: [],
  form: 'json',
});

export function rememberNotice(text: string, nowMs = Date.now()): void {
  const known = storedNotices.read();
  if (known[0]?.text === text) return;
  const seen: SeenNotice = { text, at: Math.floor(nowMs / 1_000) };
  storedNotices.write([seen, ...known.filter((each) => each.text !== text)].slice(0, MOST_NOTICES));
}

/** First line of a notice in Markdown or HTML, without its marks. */
export function noticeLine(text: string): string {
  const lines = text.replaceAll(/<[^>]*>/g, ' ').split('\n');
  const first = lines.map((line) => line.trim()).find((line) => /[\p{L}\p{N}]/u.test(line)) ?? '';
  return first
    .replace(/^(?:#{1,6}|[-*+>]|\d+\.)\s+/, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*_`~]{1,3}(?=\S)|(?<=\S)[*_`~]{1,3}/g, '')
    .trim();
}
