const OTHER_ALPHABET = /[-_]/;
const FILLING = /[\s=]+/g;

/**
 * Base64 as every vendor takes it: the standard alphabet, padded, on one line. JSON forms of protocol buffers are read in
 * the url-safe alphabet too and without padding (https://protobuf.dev/programming-guides/json, read 2026-11-25), and
 * Google's clients write it so.
 */
export function standardBase64(text: string): string {
  if (!OTHER_ALPHABET.test(text) && text.length % 4 === 0 && !/\s/.test(text)) return text;
  const plain = text.replace(FILLING, '').replaceAll('-', '+').replaceAll('_', '/');
  return plain.padEnd(Math.ceil(plain.length / 4) * 4, '=');
}
