import { escapeLength, SPECIAL_BYTES, WordReader } from './json-bytes.js';
import { isFetchedKey, mayBeFetched, mayNameStore } from './fetched-members.js';
import {
  asAssistant,
  flagsOfContent,
  flagsOfText,
  flagsOfTurn,
  isAssistantAt,
  withFlagsOfMarks,
  withFlagsOfRole,
  withTurnMark,
} from './scan-findings.js';
import { ALL_MARKS, ALL_TURN_MARKS, flagsOfKey, SCAN_FLAGS, TURN_MARKS } from './scan-flags.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Deepest nesting a document may have. */
export const MAX_JSON_DEPTH = 64;
/** Most values a document may hold. */
export const MAX_JSON_NODES = 100_000;
/** Most members one object may have. */
export const MAX_OBJECT_KEYS = 10_000;

/** Plain bytes after which looking for the next quote natively is cheaper than stepping. */
const PLAIN_RUN = 24;

/** Characters from which on a number may be beyond 2^53. */
const LONG_NUMBER = 16;
const NUMBER_BYTES = new Uint8Array(256);
for (const character of '+-.0123456789eE') NUMBER_BYTES[character.charCodeAt(0)] = 1;

/** Reason a cursor stopped: bad grammar, or one of the limits of a document. */
export type JsonFault = 'malformed' | 'too-deep' | 'too-many-values' | 'too-many-keys';

/**
 * Walks JSON in its bytes, making no object for what is only passed by. Reads grammar strictly (brackets, commas, colons,
 * literals); numbers are not judged, and strings only when asked. One cursor may be reused for many documents. After a fault every
 * method answers "nothing more" and `fault` holds the reason.
 */
export class JsonCursor {
  bytes: Buffer = EMPTY;
  /** Next byte to read. */
  at = 0;
  end = 0;
  /** Inside of the key last read by `nextMember`, quotes excluded. */
  keyStart = 0;
  keyEnd = 0;
  /** True when the key holds an escape: its text differs from its bytes. */
  keyEscaped = false;
  /** A judged string held the escape of a surrogate, whole or half of a pair. */
  hasSurrogates = false;
  /** Findings in a validated document (scan-flags.ts). */
  scanFlags = 0;
  fault: JsonFault | null = null;
  /** Values seen since `reset`, nested ones included. */
  nodes = 0;

  private readonly kinds = new Uint8Array(MAX_JSON_DEPTH + 1);
  private readonly keys = new Int32Array(MAX_JSON_DEPTH + 1);
  private readonly turns = new Uint8Array(MAX_JSON_DEPTH + 1);
  private depth = 0;
  private readonly words = new WordReader();

  /**
   * @param maxNodes       most values a document may hold; requests are bounded, replies are bounded by their bytes
   * @param judgesStrings  control characters and unknown escapes inside strings are faults too: for what comes from
   *                       callers and is forwarded as it stands
   */
  constructor(
    private readonly maxNodes: number = Number.MAX_SAFE_INTEGER,
    private readonly judgesStrings = false,
  ) {}

  reset(bytes: Buffer, start: number, end: number): void {
    this.bytes = bytes;
    this.at = start;
    this.end = end;
    this.fault = null;
    this.nodes = 0;
    this.hasSurrogates = false;
    this.scanFlags = 0;
    this.depth = 0;
    this.words.reset();
  }

  /** First byte of the next token, white space skipped; -1 at the end. */
  peek(): number {
    const { bytes, end } = this;
    let at = this.at;
    while (at < end) {
      const byte = bytes[at] as number;
      if (byte > 0x20 || (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09)) {
        this.at = at;
        return byte;
      }
      at += 1;
    }
    this.at = at;
    return -1;
  }

  /** Enters the object the cursor stands on; false (without moving) when it is something else. */
  enterObject(): boolean {
    return this.enter(OPEN_OBJECT);
  }

  enterArray(): boolean {
    return this.enter(OPEN_ARRAY);
  }

  /** Moves to the next member's value and notes its key; false after the last one, which leaves the object. */
  nextMember(): boolean {
    if (this.fault !== null) return false;
    const count = this.keys[this.depth] as number;
    const byte = this.peek();
    if (byte === CLOSE_OBJECT) return this.leave();
    if (count > 0) {
      if (byte !== COMMA) return this.fail('malformed');
      this.at += 1;
    }
    return this.readKey();
  }

