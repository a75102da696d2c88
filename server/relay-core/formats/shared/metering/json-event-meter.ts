import { JsonCursor } from '../../../framing/json-cursor.js';
import { ReplyMeter } from '../../contract/reply-meter.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
/** A stream whose events differ elsewhere too (a random member in each) is not worth comparing. */
const MAX_MISSES = 8;
/** Frames around a piece of text are short; a long one is copied for nothing. */
const MAX_FRAME_BYTES = 2_048;

/** Not recognised: every event is walked. */
export const REPEATED_EVENTS = { areRecognised: true };

/**
 * Recognises events that differ from the one before only in one string: nearly all of a stream. What was found out about the
 * first by walking it then holds for the others, and comparing bytes is many times cheaper than walking them.
 */
export class RepeatedEvent {
  /** Place of the string of the recognised event, without its quotes. */
  from = 0;
  to = 0;

  private frame: Buffer | null = null;
  private headBytes = 0;
  private tailBytes = 0;
  private misses = 0;

  /** False = the stream's events do not repeat: `remember` does nothing any more. */
  get isWorthwhile(): boolean {
    return REPEATED_EVENTS.areRecognised && this.misses < MAX_MISSES;
  }

  /** An event that brought one string and nothing else; `from` and `to` are that string's, without its quotes. */
  remember(bytes: Buffer, start: number, end: number, from: number, to: number): void {
    this.misses += 1;
    this.headBytes = from - start;
    this.tailBytes = end - to;
    if (this.headBytes + this.tailBytes > MAX_FRAME_BYTES) {
      this.headBytes = 0;
      return;
    }
    this.frame ??= Buffer.allocUnsafe(MAX_FRAME_BYTES);
    bytes.copy(this.frame, 0, start, from);
    bytes.copy(this.frame, this.headBytes, to, end);
  }

  /** True when the event repeats the remembered one; a string that holds escapes is left to the walk. */
  recognises(bytes: Buffer, start: number, end: number): boolean {
    const { headBytes, tailBytes, frame } = this;
    const from = start + headBytes;
    const to = end - tailBytes;
    if (frame === null || headBytes === 0 || to <= from) return false;
    if (frame.compare(bytes, start, from, 0, headBytes) !== 0) return false;
    if (frame.compare(bytes, to, end, headBytes, headBytes + tailBytes) !== 0) return false;
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE || byte === BACKSLASH || byte < FIRST_PRINTABLE) return false;
    }
    this.from = from;
    this.to = to;
    this.misses = 0;
    return true;
  }
}

const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const LETTER_N = 0x6e;
const ZERO = 0x30;
const MAX_DIGITS = 15;

const FUNCTION = Buffer.from('function');
const NAME = Buffer.from('name');
const ARGUMENTS = Buffer.from('arguments');

/** Tokens of the frame around a tool call. */
export const TOKENS_PER_TOOL_CALL = 7;

/** Shared by all meters: a document is walked in one go, so no two meters ever stand on it. */
export const meterCursor = new JsonCursor();
const cursor = meterCursor;

/** The name of a member as `keyIs` takes it. */
export const key = (name: string): Buffer => Buffer.from(name);

/** Base of meters that step over a document's bytes: their common part. */
export abstract class JsonEventMeter extends ReplyMeter {
  protected readonly cursor = cursor;

  /** Steps over one whole document, which must be an object. @returns false when it cannot be read */
  protected walk(bytes: Buffer, start: number, end: number, visit: () => void): boolean {
    this.beginDocument();
    cursor.reset(bytes, start, end);
    if (!cursor.enterObject()) return false;
    while (cursor.nextMember()) visit();
    this.endDocument();
    return cursor.isAtEnd();
  }

  /** Members of the value the cursor stands on; anything but an object is passed by. `visit` must pass the value. */
  protected members(visit: () => void): void {
    cursor.peek();
    if (!cursor.enterObject()) {
      cursor.skipValue();
      return;
    }
    while (cursor.nextMember()) visit();
  }

