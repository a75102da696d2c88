/**
 * A cheap token estimate by byte classes, for holds and for running counts (performance.md, advice 9). Good to about
 * a tenth on prose and code, generous on symbols; whatever is charged from a provider's report never looks at it.
 * Weights are sixteenths of a token.
 */
const WEIGHTS = new Uint8Array(256);

const LETTER = 4;
const DIGIT = 7;
const SYMBOL = 8;
const WHITE_SPACE = 1;
const CONTROL = 2;
/** First byte of a two-byte character: Latin with marks, Greek, Cyrillic, Hebrew, Arabic. */
const TWO_BYTES = 8;
/** First byte of a three-byte character: mostly Chinese, Japanese and Korean. */
const THREE_BYTES = 15;
/** First byte of a four-byte character: emoji and rare scripts. */
const FOUR_BYTES = 34;

for (let byte = 0; byte < 256; byte += 1) {
  const character = String.fromCharCode(byte);
  if (/[A-Za-z]/.test(character)) WEIGHTS[byte] = LETTER;
  else if (/[0-9]/.test(character)) WEIGHTS[byte] = DIGIT;
  else if (byte === 0x20) WEIGHTS[byte] = WHITE_SPACE;
  else if (byte < 0x20) WEIGHTS[byte] = CONTROL;
  else if (byte < 0x80) WEIGHTS[byte] = SYMBOL;
  else if (byte < 0xc0) WEIGHTS[byte] = 0;
  else if (byte < 0xe0) WEIGHTS[byte] = TWO_BYTES;
  else if (byte < 0xf0) WEIGHTS[byte] = THREE_BYTES;
  else WEIGHTS[byte] = FOUR_BYTES;
}

/** Sixteenths of tokens in a range of UTF-8 bytes. */
export function weighBytes(bytes: Buffer, start: number, end: number): number {
  let sum = 0;
  for (let at = start; at < end; at += 1) sum += WEIGHTS[bytes[at] as number] as number;
  return sum;
}

/** Whole tokens for a sum of `weighBytes`, rounded up. */
export const tokensOfWeight = (sixteenths: number): number => Math.ceil(sixteenths / 16);
