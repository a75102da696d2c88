/**
 * A cheap token estimate, for holds and for running counts: runs of characters of one class, each
 * class with the pieces a tokenizer cuts it into. Within about a tenth of a tokenizer's count on prose and code, generous on
 * other scripts; whatever is charged from a provider's report never looks at it. Sums are sixteenths of a token.
 */
const BLANK = 0;
const LETTER = 1;
const DIGIT = 2;
const SIGN = 3;
/** Alphabets that fall into shorter pieces than Latin: Greek, Cyrillic, Hebrew, Arabic, …, and signs beyond ASCII. */
const OTHER = 4;
/** Chinese, Japanese, Korean: written without blanks, so each character counts by itself. */
const IDEOGRAPH = 5;
/** Emoji and rare scripts. */
const RARE = 6;
/** A later byte of a character that was counted at its first. */
const INNER = 7;

/** Characters of a run that make one token; 0 = counted by character or not at all. */
const CHARACTERS_PER_TOKEN = [0, 7, 3, 2, 3, 0, 0];
const TOKEN = 16;
const IDEOGRAPH_SIXTEENTHS = 13;
const RARE_SIXTEENTHS = 26;

const CLASSES = new Uint8Array(256);
for (let byte = 0; byte < 256; byte += 1) CLASSES[byte] = classOf(byte);

function classOf(byte: number): number {
  if (byte <= 0x20) return BLANK;
  if (byte < 0x80) {
    const character = String.fromCharCode(byte);
    if (/[A-Za-z]/.test(character)) return LETTER;
    return /[0-9]/.test(character) ? DIGIT : SIGN;
  }
  if (byte < 0xc0) return INNER;
  // First bytes of accented Latin letters, of two-byte alphabets, of the three-byte planes.
  if (byte < 0xca) return LETTER;
  if (byte < 0xe3) return OTHER;
  return byte < 0xf0 ? IDEOGRAPH : RARE;
}

/** Sixteenths of tokens in a range of UTF-8 bytes that is a text of its own: about 2 µs per kilobyte. */
export function weighBytes(bytes: Uint8Array, start: number, end: number): number {
  let sum = 0;
  let run = BLANK;
  let length = 0;
  for (let at = start; at < end; at += 1) {
    const next = CLASSES[bytes[at] as number] as number;
    if (next === run) length += 1;
    else if (next !== INNER) {
      sum += weightOfRun(run, length);
      run = next;
      length = 1;
    }
  }
  return sum + weightOfRun(run, length);
}

function weightOfRun(kind: number, length: number): number {
  // One blank belongs to the word after it; more of them are a token of their own.
  if (kind === BLANK) return length > 1 ? TOKEN : 0;
  if (kind === IDEOGRAPH) return length * IDEOGRAPH_SIXTEENTHS;
  if (kind === RARE) return length * RARE_SIXTEENTHS;
  return Math.ceil(length / (CHARACTERS_PER_TOKEN[kind] as number)) * TOKEN;
}

/** Whole tokens for a sum of `weighBytes`, rounded up. */
export const tokensOfWeight = (sixteenths: number): number => Math.ceil(sixteenths / TOKEN);

/** Tokens of a text. */
export function estimateTokens(text: string): number {
  const bytes = Buffer.from(text);
  return tokensOfWeight(weighBytes(bytes, 0, bytes.length));
}
