import { JsonCursor } from '../../framing/json-cursor.js';
import { ADDRESS_KEYS, SCAN_FLAGS } from '../../framing/scan-flags.js';
import { isStoreAddress } from './store-addresses.js';
import type { ScannedObject } from '../../framing/json-splice.js';

/** Kind of thing that an id names at the vendor. */
export type StoredKind =
  | 'response'
  | 'conversation'
  | 'item'
  | 'container'
  | 'file'
  | 'vector-store'
  | 'cache'
  | 'prompt'
  | 'skill'
  | 'voice'
  | 'audio'
  | 'message'
  | 'tunnel'
  | 'corpus'
  /** A file by an address that only its vendor opens. */
  | 'address';

/** A name in a request for something that its vendor keeps. */
export interface StoredId {
  readonly kind: StoredKind;
  readonly id: string;
  /** Member it stands in. */
  readonly param: string;
  /** Written with escapes: the bytes that leave may spell it in another way. */
  readonly isEscaped: boolean;
}

/**
 * Members of any client API that hold an id, or a list of ids. OpenAI: https://github.com/openai/openai-openapi (August 2026);
 * Anthropic: https://docs.claude.com/en/api/messages, Google: https://ai.google.dev/api/caching (both read 2026-11-25). Knowledge of xAI,
 * Mistral, Zhipu and VolcEngine: `collection_ids` to `knowledge_resource_id`.
 */
export const ID_FIELDS: Readonly<Record<string, StoredKind>> = {
  previous_response_id: 'response',
  file_id: 'file',
  file_ids: 'file',
  vector_store_ids: 'vector-store',
  container_id: 'container',
  skill_id: 'skill',
  tunnel_id: 'tunnel',
  previous_message_id: 'message',
  cachedContent: 'cache',
  cached_content: 'cache',
  fileUri: 'file',
  file_uri: 'file',
  fileSearchStoreNames: 'vector-store',
  file_search_store_names: 'vector-store',
  ragCorpus: 'corpus',
  rag_corpus: 'corpus',
  ragFileIds: 'file',
  rag_file_ids: 'file',
  datastore: 'corpus',
  dataStore: 'corpus',
  data_store: 'corpus',
  engine: 'corpus',
  collection_ids: 'corpus',
  library_ids: 'corpus',
  knowledge_id: 'corpus',
  knowledge_resource_id: 'corpus',
};

/** Members whose object may have an id. */
const OBJECTS: ReadonlyMap<string, StoredKind> = new Map([
  ['conversation', 'conversation'],
  ['container', 'container'],
  ['prompt', 'prompt'],
  ['voice', 'voice'],
  ['audio', 'audio'],
]);
/** Members whose text is an id. */
const TEXTS: readonly string[] = ['conversation', 'container', 'voice'];

const RULES: ReadonlyMap<string, StoredKind> = new Map([
  ...Object.entries(ID_FIELDS),
  ...[...OBJECTS].filter(([name]) => TEXTS.includes(name)),
  ...ADDRESS_KEYS.map((name) => [name, 'address'] as const),
]);

/** Members with text of or for a model: names in it are words. Citations and results are repeated, and open nothing. */
const WORDS: ReadonlySet<string> = new Set([
  'arguments',
  'parameters',
  'input_schema',
  'schema',
  'json_schema',
  'metadata',
  'args',
  'headers',
  'env',
  'annotations',
  'citations',
  'results',
  'logprobs',
  'structuredContent',
  'labels',
  'response_format',
  'responseSchema',
  'responseJsonSchema',
  'parametersJsonSchema',
  'generationConfig',
  'safetySettings',
]);

/** Members of an item without content. */
const ITEM_FRAME: ReadonlySet<string> = new Set(['type', 'id', 'status', 'role', 'phase', 'created_by']);
/** Without this member the vendor reads the rest of such an item from its own store. */
const ITEM_CONTENT: ReadonlyMap<string, string> = new Map([
  ['reasoning', 'encrypted_content'],
  ['compaction', 'encrypted_content'],
  ['image_generation_call', 'result'],
]);
const PROOFS: ReadonlySet<string> = new Set(ITEM_CONTENT.values());

const EMPTY_VALUES: ReadonlySet<string> = new Set(['null', '""', '[]', '{}']);
/** Output of Anthropic's code execution in an earlier turn, repeated. */
const REPEATED_AT_END: ReadonlySet<string> = new Set([
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
]);
/** Addresses of the web that a caller may name; everything else in `fileUri` names a file of Google's own store, whatever host of theirs it has. */
const WEB_FILE = /^https?:\/\/(?![^/]*generativelanguage)/i;
/** Google's own search engines have names by path; elsewhere the word means a search service. */
const GOOGLE_ENGINE = /^projects\//i;
/** Voices an account made: SiliconFlow's (https://docs.siliconflow.cn/en/api-reference/audio/upload-voice, read 2026-11-26), OpenAI's. */
const MADE_VOICE = /^(speech:|voice_)/i;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const MAX_KEY_BYTES = 64;

/** More of them are no request a person makes; each costs a look-up. */
export const MAX_STORED_IDS = 256;

