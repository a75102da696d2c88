import { placeOf, PLACES } from './scan-flags.js';

/** Ends of the names of members whose text an upstream may fetch from, in any case: `image_url`, `fileUri`, `notifyHook`, `base64Array`. */
const FETCHED_ENDS: readonly string[] = [
  'url',
  'urls',
  'uri',
  'uris',
  'link',
  'links',
  'href',
  'src',
  'hook',
  'callback',
  'endpoint',
  'image',
  'images',
  'img',
  'imgs',
  'mask',
  'picture',
  'pictures',
  'photo',
  'photos',
  'image_tail',
  'video',
  'videos',
  'audio',
  'audios',
  'wav',
  'media',
  'file',
  'files',
  'base64',
  'base64array',
  'image_data',
  'video_data',
  'audio_data',
  'file_data',
  'filedata',
  'image_list',
  'url_list',
  'image_input',
  'image_prompt',
  'reference',
  'references',
  'frame',
  'frames',
  'pic',
  'pics',
  'avatar',
  'cover',
  'thumbnail',
  'path',
];

const ENDS_BY_PLACE: Buffer[][] = [];
for (const text of FETCHED_ENDS) {
  const end = Buffer.from(text);
  const place = placeOf(
    end[end.length - 3] as number,
    end[end.length - 2] as number,
    end[end.length - 1] as number,
  );
  (ENDS_BY_PLACE[place] ??= []).push(end);
}
const END_TABLE = new Uint8Array(PLACES);
for (const place of ENDS_BY_PLACE.keys()) if (ENDS_BY_PLACE[place] !== undefined) END_TABLE[place] = 1;

/**
 * True when a key, which is not escaped, names something to fetch; numbers at its end are left out (`image_2`). One look at its last three
 * bytes rules out nearly every key.
 */
export function isFetchedKey(bytes: Buffer, start: number, end: number): boolean {
  if (endsFetched(bytes, start, end)) return true;
  let last = end;
  while (last > start && isCounter(bytes[last - 1] as number)) last -= 1;
  return last < end && endsFetched(bytes, start, last);
}

/** A digit, `_` or `-`. */
const isCounter = (byte: number): boolean => (byte >= 0x30 && byte <= 0x39) || byte === 0x5f || byte === 0x2d;

function endsFetched(bytes: Buffer, start: number, end: number): boolean {
  if (end - start < 3) return false;
  const place = placeOf(bytes[end - 3] as number, bytes[end - 2] as number, bytes[end - 1] as number);
  if (END_TABLE[place] === 0) return false;
  return (ENDS_BY_PLACE[place] as Buffer[]).some((each) => endsWith(bytes, start, end, each));
}

function endsWith(bytes: Buffer, start: number, end: number, wanted: Buffer): boolean {
  const from = end - wanted.length;
  if (from < start) return false;
  for (let at = 0; at < wanted.length; at += 1) {
    const byte = bytes[from + at] as number;
    // Letters in lower case; the digits and the underscore of the list have no other case.
    if ((byte >= 0x41 && byte <= 0x5a ? byte | 0x20 : byte) !== wanted[at]) return false;
  }
  return true;
}

const QUOTE = 0x22;
const OPEN_ARRAY = 0x5b;
const OPEN_ADDRESS = /^(?:https?:|data:)/;

/** True when the value of a member flagged as an address, which begins at `at`, may be one that only its vendor opens. */
export function mayNameStore(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== QUOTE) return bytes[at] === OPEN_ARRAY;
  return !OPEN_ADDRESS.test(bytes.toString('latin1', at + 1, at + 7));
}

/** Bytes by which a text in base64 is distinguished from an address. */
const ADDRESS_HEAD = 64;
const BASE64_BYTES = new Uint8Array(256);
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+=_-'))
  BASE64_BYTES[byte] = 1;
const SLASH = 0x2f;
const DATA = Buffer.from('data:');

/** True when the value of a key of something to fetch, which begins at `at`, may be an address: false of bytes in base64, objects and numbers. */
export function mayBeFetched(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== QUOTE) return bytes[at] === OPEN_ARRAY;
  // A document that was cut may end here.
  if (DATA.every((byte, index) => bytes[at + 1 + index] === byte)) return false;
  const end = Math.min(bytes.length, at + 1 + ADDRESS_HEAD);
  // Base64 may hold slashes; two of them in front stand for the scheme that is left out.
  if (bytes[at + 1] === SLASH && bytes[at + 2] === SLASH) return true;
  for (let index = at + 1; index < end; index += 1) {
    const byte = bytes[index] as number;
    if (byte === QUOTE) return isLocalhost(bytes, at + 1, index);
    if (BASE64_BYTES[byte] === 0 && byte !== SLASH) return true;
  }
  return isLocalhost(bytes, at + 1, end);
}

const LOCALHOST = 'localhost';
const isLocalhost = (bytes: Buffer, from: number, to: number): boolean =>
  bytes.toString('latin1', from, Math.min(to, from + LOCALHOST.length)).toLowerCase() === LOCALHOST;
