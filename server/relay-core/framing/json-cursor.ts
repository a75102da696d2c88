import { flagsOfKey, isFetchedKey, mayBeFetched, mayNameStore, SCAN_FLAGS } from './scan-flags.js';

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

const NO_WORDS = new Int32Array(0);

/** What stopped a cursor: bad grammar, or one of the limits of a document. */
export type JsonFault = 'malformed' | 'too-deep' | 'too-many-values' | 'too-many-keys';

/**
 * Walks JSON in its bytes, making no object for what is only passed by. Reads grammar strictly (brackets, commas,
 * colons, literals); numbers are not judged, and strings only when asked. One cursor may be reused for many documents.
 * After a fault every method answers "nothing more" and `fault` says why.
 */
export class JsonCursor {
  bytes: Buffer = EMPTY;
  /** Next byte to read. */
  at = 0;
  end = 0;
  /** Inside of the key last read by `nextMember`, quotes excluded. */
  keyStart = 0;
  keyEnd = 0;
  /** True when the key holds an escape: its text is not what its bytes say. */
  keyEscaped = false;
  /** A judged string held the escape of a surrogate, whole or half of a pair. */
  hasSurrogates = false;
  /** What was found in a judged document (scan-flags.ts). */
  scanFlags = 0;
  fault: JsonFault | null = null;
  /** Values seen since `reset`, nested ones included. */
  nodes = 0;

  private readonly kinds = new Uint8Array(MAX_JSON_DEPTH + 1);
  private readonly keys = new Int32Array(MAX_JSON_DEPTH + 1);
  private depth = 0;
  /** `worded` in words of four bytes, from the last word border before it. */
  private words: Int32Array = NO_WORDS;
  private worded: Buffer | null = null;

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
    this.worded = null;
    this.words = NO_WORDS;
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
    this.at += 1;
    return true;
  }

  private leave(): false {
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
    this.scanFlags |= notes;
    const isFetched = !this.keyEscaped && isFetchedKey(bytes, keyStart, keyEnd);
    if ((notes & SCAN_FLAGS.address) === 0 && !isFetched) return;
    this.peek();
    if ((notes & SCAN_FLAGS.address) !== 0 && mayNameStore(bytes, this.at))
      this.scanFlags |= SCAN_FLAGS.named;
    if (isFetched && mayBeFetched(bytes, this.at)) this.scanFlags |= SCAN_FLAGS.fetched;
  }

  /** From the opening quote to behind the closing one. */
  private skipString(): boolean {
    if (this.judgesStrings) return this.skipJudgedString();
    const { bytes, end } = this;
    let at = this.at + 1;
    let plainUntil = at + PLAIN_RUN;
    while (at < end) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.at = at + 1;
        return true;
      }
      if (byte === BACKSLASH) {
        at += 2;
        plainUntil = at + PLAIN_RUN;
        continue;
      }
      at += 1;
      if (at < plainUntil) continue;
      const quote = bytes.indexOf(QUOTE, at);
      if (quote === -1 || quote >= end) return this.fail('malformed');
      let slashes = 0;
      while (quote - 1 - slashes >= at && bytes[quote - 1 - slashes] === BACKSLASH) slashes += 1;
      if (slashes % 2 === 0) {
        this.at = quote + 1;
        return true;
      }
      at = quote + 1;
      plainUntil = at + PLAIN_RUN;
    }
    return this.fail('malformed');
  }

  private skipJudgedString(): boolean {
    const { bytes, end } = this;
    let at = this.at + 1;
    for (;;) {
      const plainUntil = Math.min(end, at + PLAIN_RUN);
      while (at < plainUntil && SPECIAL_BYTES[bytes[at] as number] === 0) at += 1;
      if (at === plainUntil) at = this.plainEnd(at);
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

  /** First byte from `from` on that is, or stands within four bytes before, a quote, a backslash or a control character. */
  private plainEnd(from: number): number {
    const { bytes, end } = this;
    const offset = bytes.byteOffset & 3;
    // A pooled buffer may start anywhere: words are read on the borders of the memory behind it.
    let at = from;
    while (((at + offset) & 3) !== 0 && at < end) {
      if (SPECIAL_BYTES[bytes[at] as number] === 1) return at;
      at += 1;
    }
    const words = this.wordsOf(bytes);
    const last = (end + offset) >> 2;
    let index = (at + offset) >> 2;
    while (index < last && !holdsSpecialByte(words[index] as number)) index += 1;
    return Math.max(at, (index << 2) - offset);
  }

  private wordsOf(bytes: Buffer): Int32Array {
    if (this.worded !== bytes) {
      const from = bytes.byteOffset & ~3;
      this.words = new Int32Array(bytes.buffer, from, (bytes.byteOffset + bytes.length - from) >> 2);
      this.worded = bytes;
    }
    return this.words;
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

/** Four bytes at once (a subtraction borrows into the top bit of a byte that is too small); never misses one. */
function holdsSpecialByte(word: number): boolean {
  const quotes = word ^ 0x22222222;
  const backslashes = word ^ 0x5c5c5c5c;
  const found =
    ((word - 0x20202020) & ~word) |
    ((quotes - 0x01010101) & ~quotes) |
    ((backslashes - 0x01010101) & ~backslashes);
  return (found & 0x80808080) !== 0;
}

/** Where a plain run of a string ends: quote, backslash, control characters. */
const SPECIAL_BYTES = new Uint8Array(256);
SPECIAL_BYTES.fill(1, 0, 0x20);
SPECIAL_BYTES[QUOTE] = 1;
SPECIAL_BYTES[BACKSLASH] = 1;

const SHORT_ESCAPES = new Uint8Array(256);
for (const character of '"\\/bfnrt') SHORT_ESCAPES[character.charCodeAt(0)] = 1;
const HEX_DIGITS = new Uint8Array(256);
for (const character of '0123456789abcdefABCDEF') HEX_DIGITS[character.charCodeAt(0)] = 1;

/** Bytes of the escape whose letter stands at `at`; 0 when JSON knows no such escape. */
function escapeLength(bytes: Buffer, at: number, end: number): number {
  if (at >= end) return 0;
  const letter = bytes[at] as number;
  if (SHORT_ESCAPES[letter] === 1) return 1;
  if (letter !== 0x75 || at + 4 >= end) return 0;
  for (let index = at + 1; index <= at + 4; index += 1) {
    if (HEX_DIGITS[bytes[index] as number] === 0) return 0;
  }
  return 5;
}

const EMPTY = Buffer.alloc(0);
