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
 * more; `fetched` is a member with the address of something that its upstream may fetch. `system`, `systems` and `developer` are one, several
 * and such roles, by their first letter; `assistant` and `toolTurn` are turns of these roles, also where the role is written with escapes.
 * `longId` is an id of more than `USUAL_ID` bytes, `image` a member that images have in the API of any vendor, `thoughts` a member in which
 * vendors of chats keep thoughts, `markdownImage` a text that begins with an image, as answers of this gateway have it where the API of
 * the caller has no place for images, and `agent` a message between agents. `unsigned` is a round of tools until a signature comes,
 * `bareRound` such a round at its first result, and `answered` a result behind the last turn of the assistant. `textlessTurn` is a turn of
 * the assistant whose content may hold nothing, `bareTurn` one that names no calls either. `blankText` is a text or a content of white space alone,
 * `otherItemId` an id that does not begin as those of OpenAI's messages, calls and thoughts.
 */
export const SCAN_FLAGS = {
  named: 1,
  id: 2,
  escaped: 4,
  longNumber: 8,
  address: 16,
  fetched: 32,
  role: 64,
  system: 128,
  systems: 256,
  developer: 512,
  longId: 1024,
  thoughts: 4096,
  image: 32_768,
  unsigned: 65_536,
  bareRound: 131_072,
  answered: 262_144,
  assistant: 524_288,
  toolTurn: 1_048_576,
  markdownImage: 2_097_152,
  agent: 4_194_304,
  textlessTurn: 8_388_608,
  bareTurn: 16_777_216,
  blankText: 268_435_456,
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
const MARKS = { text: 128, agent: 256, callId: 2048, signed: 8192, result: 16_384 } as const;
export const ALL_MARKS = MARKS.text | MARKS.agent | MARKS.callId | MARKS.signed | MARKS.result;

/** Members of a message that may fill it, and of its parts. */
export const TURN_MARKS = { content: 33_554_432, calls: 67_108_864, text: 134_217_728 } as const;
export const ALL_TURN_MARKS = TURN_MARKS.content | TURN_MARKS.calls | TURN_MARKS.text;
const CONTENT = Buffer.from('content');
const CALLS = ['tool_calls', 'function_call'].map((name) => Buffer.from(name));

const BITS = 5;
const MASK = (1 << BITS) - 1;
const TABLE = new Uint32Array(1 << (3 * BITS));

const placeOf = (length: number, first: number, last: number): number =>
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

const SMALL_A = 0x61;
const SMALL_S = 0x73;
const SMALL_D = 0x64;
const SMALL_T = 0x74;
const BACKSLASH = 0x5c;

/** Findings in one object of a document, kept while the scan is inside of it. */
const TURN = { assistant: 1, content: 2, calls: 4 } as const;

/** A member of an object: `start` and `end` of its key, `at` the start of its value, and the marks of the key. */
interface MarkedMember {
  readonly start: number;
  readonly end: number;
  readonly at: number;
  readonly marks: number;
}

/** The findings in an object behind a member with marks of turns. */
export function withTurnMark(bytes: Buffer, turn: number, { start, end, at, marks }: MarkedMember): number {
  const isNamed = (name: Buffer): boolean =>
    end - start === name.length && bytes.compare(name, 0, name.length, start, end) === 0;
  const found =
    (marks & TURN_MARKS.content) !== 0 && isNamed(CONTENT)
      ? TURN.content
      : (marks & TURN_MARKS.calls) !== 0 && CALLS.some(isNamed)
        ? TURN.calls
        : 0;
  // A key that is given twice counts as its last one.
  return isFilledAt(bytes, at) ? turn | found : turn & ~found;
}

/** True when a role whose value begins at `at` may be the assistant's. */
export const isAssistantAt = (bytes: Buffer, at: number): boolean =>
  bytes[at + 1] === SMALL_A || bytes[at + 1] === BACKSLASH;

/** The findings in an object that has the assistant's role. */
export const asAssistant = (turn: number): number => turn | TURN.assistant;

/** The flags of a document by the findings in an object that ends. */
export const flagsOfTurn = (turn: number): number =>
  (turn & (TURN.assistant | TURN.content)) !== TURN.assistant
    ? 0
    : (turn & TURN.calls) === 0
      ? SCAN_FLAGS.textlessTurn | SCAN_FLAGS.bareTurn
      : SCAN_FLAGS.textlessTurn;

/** The flags of a text whose value begins at `at`: a content of empty texts alone holds nothing. */
export function flagsOfText(bytes: Buffer, at: number): number {
  if (!isFilledAt(bytes, at)) return SCAN_FLAGS.textlessTurn | SCAN_FLAGS.bareTurn | SCAN_FLAGS.blankText;
  return isBlankAt(bytes, at) ? SCAN_FLAGS.blankText : 0;
}

/** The flags of a content whose value begins at `at`. */
export const flagsOfContent = (bytes: Buffer, at: number): number =>
  isBlankAt(bytes, at) ? SCAN_FLAGS.blankText : 0;

/** True of a string of blanks and of the escapes of line ends and tabs. */
function isBlankAt(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== QUOTE) return false;
  let next = at + 1;
  while (bytes[next] === SPACE || (bytes[next] === BACKSLASH && WHITE_ESCAPES.has(bytes[next + 1] as number)))
    next += bytes[next] === SPACE ? 1 : 2;
  return bytes[next] === QUOTE;
}
/** `n`, `r` and `t`. */
const WHITE_ESCAPES: ReadonlySet<number> = new Set([0x6e, 0x72, 0x74]);

