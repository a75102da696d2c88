import type { ByteText } from '../../../common/byte-text.js';

const FIELD_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const TAB = 0x09;
const BLANK = 0x20;
const COLON = 0x3a;
const DELETE = 0x7f;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** `name: value` and the end of the line. Fails: throws TypeError for a field that cannot be sent. */
export function writeField(out: ByteText, name: string, value: string): void {
  if (!FIELD_NAME.test(name)) throw unsendable(name);
  const nameLength = name.length;
  const valueLength = value.length;
  out.makeRoom(nameLength + valueLength + 4);
  const { bytes } = out;
  let at = out.length;
  for (let index = 0; index < nameLength; index += 1) bytes[at + index] = name.charCodeAt(index);
  at += nameLength;
  bytes[at] = COLON;
  bytes[at + 1] = BLANK;
  at += 2;
  for (let index = 0; index < valueLength; index += 1) {
    const code = value.charCodeAt(index);
    if ((code < BLANK && code !== TAB) || code > 0xff || code === DELETE) throw unsendable(name);
    bytes[at + index] = code;
  }
  at += valueLength;
  bytes[at] = CARRIAGE_RETURN;
  bytes[at + 1] = LINE_FEED;
  out.length = at + 2;
}

const unsendable = (name: string): TypeError =>
  new TypeError(`the header ${name.slice(0, 64)} cannot be sent`);
