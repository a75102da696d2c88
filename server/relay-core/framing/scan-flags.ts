/**
 * Members by which requests name what vendors keep (pipeline/stored-ids.ts says what). The scan that every request goes through flags
 * them: a search of its own would cost more than the scan.
 */
export const ID_KEYS: readonly string[] = [
  'previous_response_id',
  'file_id',
  'file_ids',
  'vector_store_ids',
  'container_id',
  'skill_id',
  'tunnel_id',
  'previous_message_id',
  'cachedContent',
  'cached_content',
  'fileUri',
  'file_uri',
  'fileSearchStoreNames',
  'file_search_store_names',
  'ragCorpus',
  'rag_corpus',
  'ragFileIds',
  'rag_file_ids',
  'datastore',
  'dataStore',
  'data_store',
  'engine',
  'collection_ids',
  'library_ids',
  'knowledge_id',
  'knowledge_resource_id',
];
/** Members that hold the address of a picture or a file. */
export const ADDRESS_KEYS: readonly string[] = [
  'url',
  'uri',
  'image',
  'video',
  'image_url',
  'video_url',
  'audio_url',
  'file_url',
  'document_url',
  'gcsUri',
  'gcs_uri',
];
/** Members whose object may have an id of that sort. */
const ID_OBJECT_KEYS: readonly string[] = ['conversation', 'container', 'voice', 'audio'];

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

/**
 * Findings of a scan of a document: `named` may be wrong of other keys of the same length and ends; `longNumber` is a number of 16 digits or
 * more; `fetched` is a member with the address of something that its upstream may fetch.
 */
export const SCAN_FLAGS = { named: 1, id: 2, escaped: 4, longNumber: 8, address: 16, fetched: 32 } as const;

const BITS = 5;
const MASK = (1 << BITS) - 1;
const TABLE = new Uint8Array(1 << (3 * BITS));

const placeOf = (length: number, first: number, last: number): number =>
  ((length & MASK) << (2 * BITS)) | ((first & MASK) << BITS) | (last & MASK);

const flag = (key: string, bit: number): void => {
  const place = placeOf(key.length, key.charCodeAt(0), key.charCodeAt(key.length - 1));
  TABLE[place] = (TABLE[place] ?? 0) | bit;
};
for (const key of [...ID_KEYS, ...ID_OBJECT_KEYS]) flag(key, SCAN_FLAGS.named);
for (const key of [...ADDRESS_KEYS, 'file_data', 'fileUri', 'file_uri']) flag(key, SCAN_FLAGS.address);
flag('id', SCAN_FLAGS.id);
// With it an embedding's `input` is a list of addresses.
flag('modality', SCAN_FLAGS.fetched);

/** @param start  first byte of a key that is not escaped; `end`: behind its last one */
export const flagsOfKey = (bytes: Buffer, start: number, end: number): number =>
  end > start ? (TABLE[placeOf(end - start, bytes[start] as number, bytes[end - 1] as number)] as number) : 0;

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
const END_TABLE = new Uint8Array(TABLE.length);
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

/** Whether the value of a member flagged as an address, which begins at `at`, may be one that only its vendor opens. */
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