/** A finder runs to its end before another begins. */
const cursor = new JsonCursor();

/** Ids of things kept at the vendor that a request names. Nearly every request names none, and that is known from its scan. */
export function storedIdsIn(document: ScannedObject, apiFormat: string): readonly StoredId[] {
  const { bytes, members, scanFlags = SCAN_FLAGS.named } = document;
  const hasItems = apiFormat === 'openai-responses';
  const isNamed = (scanFlags & (SCAN_FLAGS.named | SCAN_FLAGS.escaped)) !== 0;
  if (members.size === 0 || !(isNamed || (hasItems && (scanFlags & SCAN_FLAGS.id) !== 0))) return NONE;
  if (!isNamed && !members.has('prompt') && !mayReferToItems(document)) return NONE;
  const finder = new Finder(hasItems, false);
  cursor.reset(bytes, 0, bytes.length);
  finder.value('', undefined);
  return finder.found;
}

/** Returns true when a member of an event may hold an id: nearly every event has none, and that is known from its one reading. */
export const mayHoldId = (name: string, firstByte: number): boolean =>
  RULES.has(name) || (firstByte === OPEN_OBJECT && OBJECTS.has(name));

/** As `storedIdsIn`, of an event of a realtime session. Its items are the session's own. */
export function storedIdsInEvent(bytes: Buffer): readonly StoredId[] {
  const finder = new Finder(false, true);
  cursor.reset(bytes, 0, bytes.length);
  finder.value('', undefined);
  return finder.found;
}

/**
 * Clients repeat the conversation, and every item of it has its id. Whether one of them has no more than that is seen without looking into
 * what they hold.
 */
function mayReferToItems({ bytes, members }: ScannedObject): boolean {
  const input = members.get('input');
  if (input === undefined || bytes[input.start] !== OPEN_ARRAY) return false;
  cursor.reset(bytes, input.start, input.end);
  cursor.enterArray();
  while (cursor.nextElement())
    if (cursor.peek() !== OPEN_OBJECT ? !cursor.skipValue() : isBareItem()) return true;
  return false;
}

function isBareItem(): boolean {
  let contents = 0;
  let types = 0;
  let isOdd = false;
  let hasSignature = false;
  let hasRole = false;
  cursor.enterObject();
  while (cursor.nextMember()) {
    const isType = cursor.keyIs(TYPE);
    const isSignature = cursor.keyIs(ENCRYPTED_CONTENT) || cursor.keyIs(RESULT);
    const isRole = cursor.keyIs(ROLE);
    const isFrame = isType || isRole || cursor.keyIsOneOf(FRAME_KEYS);
    hasRole ||= isRole;
    cursor.peek();
    const from = cursor.at;
    cursor.skipValue();
    if (isType) {
      types += 1;
      isOdd ||= isEscaped(from, cursor.at) || ODD_TYPES.some((type) => isSame(type, from));
    } else if (!isFrame && !isEmpty(from, cursor.at)) {
      contents += 1;
      hasSignature ||= isSignature;
    }
  }
  const isUntold = types === 0 && !hasRole;
  return isUntold || contents === 0 || types > 1 || (isOdd && !hasSignature);
}

const TYPE = Buffer.from('type');
const ROLE = Buffer.from('role');
const FRAME_KEYS = [...ITEM_FRAME]
  .filter((name) => name !== 'type' && name !== 'role')
  .map((name) => Buffer.from(name));
const ENCRYPTED_CONTENT = Buffer.from('encrypted_content');
const RESULT = Buffer.from('result');
const ODD_TYPES = ['item_reference', ...ITEM_CONTENT.keys()].map((type) => Buffer.from(`"${type}"`));

const isSame = (word: Buffer, from: number): boolean =>
  cursor.at - from === word.length && cursor.bytes.compare(word, 0, word.length, from, cursor.at) === 0;

const NONE: readonly StoredId[] = [];

class Finder {
  readonly found: StoredId[] = [];

  constructor(
    private readonly hasItems: boolean,
    private readonly isEvent: boolean,
  ) {}

  /**
   * Passes the value the cursor stands on.
   * @param member  it is the value of, or stands in a list in
   * @param owner  what an `id` in it names
   */
  value(member: string, owner: StoredKind | undefined): void {
    const first = cursor.peek();
    if (first === OPEN_OBJECT) this.object(member, owner);
    else if (first === OPEN_ARRAY) {
      cursor.enterArray();
      while (cursor.nextElement()) this.value(member, owner);
    } else if (first === QUOTE) this.text(member);
    else cursor.skipValue();
  }

  private text(member: string): void {
    const kind = RULES.get(member);
    const from = cursor.at;
    if (!cursor.skipValue() || kind === undefined) return;
    if (kind === 'address' && !isStoreAddress(cursor.bytes, from + 1, cursor.at - 1)) return;
    if (kind === 'voice' && !MADE_VOICE.test(textIn(from, cursor.at).trim())) return;
    this.add(kind, member, from, cursor.at);
  }

