const BACKSLASH = 0x5c;
const REPLACEMENT = '\\ufffd';
/** Escapes of surrogates, whole pairs first; anything behind an escaped backslash is passed by with it. */
const ESCAPES =
  /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\[^]/g;
const PAIR_LENGTH = 12;

/**
 * JSON whose texts are well-formed Unicode: half a surrogate pair, written as an escape, becomes U+FFFD. Vendors refuse a body with
 * one whole, and a conversation that holds it for good.
 * @returns the same buffer when there is nothing to repair, else a copy of the same length
 */
export function wellFormedJson(body: Buffer): Buffer {
  const text = body.toString('latin1');
  let mended = body;
  for (const match of text.matchAll(ESCAPES)) {
    const [escape] = match;
    if (escape.length <= 2 || escape.length === PAIR_LENGTH) continue;
    if (mended === body) mended = Buffer.from(body);
    mended.write(REPLACEMENT, match.index, 'latin1');
  }
  return mended;
}

const MAYBE = /\\u[dD][89a-fA-F]/;

/**
 * The same for JSON that was not scanned; when written by `JSON.stringify`, it has escapes of surrogates only where half of a pair
 * is missing.
 */
export const repairedJson = (body: Buffer): Buffer =>
  body.includes(BACKSLASH) && MAYBE.test(body.toString('latin1')) ? wellFormedJson(body) : body;