  nextElement(): boolean {
    if (this.fault !== null) return false;
    const byte = this.peek();
    if (byte === CLOSE_ARRAY) return this.leave();
    if ((this.keys[this.depth] as number) > 0) {
      if (byte !== COMMA) return this.fail('malformed');
      this.at += 1;
      if (this.peek() === CLOSE_ARRAY) return this.fail('malformed');
    }
    this.keys[this.depth] = 1;
    return true;
  }

  /** The key as text; only meaningful when it is not escaped. */
  keyText(): string {
    return this.bytes.toString('latin1', this.keyStart, this.keyEnd);
  }

  keyIs(name: Buffer): boolean {
    const length = this.keyEnd - this.keyStart;
    if (length !== name.length) return false;
    for (let index = 0; index < length; index += 1) {
      if (this.bytes[this.keyStart + index] !== name[index]) return false;
    }
    return true;
  }

  keyIsOneOf(names: readonly Buffer[]): boolean {
    for (const name of names) if (this.keyIs(name)) return true;
    return false;
  }

  /** Passes the value the cursor stands on. False at a fault. */
  skipValue(): boolean {
    const base = this.depth;
    for (;;) {
      if (!this.skipScalarOrEnter()) return false;
      // After a value: close what ends here, or go on to the next value inside.
      for (;;) {
        if (this.depth === base) return true;
        const byte = this.peek();
        const isObject = this.kinds[this.depth] === OPEN_OBJECT;
        if (byte === COMMA && this.keys[this.depth] !== 0) {
          this.at += 1;
          if (isObject && !this.readKey()) return false;
          break;
        }
        if (byte === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
          this.leave();
          continue;
        }
        if (this.keys[this.depth] === 0) {
          if (isObject ? !this.readKey() : this.markElement()) return false;
          break;
        }
        return this.fail('malformed');
      }
    }
  }

  /** True when nothing but white space is left. */
  isAtEnd(): boolean {
    return this.fault === null && this.peek() === -1;
  }

  private skipScalarOrEnter(): boolean {
    const byte = this.peek();
    this.nodes += 1;
    if (this.nodes > this.maxNodes) return this.fail('too-many-values');
    switch (byte) {
      case QUOTE:
        return this.skipString();
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        return this.enter(byte);
      case 0x74:
        return this.skipLiteral('true');
      case 0x66:
        return this.skipLiteral('false');
      case 0x6e:
        return this.skipLiteral('null');
      default:
        return this.skipNumber(byte);
    }
  }

  private enter(kind: number): boolean {
    if (this.fault !== null || this.peek() !== kind) return false;
    if (this.depth === MAX_JSON_DEPTH) return this.fail('too-deep');
    this.depth += 1;
    this.kinds[this.depth] = kind;
    this.keys[this.depth] = 0;
    this.turns[this.depth] = 0;
    this.at += 1;
    return true;
  }

  private leave(): false {
    const turn = this.turns[this.depth] as number;
    if (turn !== 0) this.scanFlags |= flagsOfTurn(turn);
    this.depth -= 1;
    this.at += 1;
    return false;
  }

  private markElement(): boolean {
    this.keys[this.depth] = 1;
    return false;
  }

  private readKey(): boolean {
    if (this.peek() !== QUOTE) return this.fail('malformed');
    const count = (this.keys[this.depth] as number) + 1;
    if (count > MAX_OBJECT_KEYS) return this.fail('too-many-keys');
    this.keys[this.depth] = count;
    const start = this.at + 1;
    if (!this.skipString()) return false;
    this.keyStart = start;
    this.keyEnd = this.at - 1;
    this.keyEscaped = false;
    for (let at = start; at < this.keyEnd; at += 1) {
      if (this.bytes[at] === BACKSLASH) {
        this.keyEscaped = true;
        break;
      }
    }
    if (this.peek() !== COLON) return this.fail('malformed');
    this.at += 1;
    if (this.judgesStrings) this.noteKey();
    return true;
  }

