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

/** What a scan found in a document: `named` may be wrong of other keys of the same length and ends; `longNumber` is a number of 16 digits or more. */
export const SCAN_FLAGS = { named: 1, id: 2, escaped: 4, longNumber: 8, address: 16 } as const;

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

/** @param start  first byte of a key that is not escaped; `end`: behind its last one */
export const flagsOfKey = (bytes: Buffer, start: number, end: number): number =>
  end > start ? (TABLE[placeOf(end - start, bytes[start] as number, bytes[end - 1] as number)] as number) : 0;

const QUOTE = 0x22;
const OPEN_ARRAY = 0x5b;
const OPEN_ADDRESS = /^(?:https?:|data:)/;

/** Whether the value of a member flagged as an address, which begins at `at`, may be one that only its vendor opens. */
export function mayNameStore(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== QUOTE) return bytes[at] === OPEN_ARRAY;
  return !OPEN_ADDRESS.test(bytes.toString('latin1', at + 1, at + 7));
}