  private object(member: string, owner: StoredKind | undefined): void {
    const isItem = this.hasItems && member === 'input' && owner === undefined;
    const item = isItem ? new ItemShape() : undefined;
    // A member given twice is where two readers may disagree: every one of them counts.
    let ids: Span[] | undefined;
    let isRepeatedAtEnd: boolean | undefined;
    const before = this.found.length;
    cursor.enterObject();
    while (cursor.nextMember()) {
      const key = keyOf();
      const first = cursor.peek();
      const from = cursor.at;
      if (key === 'id' && first === QUOTE) {
        cursor.skipValue();
        (ids ??= []).push([from, cursor.at]);
        continue;
      }
      if (key === 'type' && first === QUOTE) {
        cursor.skipValue();
        const type = textIn(from, cursor.at);
        isRepeatedAtEnd = REPEATED_AT_END.has(type) && isRepeatedAtEnd !== false;
        item?.types.push(type);
        continue;
      }
      this.member(key, first);
      item?.see(key, from, cursor.at);
    }
    if (isRepeatedAtEnd === true) this.forgetFiles(before);
    if (ids === undefined) return;
    const kind = owner ?? (item?.isReference === true ? 'item' : undefined);
    if (kind !== undefined) for (const [from, to] of ids) this.add(kind, member, from, to);
  }

  private member(key: string, first: number): void {
    if (first !== QUOTE && first !== OPEN_OBJECT && first !== OPEN_ARRAY) cursor.skipValue();
    else if (WORDS.has(key) || (!this.isEvent && isTextObject(key, first))) cursor.skipValue();
    else if (first === OPEN_OBJECT) this.object(key, OBJECTS.get(key));
    else this.value(key, undefined);
  }

  private forgetFiles(before: number): void {
    const kept = this.found.splice(before).filter(({ kind }) => kind !== 'file');
    this.found.push(...kept);
  }

  private add(kind: StoredKind, param: string, from: number, to: number): void {
    const id = textIn(from, to);
    if (id === '' || (kind === 'file' && /uri$/i.test(param) && WEB_FILE.test(id.trim()))) return;
    if (param === 'engine' && !GOOGLE_ENGINE.test(id.trim())) return;
    // Skills of the vendor's own have names, those of an account have ids.
    if (kind === 'skill' && !id.startsWith('skill_')) return;
    if (this.isEvent && kind === 'conversation' && OWN_CONVERSATIONS.has(id)) return;
    if (this.found.length > MAX_STORED_IDS || this.found.some((one) => one.id === id && one.kind === kind))
      return;
    this.found.push({ kind, id, param, isEscaped: isEscaped(from, to) });
  }
}

/** Owner of a response of a realtime session, instead of a stored conversation. */
const OWN_CONVERSATIONS: ReadonlySet<string> = new Set(['auto', 'none']);

type Span = readonly [from: number, to: number];

/** Members of an item that came with the request. */
class ItemShape {
  readonly types: string[] = [];
  private contents = 0;
  private hasRole = false;
  private readonly signatures: string[] = [];

  see(key: string, from: number, to: number): void {
    this.hasRole ||= key === 'role';
    if (ITEM_FRAME.has(key) || isEmpty(from, to)) return;
    this.contents += 1;
    if (PROOFS.has(key)) this.signatures.push(key);
  }

  /** Returns true when the vendor has to look it up to read its content. */
  get isReference(): boolean {
    if (this.contents === 0 || (this.types.length === 0 && !this.hasRole)) return true;
    return this.types.some((type) => {
      const needed = ITEM_CONTENT.get(type);
      return type === 'item_reference' || (needed !== undefined && !this.signatures.includes(needed));
    });
  }
}

/** Arguments of a tool as an object (Anthropic's `input`), and what a function gave (Google's `response`). */
const isTextObject = (key: string, first: number): boolean =>
  first === OPEN_OBJECT && (key === 'input' || key === 'response' || key === 'content_filter_results');

function keyOf(): string {
  if (cursor.keyEscaped) return textIn(cursor.keyStart - 1, cursor.keyEnd + 1);
  return cursor.keyEnd - cursor.keyStart > MAX_KEY_BYTES ? '' : cursor.keyText();
}

function textIn(from: number, to: number): string {
  try {
    const text: unknown = JSON.parse(cursor.bytes.toString('utf8', from, to));
    return typeof text === 'string' ? text : '';
  } catch {
    return ''; // an escape JSON does not know: no id is written with it
  }
}

const isEscaped = (from: number, to: number): boolean => cursor.bytes.subarray(from, to).includes(BACKSLASH);

/** Null, or nothing in it. */
function isEmpty(from: number, to: number): boolean {
  if (to - from > 16) return false;
  if (cursor.bytes[from] === QUOTE) return to - from === 2;
  return EMPTY_VALUES.has(cursor.bytes.toString('latin1', from, to).replace(/\s/g, ''));
}

/** Those of the ids that are in the bytes that leave: what was left out on the way opens nothing. */
export const idsLeaving = (ids: readonly StoredId[], body: Buffer): readonly StoredId[] =>
  ids.filter(({ id, isEscaped }) => isEscaped || body.includes(JSON.stringify(id).slice(1, -1)));