  /** Elements of the value the cursor stands on; anything but an array is passed by. `visit` must pass the value. */
  protected elements(visit: () => void): void {
    cursor.peek();
    if (!cursor.enterArray()) {
      cursor.skipValue();
      return;
    }
    while (cursor.nextElement()) visit();
  }

  /** A text of the answer. @returns true when it was one and not empty */
  protected takeText(): boolean {
    const first = cursor.peek();
    const from = cursor.at + 1;
    if (!cursor.skipValue() || first !== QUOTE || cursor.at - 1 <= from) return false;
    this.produced.append(cursor.bytes, from, cursor.at - 1);
    this.sawContent = true;
    return true;
  }

  /** A tool's name; its frame costs tokens too. */
  protected takeToolName(): void {
    if (this.takeText()) this.produced.extraTokens += TOKENS_PER_TOOL_CALL;
  }

  /** A tool's input, as text or as the object itself. */
  protected takeToolInput(): void {
    if (cursor.peek() !== OPEN_OBJECT) {
      this.takeText();
      return;
    }
    const from = cursor.at;
    if (!cursor.skipValue()) return;
    this.produced.appendText(JSON.stringify(parseSpan(cursor.bytes, from, cursor.at)));
    this.sawContent = true;
  }

  /** Calls as OpenAI has them, one or a list: `{function: {name, arguments}}`. */
  protected takeFunctionCalls(): void {
    if (cursor.peek() === OPEN_ARRAY) {
      this.elements(() => this.takeFunctionCalls());
      return;
    }
    this.members(() => {
      if (cursor.keyIs(FUNCTION)) this.members(() => this.takeFunctionMember());
      else cursor.skipValue();
    });
  }

  private takeFunctionMember(): void {
    if (cursor.keyIs(NAME)) this.takeToolName();
    else if (cursor.keyIs(ARGUMENTS)) this.takeToolInput();
    else cursor.skipValue();
  }

  /** Passes a value that is only signature of an answer. @returns true when it is there and not null */
  protected takePresence(): boolean {
    const first = cursor.peek();
    return cursor.skipValue() && first !== LETTER_N;
  }

  /** A short text that is not part of the answer; undefined = something else stood there. */
  protected takeString(): string | undefined {
    const first = cursor.peek();
    const from = cursor.at;
    if (!cursor.skipValue() || first !== QUOTE) return undefined;
    const word = parseSpan(cursor.bytes, from, cursor.at);
    return typeof word === 'string' && word !== '' ? word : undefined;
  }

  /** A value as it is; for figures and failures. */
  protected takeValue(): unknown {
    cursor.peek();
    const from = cursor.at;
    return cursor.skipValue() ? parseSpan(cursor.bytes, from, cursor.at) : undefined;
  }
}

/** Part of a document as a value. The cursor checked its grammar; a broken number or escape gives a text no figure is. */
export function parseSpan(bytes: Buffer, start: number, end: number): unknown {
  const small = smallNumber(bytes, start, end);
  if (small >= 0) return small;
  try {
    return JSON.parse(bytes.toString('utf8', start, end));
  } catch {
    return 'unreadable';
  }
}

/** Most figures of a frame are a few digits: no text is made of them. @returns -1 for anything else */
function smallNumber(bytes: Buffer, start: number, end: number): number {
  const length = end - start;
  if (length > MAX_DIGITS || length === 0 || (bytes[start] === ZERO && length > 1)) return -1;
  let value = 0;
  for (let at = start; at < end; at += 1) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return -1;
    value = value * 10 + digit;
  }
  return value;
}

export function spanIs(bytes: Buffer, start: number, end: number, text: Buffer): boolean {
  if (end - start !== text.length) return false;
  for (let at = 0; at < text.length; at += 1) if (bytes[start + at] !== text[at]) return false;
  return true;
}
