import { mediaTypeOf } from '../shared/fields/media-bytes.js';

const TYPE_KEY = Buffer.from('"media_type"');
const DATA_KEY = Buffer.from('"data"');
const TYPE = /^\s*:\s*"(image\/[a-z0-9.+*-]{1,32}|application\/octet-stream)"/i;
/** The beginning of the bytes, behind their type or before it. */
const DATA_BEHIND = /^\s*,\s*"data"\s*:\s*"([A-Za-z0-9+/_-]{16,64})/;
const DATA_BEFORE = /^"data"\s*:\s*"([A-Za-z0-9+/_-]{16,64})/;
const END_OF_DATA = /"\s*,\s*$/;
const HEAD_BYTES = 160;
const TAIL_BYTES = 16;
const QUOTE = 0x22;

/**
 * The body with the types its pictures' bytes have: this vendor looks, and refuses the whole conversation for one picture under
 * another's name, in every turn that follows. Nothing else is touched.
 */
export function withSeenMediaTypes(body: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (let at = body.indexOf(TYPE_KEY); at !== -1; at = body.indexOf(TYPE_KEY, at + TYPE_KEY.length)) {
    const behind = at + TYPE_KEY.length;
    const said = TYPE.exec(latin1(body, behind));
    const declared = said?.[1];
    if (said === null || declared === undefined) continue;
    const end = behind + said[0].length;
    const data = DATA_BEHIND.exec(latin1(body, end))?.[1] ?? dataBefore(body, at);
    const seen = data === undefined ? undefined : mediaTypeOf(data, declared);
    if (seen === undefined || seen === declared || !seen.startsWith('image/')) continue;
    pieces.push(body.subarray(from, end - declared.length - 1), Buffer.from(seen));
    from = end - 1;
  }
  return from === 0 ? body : Buffer.concat([...pieces, body.subarray(from)]);
}

const latin1 = (body: Buffer, from: number): string => body.toString('latin1', from, from + HEAD_BYTES);

/** Of a member that stands right before the type's. */
function dataBefore(body: Buffer, at: number): string | undefined {
  const end = END_OF_DATA.exec(body.toString('latin1', Math.max(0, at - TAIL_BYTES), at));
  if (end === null) return undefined;
  const closing = at - end[0].length;
  const start = body.lastIndexOf(DATA_KEY, closing);
  const data = start === -1 ? null : DATA_BEFORE.exec(latin1(body, start));
  if (data?.[1] === undefined) return undefined;
  const inside = start + data[0].length;
  return body.indexOf(QUOTE, inside) === closing ? data[1] : undefined;
}
