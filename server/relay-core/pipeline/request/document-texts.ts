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
