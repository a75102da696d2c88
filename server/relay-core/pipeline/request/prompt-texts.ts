import type { ContentPart } from '../../model/content.js';
import type { Operation } from '../../model/operation.js';
import type { NeutralRequest, ParsedCall } from '../../formats/contract/api-format.js';
import { ownSummary } from '../../formats/compacted-history.js';
import { parseJson } from '../../../common/parse-json.js';

/** Members whose text no model reads as words: names of things, signatures, bytes. */
const SILENT_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'role',
  'type',
  'id',
  'tool_call_id',
  'call_id',
  'tool_use_id',
  'media_type',
  'mime_type',
  'mimeType',
  'signature',
  'encrypted_content',
  'thoughtSignature',
  'thought_signature',
  'data',
  'b64_json',
  'file_data',
  'bytesBase64Encoded',
  'user',
  'safety_identifier',
  'prompt_cache_key',
]);
/**
 * Bytes in base64: a sentence that only begins like them has blanks in it, or no such head. No sign fits two parts of it, so that a long
 * text is walked once.
 */
const BYTES = /^\s*data:[^,\s]{0,1024};base64,[\w+/=%\r\n-]*[ \t]*$/i;
const MAX_DEPTH = 64;
/** Names above this belong to the grammar; below it callers choose them (properties of a tool's schema). */
const NAMES_FROM_DEPTH = 3;

type Readers = { readonly [O in Operation]: (request: NeutralRequest<O>) => Iterable<string> };

/** The words a caller wrote, by operation. */
const READERS: Readers = {
  *chat({ messages }) {
    for (const { content } of messages) {
      const texts = content.map(textOf).filter((text) => text !== '');
      yield* texts;
      // A model reads the parts of a message as one text: a word cut in two still counts.
      if (texts.length > 1) yield texts.join('');
    }
  },
  *embed({ inputs }) {
    for (const input of inputs) if (typeof input === 'string') yield input;
  },
  image: ({ prompt }) => [prompt],
  speak: ({ text, instructions }) => (instructions === undefined ? [text] : [text, instructions]),
  transcribe: ({ prompt }) => (prompt === undefined ? [] : [prompt]),
  moderate: () => [],
  rerank: ({ query, documents }) => [query, ...documents],
  // The texts of its body are all there is.
  submit: () => [],
};

/**
 * Every text of a request that is searched for forbidden words: the texts of the neutral model, and every other text of
 * a JSON body, since words reach a model by descriptions of tools, schemas and members of one format only just as well.
 * Text sent to moderation is not searched.
 */
export function* promptTexts<O extends Operation>(
  parsed: Pick<ParsedCall<O>, 'shape' | 'document'>,
  request: NeutralRequest<O>,
): Generator<string> {
  const operation = parsed.shape.operation as O;
  if (operation === 'moderate') return;
  const read: (request: NeutralRequest<O>) => Iterable<string> = READERS[operation];
  yield* read(request);
  const { bytes } = parsed.document;
  if (bytes[0] === undefined || parsed.document.members.size === 0) return;
  // The fields of a form are in the neutral request.
  yield* documentTexts(parseJson(bytes));
}

const TEXT_TYPE = /^(?:text\/|application\/(?:json|xml|x-ndjson|yaml|x-yaml|rtf))/i;
/** Searched bytes of a text file in base64; the rest is not searched. */
const MAX_FILE_CHARACTERS = 16 * 1024 * 1024;

function textOf(part: ContentPart): string {
  if (part.type === 'tool-call') return part.json;
  if ('text' in part) return part.text;
  if (part.type === 'vendor') return ownSummary(part) ?? '';
  if (part.type !== 'file' || part.source.kind !== 'base64') return '';
  const { base64, mediaType } = part.source;
  const isText = mediaType !== undefined && TEXT_TYPE.test(mediaType);
  return isText ? Buffer.from(base64.slice(0, MAX_FILE_CHARACTERS), 'base64').toString('utf8') : '';
}

/**
 * Every text of a JSON document that a model may read: values and names of members, whatever format they belong to, so that
 * no corner of a grammar is a way around the operator's words. Texts that are JSON themselves (arguments of tools) are
 * read too, escapes and all; bytes in base64 are not.
 */
export function* documentTexts(value: unknown, depth = 0): Generator<string> {
  if (typeof value === 'string') {
    if (BYTES.test(value)) return;
    yield value;
    if (value.includes('\\u')) yield* nestedTexts(value, depth);
    return;
  }
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
  if (Array.isArray(value)) {
    for (const item of value) yield* documentTexts(item, depth + 1);
    return;
  }
  for (const [name, member] of Object.entries(value)) {
    if (depth >= NAMES_FROM_DEPTH) yield name;
    if (typeof member !== 'string' || !SILENT_FIELDS.has(name)) yield* documentTexts(member, depth + 1);
  }
}

function* nestedTexts(text: string, depth: number): Generator<string> {
  const inner = parseJson(text);
  if (typeof inner === 'object') yield* documentTexts(inner, depth + 1);
}
