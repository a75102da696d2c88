import { spliceFields } from '../../framing/json-splice.js';
import type { ParsedCall, RequestEdits } from '../contract/api-format.js';
import type { Warning } from '../../model/warning.js';
import { withoutBlankTexts } from './blank-texts.js';
import { defaultCapOfModel, modelRulesOf } from './model-rules.js';
import { FORBIDDEN_FIELDS } from './parse-call.js';
import { asksForScope, withTakenMarks } from './passed-marks.js';
import { BETA_HEADER, listBetas } from './vendor-headers.js';
import { JsonCursor } from '../../framing/json-cursor.js';
import { mediaTypeOf } from '../shared/fields/media-bytes.js';

const MESSAGES = Buffer.from('messages');
const CONTENT = Buffer.from('content');
const SOURCE = Buffer.from('source');
const MEDIA_TYPE = Buffer.from('media_type');
const DATA = Buffer.from('data');
const TYPE_KEY = Buffer.from('"media_type"');
const IMAGE_TYPE = /^(?:image\/[a-z0-9.+*-]{1,32}|application\/octet-stream)$/i;
const MAX_TYPE = 40;
/** The beginning of the bytes. */
const BASE64 = /^[A-Za-z0-9+/_-]{16,64}/;
const HEAD_BYTES = 64;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const QUOTE = 0x22;

/** A walk runs to its end before another begins. */
const cursor = new JsonCursor();

/** Hash of the string that was just passed. */
const textFrom = (start: number, most: number): string =>
  cursor.bytes.toString('latin1', start, Math.min(start + most, cursor.at - 1));

const NOTHING = Buffer.alloc(0);

/**
 * Pass-through: the caller's own bytes with the upstream's model name, a cap where the caller named none, members taken out
 * that must not leave or that the vendor refuses, images under the type they have, and no blank texts. Every other byte stays.
 * @param warnings  absent = nothing is repaired
 */
export function spliceMessagesRequest(
  call: ParsedCall<'chat'>,
  edits: RequestEdits,
  warnings?: Warning[],
): Buffer {
  const changes = spliceChanges(call, edits);
  const body = changes.size === 0 ? call.document.bytes : spliceFields(call.document, changes);
  if (warnings === undefined) return body;
  const scope = asksForScope(listBetas(call.vendorHeaders?.[BETA_HEADER]) ?? []);
  return repaired(withTakenMarks(body, { scope, ttl: true }, warnings), call);
}

/** A body that passes, without forms that clients keep in a history and the vendor refuses. */
export const repaired = (body: Buffer, { document }: Pick<ParsedCall<'chat'>, 'document'>): Buffer =>
  withSniffedMediaTypes(withoutBlankTexts(body, document));

/** Changes of pass-through: a value to write, or `undefined` to take the member out. */
export function spliceChanges(call: ParsedCall<'chat'>, edits: RequestEdits): Map<string, unknown> {
  const { document, shape } = call;
  const changes = new Map<string, unknown>();
  if (!document.members.has('model') || edits.upstreamModel !== shape.model) {
    changes.set('model', edits.upstreamModel);
  }
  const cap = edits.outputCap ?? (shape.outputCap === undefined ? defaultCapOf(edits) : undefined);
  if (cap !== undefined) changes.set('max_tokens', cap);
  else if (!document.members.has('max_tokens')) changes.set('max_tokens', shape.outputCap);
  if (document.members.has('max_tokens_to_sample')) changes.set('max_tokens_to_sample', undefined);
  for (const name of FORBIDDEN_FIELDS) if (document.members.has(name)) changes.set(name, undefined);
  for (const name of edits.refusedMembers) if (document.members.has(name)) changes.set(name, undefined);
  return changes;
}

/** Output tokens of a call without a cap: the operator's default, else that of the model. */
export const defaultCapOf = (edits: RequestEdits): number =>
  edits.defaultOutputCap ?? defaultCapOfModel(modelRulesOf(edits.upstreamModel));

/** A type that is not the one of the bytes beside it. */
interface Correction {
  readonly from: number;
  readonly to: number;
  readonly sniffed: string;
}

/**
 * The body with the media types that its images' bytes have: this vendor checks, and refuses a whole conversation for one image of a
 * wrong type, in every turn that follows. An image is the `source` of a block, and blocks stand in the `content` of messages,
 * results and documents (https://docs.claude.com/en/api/messages, read 2026-11-26); the input of a tool is no image, whatever its
 * members are called.
 */
export function withSniffedMediaTypes(body: Buffer): Buffer {
  if (!body.includes(TYPE_KEY)) return body;
  const corrections: Correction[] = [];
  cursor.reset(body, 0, body.length);
  eachField(() => (cursor.keyIs(MESSAGES) ? blocks(corrections) : cursor.skipValue()));
  cursor.reset(NOTHING, 0, 0);
  if (corrections.length === 0) return body;
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { from, to, sniffed } of corrections) {
    pieces.push(body.subarray(at, from), Buffer.from(sniffed));
    at = to;
  }
  return Buffer.concat([...pieces, body.subarray(at)]);
}

/** Messages, or blocks: both have `content`, and only blocks have a `source`. */
function blocks(corrections: Correction[]): void {
  if (cursor.peek() !== OPEN_ARRAY) return void cursor.skipValue();
  cursor.enterArray();
  while (cursor.nextElement())
    eachField(() => {
      if (cursor.keyIs(CONTENT)) blocks(corrections);
      else if (cursor.keyIs(SOURCE)) source(corrections);
      else cursor.skipValue();
    });
}

function source(corrections: Correction[]): void {
  let from = 0;
  let declared = '';
  let data = '';
  eachField(() => {
    if (cursor.keyIs(CONTENT)) return blocks(corrections);
    const start = cursor.peek() === QUOTE ? cursor.at + 1 : undefined;
    cursor.skipValue();
    if (start === undefined) return;
    if (cursor.keyIs(DATA)) data = textFrom(start, HEAD_BYTES);
    else if (cursor.keyIs(MEDIA_TYPE)) [from, declared] = [start, textFrom(start, MAX_TYPE)];
  });
  const head = IMAGE_TYPE.test(declared) ? BASE64.exec(data)?.[0] : undefined;
  const sniffed = head === undefined ? undefined : mediaTypeOf(head, declared);
  if (sniffed !== undefined && sniffed !== declared && sniffed.startsWith('image/'))
    corrections.push({ from, to: from + declared.length, sniffed });
}

function eachField(visit: () => void): void {
  if (cursor.peek() !== OPEN_OBJECT) return void cursor.skipValue();
  cursor.enterObject();
  while (cursor.nextMember()) visit();
}
