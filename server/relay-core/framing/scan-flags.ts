/**
 * Members by which requests name stored things of vendors (pipeline/reply/stored-ids.ts lists them). The scan that every request goes
 * through flags them: a separate search would cost more than the scan.
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
/** Members that hold the address of an image or a file. */
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

/** Members of images: `image_url`, `file_id` and `detail` of OpenAI, `source` of Anthropic, `images` of OpenRouter's answers. */
const IMAGE_KEYS: readonly string[] = ['image_url', 'images', 'file_id', 'source', 'detail'];
/** Members of messages in which vendors and gateways keep thoughts and their signatures. */
const THOUGHT_KEYS: readonly string[] = [
  'reasoning_content',
  'reasoning_details',
  'reasoning',
  'thinking_blocks',
  'provider_specific_fields',
  'extra_content',
];

/** Findings of a scan of a document. A flag may be set by another member that looks alike; its reader parses the body and decides. */
export const SCAN_FLAGS = {
  /** A member of `ID_KEYS`, or another key of the same length with the same first and last letter. */
  named: 1,
  id: 2,
  /** A key is written with escapes. */
  escaped: 4,
  /** A number of 16 digits or more. */
  longNumber: 8,
  /** A member of `ADDRESS_KEYS`. */
  address: 16,
  /** A member with the address of a file that the upstream may fetch. */
  fetched: 32,
  role: 64,
  /** One message of the system, by the first byte of its role. */
  system: 128,
  /** Several such messages. */
  systems: 256,
  developer: 512,
  /** An id of more than `USUAL_ID` bytes. */
  longId: 1024,
  /** A member in which vendors of chats keep thoughts. */
  thoughts: 4096,
  /** A member that images have in the API of any vendor. */
  image: 32_768,
  /** A round of tools, until a signature comes. */
  unsigned: 65_536,
  /** A round of tools without a signature, at its first result. */
  bareRound: 131_072,
  /** A result behind the last turn of the assistant. */
  answered: 262_144,
  /** A turn of the assistant, or a role written with escapes. */
  assistant: 524_288,
  /** A turn of a tool, or a role written with escapes. */
  toolTurn: 1_048_576,
  /** A text that begins with an image, as this gateway writes images where the caller's API has no place for them. */
  markdownImage: 2_097_152,
  /** A message between agents. */
  agent: 4_194_304,
  /** A turn of the assistant whose content may be empty. */
  textlessTurn: 8_388_608,
  /** A textless turn without calls. */
  bareTurn: 16_777_216,
  /** A text or a content of white space alone. */
  blankText: 268_435_456,
  /** An id without the prefix of OpenAI's messages, calls and thoughts. */
  otherItemId: 536_870_912,
} as const;

/** True when the round of tools that is open began without thoughts. @param flags  absent = the body was not scanned */
export const isBareRound = (flags = 0): boolean =>
  (flags & SCAN_FLAGS.answered) !== 0 && (flags & SCAN_FLAGS.bareRound) !== 0;

/** Longest id of a call that every vendor takes, in bytes. */
export const USUAL_ID = 40;
/**
 * Marks of keys in the table, beside their flags: the value may be the id of a call, thoughts are signed, a result names its call, a text,
 * or an agent that gets a message.
 */
export const MARKS = { text: 128, agent: 256, callId: 2048, signed: 8192, result: 16_384 } as const;
export const ALL_MARKS = MARKS.text | MARKS.agent | MARKS.callId | MARKS.signed | MARKS.result;

/** Marks of the members of a message, and of its parts, that may fill it. */
export const TURN_MARKS = { content: 33_554_432, calls: 67_108_864, text: 134_217_728 } as const;
export const ALL_TURN_MARKS = TURN_MARKS.content | TURN_MARKS.calls | TURN_MARKS.text;

const BITS = 5;
const MASK = (1 << BITS) - 1;
/** Places of three bytes, by their lower five bits. */
export const PLACES = 1 << (3 * BITS);
const TABLE = new Int32Array(PLACES);

/** The place of three bytes in a table of flags. */
export const placeOf = (length: number, first: number, last: number): number =>
  ((length & MASK) << (2 * BITS)) | ((first & MASK) << BITS) | (last & MASK);

const flag = (key: string, bit: number): void => {
  const place = placeOf(key.length, key.charCodeAt(0), key.charCodeAt(key.length - 1));
  TABLE[place] = (TABLE[place] ?? 0) | bit;
};
for (const key of [...ID_KEYS, ...ID_OBJECT_KEYS]) flag(key, SCAN_FLAGS.named);
for (const key of [...ADDRESS_KEYS, 'file_data', 'fileUri', 'file_uri']) flag(key, SCAN_FLAGS.address);
flag('id', SCAN_FLAGS.id | MARKS.callId);
flag('call_id', MARKS.callId);
flag('tool_use_id', MARKS.result);
for (const key of ['text', 'content']) flag(key, MARKS.text);
flag('recipient', MARKS.agent);
// Hidden thoughts of Claude have `data` alone.
for (const key of ['signature', 'data']) flag(key, MARKS.signed);
for (const key of THOUGHT_KEYS) flag(key, SCAN_FLAGS.thoughts);
for (const key of IMAGE_KEYS) flag(key, SCAN_FLAGS.image);
// With it an embedding's `input` is a list of addresses.
flag('modality', SCAN_FLAGS.fetched);
flag('role', SCAN_FLAGS.role);
flag('content', TURN_MARKS.content);
flag('text', TURN_MARKS.text);
for (const key of ['tool_calls', 'function_call']) flag(key, TURN_MARKS.calls);

/** The flags and marks of a key. @param start  first byte of a key that is not escaped; `end`: behind its last one */
export const flagsOfKey = (bytes: Buffer, start: number, end: number): number =>
  end > start ? (TABLE[placeOf(end - start, bytes[start] as number, bytes[end - 1] as number)] as number) : 0;