const SMALL_N = 0x6e;
const CLOSE_ARRAY = 0x5d;

/** False of `null`, an empty text and an empty list. */
function isFilledAt(bytes: Buffer, at: number): boolean {
  const first = bytes[at];
  if (first === QUOTE) return bytes[at + 1] !== QUOTE;
  if (first !== OPEN_ARRAY) return first !== SMALL_N;
  let next = at + 1;
  while ((bytes[next] ?? CLOSE_ARRAY) <= SPACE) next += 1;
  return bytes[next] !== CLOSE_ARRAY;
}
const SPACE = 0x20;

/** The flags of a document, and of a role whose value begins at `at`, by its first letter. @param flags  of the document so far */
export function withFlagsOfRole(bytes: Buffer, at: number, flags: number): number {
  const letter = bytes[at + 1];
  if (letter === SMALL_A) {
    const answering = flags | SCAN_FLAGS.assistant;
    return (flags & SCAN_FLAGS.answered) === 0
      ? (answering & ~SCAN_FLAGS.bareRound) | SCAN_FLAGS.unsigned
      : answering & ~SCAN_FLAGS.answered;
  }
  if (letter === SMALL_T) return flags | SCAN_FLAGS.toolTurn;
  if (letter === SMALL_D) return flags | SCAN_FLAGS.developer;
  if (letter === BACKSLASH) return flags | SCAN_FLAGS.assistant | SCAN_FLAGS.toolTurn;
  if (letter !== SMALL_S) return flags;
  return flags | ((flags & SCAN_FLAGS.system) === 0 ? SCAN_FLAGS.system : SCAN_FLAGS.systems);
}

/** The flags of a document behind a key with marks. @param key.at  start of its value */
export function withFlagsOfMarks(
  bytes: Buffer,
  flags: number,
  { at, marks }: { readonly at: number; readonly marks: number },
): number {
  if ((marks & MARKS.text) !== 0)
    return bytes[at + 1] === BANG && beginsPicture(bytes, at + 1) ? flags | SCAN_FLAGS.markdownImage : flags;
  if ((marks & MARKS.agent) !== 0) return flags | SCAN_FLAGS.agent;
  if ((marks & MARKS.signed) !== 0) return flags & ~SCAN_FLAGS.unsigned;
  if ((marks & MARKS.result) !== 0)
    return flags | SCAN_FLAGS.answered | ((flags & SCAN_FLAGS.unsigned) === 0 ? 0 : SCAN_FLAGS.bareRound);
  const found = isLongId(bytes, at) ? flags | SCAN_FLAGS.longId : flags;
  return (marks & SCAN_FLAGS.id) !== 0 && isOtherItemId(bytes, at) ? found | SCAN_FLAGS.otherItemId : found;
}

const OWN_ITEM_IDS = ['"msg', '"fc', '"rs', '"ctc'].map((text) => Buffer.from(text));
const isOtherItemId = (bytes: Buffer, at: number): boolean =>
  bytes[at] === QUOTE &&
  !OWN_ITEM_IDS.some((start) => start.every((byte, index) => bytes[at + index] === byte));

const BANG = 0x21;
const PICTURE = Buffer.from('![image](data:');
const beginsPicture = (bytes: Buffer, at: number): boolean =>
  PICTURE.every((byte, index) => bytes[at + index] === byte);

/** True when the text that begins at `at` is longer than an id that every vendor takes. */
function isLongId(bytes: Buffer, at: number): boolean {
  if (bytes[at] !== QUOTE) return false;
  const end = at + USUAL_ID + 1;
  for (let index = at + 1; index <= end; index += 1) if (bytes[index] === QUOTE) return false;
  return end < bytes.length;
}

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
