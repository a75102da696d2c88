import { REPEATED_EVENTS } from '../shared/metering/json-event-meter.js';

const DIGIT_0 = 0x30;
const USAGE = '"usageMetadata"';
/** A stream whose frames differ elsewhere too is not worth comparing. */
const MAX_MISSES = 8;

/**
 * Recognises frames that differ from the one before only in their words and in the figures of their report: nearly all of
 * a stream. Comparing them costs a fraction of making objects of them. The meter has checked their grammar before.
 */
export class RepeatedText {
  private head = '';
  private tail = '';
  /** Length of the part of the tail in which every digit counts. */
  private exactLength = 0;
  private misses = 0;

  /** A frame that brought these words and nothing else but figures. */
  remember(data: string, words: string): void {
    this.head = '';
    if (!REPEATED_EVENTS.areRecognised || this.misses >= MAX_MISSES || words === '') return;
    this.misses += 1;
    const quoted = `"${words}"`;
    const at = data.indexOf(quoted);
    // Words with escapes are not found; words that stand elsewhere too may be something else there.
    if (at === -1 || at !== data.lastIndexOf(quoted)) return;
    this.head = data.slice(0, at + 1);
    this.tail = data.slice(at + 1 + words.length);
    const report = this.tail.indexOf(USAGE);
    this.exactLength = report === -1 ? this.tail.length : report;
  }

  /** The words of a frame that is otherwise like the remembered one; undefined = it is not, or has to be read to know. */
  wordsOf(data: string): string | undefined {
    const { head, tail, exactLength } = this;
    if (head === '' || !data.startsWith(head)) return undefined;
    const end = data.indexOf('"', head.length);
    if (end === -1 || !data.startsWith(tail.slice(0, exactLength), end)) return undefined;
    const words = data.slice(head.length, end);
    if (words === '' || words.includes('\\')) return undefined;
    if (!differsInFigures(tail, exactLength, data, end + exactLength)) return undefined;
    this.misses = 0;
    return words;
  }
}

const isDigit = (code: number): boolean => code >= DIGIT_0 && code <= DIGIT_0 + 9;

/** Returns true when two texts differ in their numbers alone; a zero must stay zero, because it means "nothing yet". */
function differsInFigures(left: string, leftFrom: number, right: string, rightFrom: number): boolean {
  let at = leftFrom;
  let to = rightFrom;
  while (at < left.length && to < right.length) {
    const code = left.charCodeAt(at);
    const other = right.charCodeAt(to);
    if (!isDigit(code)) {
      if (code !== other) return false;
      at += 1;
      to += 1;
      continue;
    }
    if (!isDigit(other) || (code === DIGIT_0) !== (other === DIGIT_0)) return false;
    while (at < left.length && isDigit(left.charCodeAt(at))) at += 1;
    while (to < right.length && isDigit(right.charCodeAt(to))) to += 1;
  }
  return at === left.length && to === right.length;
}