  private noteKey(): void {
    const { bytes, keyStart, keyEnd } = this;
    const notes = this.keyEscaped ? SCAN_FLAGS.escaped : flagsOfKey(bytes, keyStart, keyEnd);
    this.scanFlags |= notes & ~(ALL_MARKS | ALL_TURN_MARKS);
    if ((notes & ALL_TURN_MARKS) !== 0) this.noteTurn(notes);
    if ((notes & ALL_MARKS) !== 0) {
      this.peek();
      this.scanFlags = withFlagsOfMarks(bytes, this.scanFlags, this, notes);
    }
    if ((notes & SCAN_FLAGS.role) !== 0) {
      this.peek();
      this.scanFlags = withFlagsOfRole(bytes, this.at, this.scanFlags);
      if (isAssistantAt(bytes, this.at))
        this.turns[this.depth] = asAssistant(this.turns[this.depth] as number);
    }
    const isFetched = !this.keyEscaped && isFetchedKey(bytes, keyStart, keyEnd);
    if ((notes & SCAN_FLAGS.address) === 0 && !isFetched) return;
    this.peek();
    if ((notes & SCAN_FLAGS.address) !== 0 && mayNameStore(bytes, this.at))
      this.scanFlags |= SCAN_FLAGS.named;
    if (isFetched && mayBeFetched(bytes, this.at)) this.scanFlags |= SCAN_FLAGS.fetched;
  }

  private noteTurn(marks: number): void {
    this.peek();
    const { bytes, at, depth } = this;
    if ((marks & TURN_MARKS.text) !== 0) this.scanFlags |= flagsOfText(bytes, at);
    else {
      this.turns[depth] = withTurnMark(bytes, this.turns[depth] as number, this, marks);
      this.scanFlags |= flagsOfContent(bytes, at);
    }
  }

  /** From the opening quote to behind the closing one. */
  private skipString(): boolean {
    if (this.judgesStrings) return this.skipJudgedString();
    const { bytes, end } = this;
    let at = this.at + 1;
    let holdsQuotes = false;
    for (;;) {
      const plainUntil = Math.min(end, at + PLAIN_RUN);
      while (at < plainUntil && SPECIAL_BYTES[bytes[at] as number] === 0) at += 1;
      if (at === plainUntil) at = holdsQuotes ? this.words.plainEnd(bytes, at, end) : this.nextQuote(at);
      if (at >= end) return this.fail('malformed');
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.at = at + 1;
        return true;
      }
      // Native searches for quotes that are part of the text cost more than reading words.
      if (byte === BACKSLASH) {
        holdsQuotes ||= bytes[at + 1] === QUOTE;
        at += 2;
      } else if (byte < 0x20) at += 1;
    }
  }

  /** The next quote from `from` on, or the backslash in front of it; the end when there is none. */
  private nextQuote(from: number): number {
    const { bytes, end } = this;
    const quote = bytes.indexOf(QUOTE, from);
    if (quote === -1 || quote >= end) return end;
    let slashes = 0;
    while (quote - 1 - slashes >= from && bytes[quote - 1 - slashes] === BACKSLASH) slashes += 1;
    return slashes % 2 === 0 ? quote : quote - 1;
  }

  private skipJudgedString(): boolean {
    const { bytes, end } = this;
    let at = this.at + 1;
    for (;;) {
      const plainUntil = Math.min(end, at + PLAIN_RUN);
      while (at < plainUntil && SPECIAL_BYTES[bytes[at] as number] === 0) at += 1;
      if (at === plainUntil) at = this.words.plainEnd(bytes, at, end);
      if (at >= end) break;
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.at = at + 1;
        return true;
      }
      if (byte === BACKSLASH) {
        const length = escapeLength(bytes, at + 1, end);
        if (length === 0) break;
        if (length > 1 && ((bytes[at + 2] as number) | 0x20) === 0x64 && (bytes[at + 3] as number) >= 0x38)
          this.hasSurrogates = true;
        at += 1 + length;
      } else if (byte < 0x20) break;
    }
    return this.fail('malformed');
  }

  private skipLiteral(literal: string): boolean {
    if (this.at + literal.length > this.end) return this.fail('malformed');
    for (let index = 1; index < literal.length; index += 1) {
      if (this.bytes[this.at + index] !== literal.charCodeAt(index)) return this.fail('malformed');
    }
    this.at += literal.length;
    return true;
  }

  private skipNumber(first: number): boolean {
    if (first !== 0x2d && (first < 0x30 || first > 0x39)) return this.fail('malformed');
    let at = this.at + 1;
    while (at < this.end && NUMBER_BYTES[this.bytes[at] as number] === 1) at += 1;
    if (at - this.at >= LONG_NUMBER) this.scanFlags |= SCAN_FLAGS.longNumber;
    this.at = at;
    return true;
  }

  private fail(fault: JsonFault): false {
    this.fault ??= fault;
    return false;
  }
}

const EMPTY = Buffer.alloc(0);
