import { JsonCursor } from '../../framing/json-cursor.js';

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A message, a block of its content, or a tool, in the caller's bytes. */
export interface PassedItem extends Span {
  /** Empty = it names none. */
  readonly role: string;
  readonly type: string;
  /** A text of white space alone. */
  readonly isBlank: boolean;
  readonly isError: boolean;
  /** Value of `cache_control`. */
  readonly cache?: Span;
  readonly content?: PassedContent;
}

/** A string, or a list of blocks. */
export interface PassedContent extends Span {
  /** A string of white space alone. */
  readonly isBlank: boolean;
  readonly items: readonly PassedItem[];
}

/** Lists of a Messages body whose items may hold texts and marks of cached prefixes. */
export interface PassedLists {
  readonly system?: PassedContent;
  readonly messages?: PassedContent;
  readonly tools?: PassedContent;
  /** Value of the body's own `cache_control`. */
  readonly cache?: Span;
}

/** A replacement of bytes; edits of a body do not overlap. */
export interface Edit extends Span {
  readonly text: string;
}

const KEYS = {
  system: Buffer.from('system'),
  messages: Buffer.from('messages'),
  tools: Buffer.from('tools'),
  cache: Buffer.from('cache_control'),
  content: Buffer.from('content'),
  role: Buffer.from('role'),
  type: Buffer.from('type'),
  text: Buffer.from('text'),
  isError: Buffer.from('is_error'),
} as const;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const QUOTE = 0x22;
const SMALL_T = 0x74;
const BLANK = /^"(?:[ \t\n\r]|\\[nrt])*"$/;
/** Bytes of a text beyond this length are not read: it is not blank by accident. */
const LONGEST_BLANK = 4_096;

/** A walk runs to its end before another begins. */
const cursor = new JsonCursor();
const NOTHING = Buffer.alloc(0);

/** Inputs of tools are not entered: their members may have any name. */
export function passedLists(body: Buffer): PassedLists {
  const found: { system?: PassedContent; messages?: PassedContent; tools?: PassedContent; cache?: Span } = {};
  cursor.reset(body, 0, body.length);
  eachMember(() => {
    if (cursor.keyIs(KEYS.system)) found.system = readContent();
    else if (cursor.keyIs(KEYS.messages)) found.messages = readContent();
    else if (cursor.keyIs(KEYS.tools)) found.tools = readContent();
    else if (cursor.keyIs(KEYS.cache)) found.cache = skip();
    else cursor.skipValue();
  });
  cursor.reset(NOTHING, 0, 0);
  return found;
}

/** The body with all replacements. */
export function withEdits(body: Buffer, edits: readonly Edit[]): Buffer {
  if (edits.length === 0) return body;
  const pieces: Buffer[] = [];
  let at = 0;
  for (const { start, end, text } of edits.toSorted((left, right) => left.start - right.start)) {
    pieces.push(body.subarray(at, start), Buffer.from(text));
    at = end;
  }
  return Buffer.concat([...pieces, body.subarray(at)]);
}

function readContent(): PassedContent {
  if (cursor.peek() !== OPEN_ARRAY) {
    const span = skip();
    return { ...span, isBlank: isBlankAt(span), items: [] };
  }
  const start = cursor.at;
  const items: PassedItem[] = [];
  cursor.enterArray();
  while (cursor.nextElement()) items.push(readItem());
  return { start, end: cursor.at, isBlank: false, items };
}

function readItem(): PassedItem {
  const item = { role: '', type: '', isBlank: false, isError: false };
  const found: { cache?: Span; content?: PassedContent } = {};
  cursor.peek();
  const start = cursor.at;
  eachMember(() => {
    if (cursor.keyIs(KEYS.content)) return void (found.content = readContent());
    if (cursor.keyIs(KEYS.cache)) return void (found.cache = skip());
    const isText = cursor.keyIs(KEYS.text);
    const isRole = cursor.keyIs(KEYS.role);
    const isType = cursor.keyIs(KEYS.type);
    const isError = cursor.keyIs(KEYS.isError);
    const first = cursor.peek();
    const span = skip();
    if (isError) item.isError = first === SMALL_T;
    if (first !== QUOTE) return;
    if (isText) item.isBlank = isBlankAt(span);
    if (isRole) item.role = wordAt(span);
    if (isType) item.type = wordAt(span);
  });
  return { ...item, ...found, start, end: cursor.at };
}

const wordAt = ({ start, end }: Span): string => cursor.bytes.toString('latin1', start + 1, end - 1);

const isBlankAt = ({ start, end }: Span): boolean =>
  end - start <= LONGEST_BLANK && BLANK.test(cursor.bytes.toString('latin1', start, end));

function skip(): Span {
  cursor.peek();
  const start = cursor.at;
  cursor.skipValue();
  return { start, end: cursor.at };
}

function eachMember(visit: () => void): void {
  if (cursor.peek() !== OPEN_OBJECT) return void cursor.skipValue();
  cursor.enterObject();
  while (cursor.nextMember()) visit();
}
