const QUOTE = 0x22;
const BACKSLASH = 0x5c;

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

/** Bytes that end a plain run of a string: quote, backslash, control characters. */
export const SPECIAL_BYTES = new Uint8Array(256);
SPECIAL_BYTES.fill(1, 0, 0x20);
SPECIAL_BYTES[QUOTE] = 1;
SPECIAL_BYTES[BACKSLASH] = 1;

const SHORT_ESCAPES = new Uint8Array(256);
for (const character of '"\\/bfnrt') SHORT_ESCAPES[character.charCodeAt(0)] = 1;
const HEX_DIGITS = new Uint8Array(256);
for (const character of '0123456789abcdefABCDEF') HEX_DIGITS[character.charCodeAt(0)] = 1;

/** Bytes of the escape whose letter stands at `at`; 0 when JSON knows no such escape. */
export function escapeLength(bytes: Buffer, at: number, end: number): number {
  if (at >= end) return 0;
  const letter = bytes[at] as number;
  if (SHORT_ESCAPES[letter] === 1) return 1;
  if (letter !== 0x75 || at + 4 >= end) return 0;
  for (let index = at + 1; index <= at + 4; index += 1) {
    if (HEX_DIGITS[bytes[index] as number] === 0) return 0;
  }
  return 5;
}

const NO_WORDS = new Int32Array(0);

/** Reads plain runs of a document in words of four bytes. */
export class WordReader {
  /** `worded` from the last word border before it. */
  private words: Int32Array = NO_WORDS;
  private worded: Buffer | null = null;

  reset(): void {
    this.worded = null;
    this.words = NO_WORDS;
  }

  /** First byte from `from` on that is, or stands within four bytes before, a quote, a backslash or a control character. */
  plainEnd(bytes: Buffer, from: number, end: number): number {
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
}
