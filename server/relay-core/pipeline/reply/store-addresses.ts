/** Characters of a text that decide what it begins with; the rest may be an image in base64. */
const MAX_READ_BYTES = 512;
/** Addresses of the web, or the bytes themselves: every vendor opens them alike. */
const OPEN_SCHEME = /^(?:https?|data):/i;
const SCHEME = /^[a-z][\w+.-]*:/i;
const QUOTED = /\\(?:u([\da-f]{4})|(.))/gi;

/**
 * Returns true when a text of JSON is an address that only its vendor can open, and opens with the operator's rights: files of an account
 * (`ms://` of Moonshot, https://platform.moonshot.ai/docs/guide/use-kimi-vision-model, read 2026-11-26; `gs://`, `s3://`, `oss://`) and
 * files of the machine a model runs on (`file:`).
 * @param from  behind the opening quote; `to`: the closing one
 */
export function isStoreAddress(bytes: Buffer, from: number, to: number): boolean {
  const isWhole = to - from <= MAX_READ_BYTES;
  const written = bytes.toString('utf8', from, isWhole ? to : from + MAX_READ_BYTES);
  // Readers of addresses pass over breaks and tabs in them, and over blanks before them.
  const address = unescaped(written)
    .replace(/[\t\r\n]/g, '')
    .trimStart();
  if (address === '') return !isWhole;
  return SCHEME.test(address) && !OPEN_SCHEME.test(address);
}

const unescaped = (text: string): string =>
  text.replace(QUOTED, (_all, hex: string | undefined, one: string | undefined) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16));
    return one !== undefined && 'bfnrt'.includes(one) ? '\n' : (one ?? '');
  });
