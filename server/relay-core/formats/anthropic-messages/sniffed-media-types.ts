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

/** A type that is not the one of the bytes beside it. */
interface Correction {
  readonly from: number;
  readonly to: number;
  readonly sniffed: string;
}

/**
 * The body with the media types that its pictures' bytes have: this vendor checks, and refuses a whole conversation for one picture of a
 * wrong type, in every turn that follows. A picture is the `source` of a block, and blocks stand in the `content` of messages,
 * results and documents (https://docs.claude.com/en/api/messages, read 2026-11-26); what a tool is asked is no picture, whatever its
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

/** Of the string that was just passed. */
const textFrom = (start: number, most: number): string =>
  cursor.bytes.toString('latin1', start, Math.min(start + most, cursor.at - 1));

const NOTHING = Buffer.alloc(0);
