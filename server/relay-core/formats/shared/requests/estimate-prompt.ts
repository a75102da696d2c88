import { tokensOfWeight, weighBytes } from '../../../framing/estimate-tokens.js';
import { JsonCursor } from '../../../framing/json-cursor.js';
import type { ScannedObject } from '../../../framing/json-splice.js';

const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;

/** Frame around one message, and around the whole prompt. */
const TOKENS_PER_MESSAGE = 3;
const TOKENS_TO_PRIME = 3;
const TOKENS_PER_TOOL = 8;

/** Media are not opened: each kind stands for a usual size. */
const TOKENS_PER_IMAGE = 765;
export const TOKENS_PER_AUDIO = 256;
const TOKENS_PER_FILE = 4_096;
const TOKENS_PER_VIDEO = 8_192;

const MEDIA_KEYS: ReadonlyMap<string, number> = new Map([
  ['url', TOKENS_PER_IMAGE],
  ['image_url', TOKENS_PER_IMAGE],
  ['data', TOKENS_PER_AUDIO],
  ['file_data', TOKENS_PER_FILE],
  ['file_id', TOKENS_PER_FILE],
  ['file_url', TOKENS_PER_FILE],
  ['video_url', TOKENS_PER_VIDEO],
  ['fileUri', TOKENS_PER_FILE],
  ['file_uri', TOKENS_PER_FILE],
]);
/** Members of a message that the model does not read as text. */
const SILENT_KEYS: ReadonlySet<string> = new Set([
  'role',
  'type',
  'id',
  'tool_call_id',
  'call_id',
  'tool_use_id',
  'media_type',
  'signature',
  'encrypted_content',
  'thoughtSignature',
  'thought_signature',
  'mimeType',
  'mime_type',
  'detail',
  'format',
  'filename',
]);

/** Prefix of the values in which this gateway keeps text, in base64url. */
const OWN_TEXT = Buffer.from('tollgate-');

/** The members of nearly every message: compared as bytes, so that no string is made of their names. */
const ROLE = Buffer.from('role');
const CONTENT = Buffer.from('content');

/** Longest text that is weighed byte by byte; beyond it a third of its bytes is assumed. */
const MAX_WEIGHED_BYTES = 256 * 1024;

/**
 * Estimates prompts from their bytes, without parsing them: message texts, tools, one usual size per image, audio or
 * file. For holds, and for the charge of a reply whose vendor gave no figures.
 */
export class PromptEstimator {
  private readonly cursor = new JsonCursor();
  private weight = 0;
  private tokens = 0;

  /** Tokens of a chat's `messages`: a list, or one text. The span must be valid JSON. */
  messages(bytes: Buffer, start: number, end: number): number {
    this.begin(bytes, start, end);
    this.tokens = TOKENS_TO_PRIME;
    if (!this.cursor.enterArray()) return this.inputs(bytes, start, end);
    while (this.cursor.nextElement()) {
      this.tokens += TOKENS_PER_MESSAGE;
      this.value(0);
    }
    return this.total();
  }

  /** Tokens of `tools` or `functions`: schemas are read by the model as they stand. */
  tools(bytes: Buffer, start: number, end: number): number {
    this.begin(bytes, start, end);
    if (!this.cursor.enterArray()) return 0;
    while (this.cursor.nextElement()) {
      this.tokens += TOKENS_PER_TOOL;
      this.cursor.peek();
      const from = this.cursor.at;
      if (!this.cursor.skipValue()) break;
      this.weigh(from, this.cursor.at);
    }
    return this.total();
  }

  /** Tokens of an embedding's `input`: a text, texts, token numbers, or lists of them. */
  inputs(bytes: Buffer, start: number, end: number): number {
    this.begin(bytes, start, end);
    this.value(0);
    return Math.max(1, this.total());
  }

  private begin(bytes: Buffer, start: number, end: number): void {
    this.cursor.reset(bytes, start, end);
    this.weight = 0;
    this.tokens = 0;
  }

  private total(): number {
    return this.tokens + tokensOfWeight(this.weight);
  }

  /** @param mediaTokens  what a string here stands for; 0 = it is text, -1 = it is not read */
  private value(mediaTokens: number): void {
    const { cursor } = this;
    const first = cursor.peek();
    if (first === OPEN_OBJECT) {
      cursor.enterObject();
      while (cursor.nextMember()) this.value(this.mediaTokensOfKey());
    } else if (first === OPEN_ARRAY) {
      cursor.enterArray();
      while (cursor.nextElement()) this.value(mediaTokens);
    } else {
      const from = cursor.at;
      if (!cursor.skipValue()) return;
      if (first !== QUOTE) this.tokens += 1;
      else if (mediaTokens > 0) this.tokens += mediaTokens;
      else if (mediaTokens === 0 || this.holdsText(from + 1)) this.weigh(from + 1, cursor.at - 1);
    }
  }

  /** Tokens that a string under the key at the cursor stands for, as `value` takes them. */
  private mediaTokensOfKey(): number {
    const { cursor } = this;
    if (cursor.keyIs(CONTENT)) return 0;
    if (cursor.keyIs(ROLE)) return -1;
    const key = cursor.keyEnd - cursor.keyStart > 20 ? '' : cursor.keyText();
    return SILENT_KEYS.has(key) ? -1 : (MEDIA_KEYS.get(key) ?? 0);
  }

  /** Thoughts and summaries that this gateway wrote into `encrypted_content` reach the model as text. */
  private holdsText(from: number): boolean {
    const { bytes } = this.cursor;
    return (
      bytes.length >= from + OWN_TEXT.length &&
      bytes.compare(OWN_TEXT, 0, OWN_TEXT.length, from, from + OWN_TEXT.length) === 0
    );
  }

  private weigh(from: number, to: number): void {
    if (to - from > MAX_WEIGHED_BYTES) this.tokens += Math.ceil((to - from) / 3);
    else this.weight += weighBytes(this.cursor.bytes, from, to);
  }
}

const estimator = new PromptEstimator();

/** Which members of a call are a conversation, which are tools, which are anything else that the model reads. */
type PromptFields = Partial<Record<'messages' | 'tools' | 'inputs', readonly string[]>>;

/** Tokens of these members together; those that are not there count nothing. */
export function estimateFields({ bytes, members }: ScannedObject, kinds: PromptFields): number {
  let tokens = 0;
  for (const kind of ['messages', 'tools', 'inputs'] as const)
    for (const name of kinds[kind] ?? []) {
      const span = members.get(name);
      if (span !== undefined) tokens += estimator[kind](bytes, span.start, span.end);
    }
  return tokens;
}

/** Longest value that is taken for a setting: longer ones may be a prompt under a name that only the vendor reads. */
const LONGEST_SETTING = 64;

/**
 * Tokens of the members that a format does not read and passes on (`messages` of an embedding): a vendor may read them as the prompt.
 * @param read  members whose tokens are counted, or that are settings
 */
export function estimateUnread({ bytes, members }: ScannedObject, read: ReadonlySet<string>): number {
  let tokens = 0;
  for (const [name, { start, end }] of members) {
    if (end - start <= LONGEST_SETTING || read.has(name)) continue;
    tokens += estimator[name === 'messages' ? 'messages' : 'inputs'](bytes, start, end);
  }
  return tokens;
}

/** Tokens of a text that is no member of its own. */
export function estimateText(text: string): number {
  const json = Buffer.from(JSON.stringify(text));
  return estimator.inputs(json, 0, json.length);
}
