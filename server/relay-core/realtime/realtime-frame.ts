import { mayHoldId } from '../pipeline/reply/stored-ids.js';
import { isFetchedKey, mayBeFetched } from '../framing/fetched-members.js';
import { JsonCursor, MAX_JSON_NODES } from '../framing/json-cursor.js';
import { documentOf, type Document } from '../formats/shared/fields/json-fields.js';
import { parseJson } from '../../common/parse-json.js';

const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
/** An image whose bytes stand in its address; any other data address is a text. */
const PICTURE_ADDRESS = /^data:image\/(?:png|jpe?g|gif|webp|heic|heif|avif|bmp|tiff);base64,/i;
const MAX_ADDRESS_HEAD = 40;
/** Largest part of a frame beside its audio and images: a whole context of a realtime model in text. */
export const MAX_FRAME_TEXT_BYTES = 512 * 1024;
const MAX_WORD = 256;

/** Reason a frame is refused; depth, values and members are limited as those of bodies are. */
export type FrameFault = 'too-deep' | 'too-many-values' | 'too-many-keys' | 'too-much-text';

/** A piece of a frame's bytes, quotes excluded. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const NO_SPAN: Span = { from: 0, to: 0 };

/** The place of a value: a member is audio or an image only where the API format has one, whatever it is called elsewhere. */
type Place = 'root' | 'response' | 'items' | 'item' | 'parts' | 'part' | 'other';
/** Kinds of parts whose `audio` is sound, and whose `image_url` is an image; some clients leave the kind out. */
const SOUND_PARTS: ReadonlySet<string> = new Set(['', 'input_audio', 'output_audio', 'audio']);
const PICTURE_PARTS: ReadonlySet<string> = new Set(['', 'input_image', 'image_url', 'image']);
const APPEND = 'input_audio_buffer.append';
/** Members of an event that decide on money: written twice in one object, two readers may take a different one. */
const DECIDING: ReadonlyMap<string, number> = new Map(
  [
    'type',
    'session',
    'response',
    'audio',
    'input',
    'model',
    'transcription',
    'input_audio_transcription',
    'turn_detection',
    'max_output_tokens',
    'max_response_output_tokens',
    'conversation',
    'item',
    'content',
    'text',
    'output',
    'image_url',
    'instructions',
    'tools',
    'format',
    'input_audio_format',
    'output_audio_format',
  ].map((name, index) => [name, 1 << index]),
);

/**
 * One frame of a realtime session, read in its bytes whatever kind it claims to be. Audio and images are skipped; the rest becomes
 * an object only on request, and only if it was found to be within the limits.
 */
export class RealtimeFrame {
  /** Beyond a limit: nothing of it is to be read or passed on. */
  fault: FrameFault | undefined;
  /** False = not one JSON text: its meaning is unknown here. */
  isReadable = false;
  type = '';
  /** The response that a frame of the upstream is about. */
  responseId = '';
  /** A member that decides on money is written twice. */
  isAmbiguous = false;
  /** A member of it may name what the vendor keeps (pipeline/stored-ids.ts). */
  mayNameStored = false;
  /** A member of it may hold an address to fetch (pipeline/request/named-hosts.ts). */
  mayNameHosts = false;
  /** Inside of the member `delta`. */
  delta: Span = NO_SPAN;
  /** Characters of base64 of all sounds in it, deltas excluded. */
  audioLength = 0;
  private item = NO_SPAN;
  private values = 0;
  private unread: Span[] = [];
  private readonly words: Span[] | undefined;
  /** Texts of parts that stand beside each other: the model reads them as one. */
  private readonly lists: Span[][] | undefined;
  private document: Document | undefined;

  private constructor(
    readonly bytes: Buffer,
    keepsTexts: boolean,
    private readonly isFromClient: boolean,
  ) {
    this.words = keepsTexts ? [] : undefined;
    this.lists = keepsTexts ? [] : undefined;
  }

  /** Fails: never; `fault` and `isReadable` hold the result. @param keepsTexts  `texts` will be read */
  static read(bytes: Buffer, keepsTexts = false): RealtimeFrame {
    return new RealtimeFrame(bytes, keepsTexts, true).scan();
  }

  /** A frame of the vendor: no member of it is judged for being written twice. */
  static readServer(bytes: Buffer): RealtimeFrame {
    return new RealtimeFrame(bytes, false, false).scan();
  }

  private scan(): this {
    const { bytes } = this;
    const cursor = CURSOR;
    cursor.reset(bytes, 0, bytes.length);
    this.isReadable = this.walk(cursor) && cursor.isAtEnd();
    if (cursor.fault !== null && cursor.fault !== 'malformed') this.fault ??= cursor.fault;
    if (bytes.length > MAX_FRAME_TEXT_BYTES && bytes.length - this.unreadBytes() > MAX_FRAME_TEXT_BYTES)
      this.fault ??= 'too-much-text';
    if (this.isReadable && this.fault === undefined) return this;
    this.isReadable = false;
    this.type = '';
    this.audioLength = 0;
    this.delta = NO_SPAN;
    return this;
  }

  /** The item that a frame of the upstream is about; empty = none. */
  get itemId(): string {
    return stringIn(this.bytes, this.item.from, this.item.to);
  }

  /** Its members, with audio and images empty; none when it cannot be read. */
  get members(): Document {
    this.document ??= this.parse();
    return this.document;
  }

  /** All texts except audio and images, those of repeated members too. */
  get texts(): readonly string[] {
    const texts = (this.words ?? []).map(({ from, to }) => textIn(this.bytes, from, to));
    const inAddresses = texts.flatMap((text) => textInAddress(text) ?? []);
    return [...texts, ...inAddresses, ...this.joinedTexts];
  }

  /** Texts of the parts of each item, as one text each. */
  get joinedTexts(): readonly string[] {
    return (this.lists ?? [])
      .filter((list) => list.length > 0)
      .map((list) => list.map(({ from, to }) => textIn(this.bytes, from, to)).join(''));
  }

  /** Bytes beside sounds and images. */
  get textBytes(): number {
    return this.bytes.length - this.unreadBytes();
  }

  /** The piece of speech this frame brings is sound. */
  get isSpoken(): boolean {
    return SPOKEN_DELTAS.has(this.type);
  }

  /** A text that is no JSON is not ours to judge: the frame passes untouched, and the other side decides. */
  private parse(): Document {
    return this.isReadable ? documentOf(parseJson(this.withoutMedia())) : NOTHING;
  }

  private withoutMedia(): string {
    const { bytes } = this;
    const pieces: string[] = [];
    let at = 0;
    for (const { from, to } of this.unread) {
      pieces.push(bytes.toString('utf8', at, from));
      at = to;
    }
    pieces.push(bytes.toString('utf8', at));
    return pieces.join('');
  }

  private unreadBytes(): number {
    let sum = this.isSpoken ? this.delta.to - this.delta.from : 0;
    for (const { from, to } of this.unread) sum += to - from;
    return sum;
  }

  private walk(cursor: JsonCursor): boolean {
    if (!cursor.enterObject()) return this.pass(cursor, '', 'other');
    let seen = 0;
    let sounds = 0;
    while (cursor.nextMember()) {
      const name = nameOf(cursor);
      seen = this.note(seen, name);
      const isText = cursor.peek() === QUOTE;
      const from = cursor.at + 1;
      const before = this.unread.length;
      if (!this.pass(cursor, name, 'root')) return false;
      if (!isText) continue;
      sounds += this.unread.length - before;
      const to = cursor.at - 1;
      if (name === 'type') this.type = stringIn(this.bytes, from, to);
      else if (name === 'response_id') this.responseId = stringIn(this.bytes, from, to);
      else if (name === 'item_id') this.item = { from, to };
      else if (name === 'delta') this.delta = { from, to };
    }
    if (sounds > 0) this.judgeSound();
    return cursor.fault === null;
  }

  /** The sound of an event is sound in one kind of event only. */
  private judgeSound(): void {
    if (this.type === APPEND) {
      for (const { from, to } of this.unread) this.audioLength += to - from;
      return;
    }
    const parts = this.unread;
    this.unread = [];
    for (const span of parts) this.words?.push(span);
  }

  private pass(cursor: JsonCursor, name: string, parent: Place): boolean {
    this.values += 1;
    if (this.values > MAX_JSON_NODES) {
      this.fault = 'too-many-values';
      return false;
    }
    const first = cursor.peek();
    if (mayHoldId(name, first)) this.mayNameStored = true;
    if (!this.mayNameHosts && this.isFromClient) this.noteAddress(cursor, name);
    if (first === OPEN_OBJECT) return this.passObject(cursor, placeOf(parent, name));
    if (first === OPEN_ARRAY) {
      const place = placeOf(parent, name);
      if (!cursor.enterArray()) return false;
      if (place === 'parts') this.lists?.push([]);
      while (cursor.nextElement()) if (!this.pass(cursor, '', place)) return false;
      return cursor.fault === null;
    }
    const from = cursor.at + 1;
    if (!cursor.skipValue()) return false;
    if (first === QUOTE) this.noteText(name, parent, from, cursor.at - 1);
    return true;
  }

  private noteAddress(cursor: JsonCursor, name: string): void {
    if (name === '') return;
    const { bytes, keyStart, keyEnd, keyEscaped, at } = cursor;
    const key = keyEscaped ? Buffer.from(name) : bytes.subarray(keyStart, keyEnd);
    this.mayNameHosts = isFetchedKey(key, 0, key.length) && mayBeFetched(bytes, at);
  }

  private passObject(cursor: JsonCursor, place: Place): boolean {
    if (!cursor.enterObject()) return false;
    const isPart = place === 'part';
    const before = this.unread.length;
    let seen = 0;
    let type = '';
    while (cursor.nextMember()) {
      const name = nameOf(cursor);
      seen = this.note(seen, name);
      if (place === 'other') this.words?.push({ from: cursor.keyStart, to: cursor.keyEnd });
      const isType = isPart && name === 'type' && cursor.peek() === QUOTE;
      const from = cursor.at + 1;
      if (!this.pass(cursor, name, place)) return false;
      if (isType) type = stringIn(this.bytes, from, cursor.at - 1);
    }
    if (isPart && this.unread.length > before) this.judgePart(type, before);
    return cursor.fault === null;
  }

  /** Keeps the sounds and images of a part of their kind; in others they are texts. */
  private judgePart(type: string, before: number): void {
    const found = this.unread.splice(before);
    for (const span of found) {
      const isPicture = isPictureAt(this.bytes, span);
      if (isPicture ? PICTURE_PARTS.has(type) : SOUND_PARTS.has(type)) {
        this.unread.push(span);
        if (!isPicture) this.audioLength += span.to - span.from;
      } else this.words?.push(span);
    }
  }

  private note(seen: number, name: string): number {
    if (!this.isFromClient) return seen;
    const bit = DECIDING.get(name);
    if (bit === undefined) return seen;
    if ((seen & bit) !== 0) this.isAmbiguous = true;
    return seen | bit;
  }

  private noteText(name: string, parent: Place, from: number, to: number): void {
    if (this.isMedia(name, parent, from, to)) {
      this.unread.push({ from, to });
      return;
    }
    if (this.words === undefined) return;
    this.words.push({ from, to });
    if (parent === 'part' && (name === 'text' || name === 'transcript'))
      this.lists?.at(-1)?.push({ from, to });
  }

  private isMedia(name: string, parent: Place, from: number, to: number): boolean {
    if (parent !== 'part' && parent !== 'root') return false;
    if (name === 'audio') return this.words === undefined || isBase64(this.bytes, from, to);
    if (name !== 'image_url' || parent !== 'part' || !isPictureAt(this.bytes, { from, to })) return false;
    return this.words === undefined || isBase64(this.bytes, this.bytes.indexOf(COMMA, from) + 1, to);
  }
}

/** Texts of a client's frame that the operator's word filter looks at; reading them costs nothing when none is set. */
export function textsOf(bytes: Buffer): readonly string[] {
  const frame = RealtimeFrame.read(bytes, true);
  // Lenient readers find words where strict ones see no JSON.
  return frame.isReadable ? frame.texts : [...frame.texts, bytes.toString('utf8')];
}

/** The place of a member, or of an element, of what stands in another. */
function placeOf(parent: Place, name: string): Place {
  switch (parent) {
    case 'root':
      return name === 'item' || name === 'response' ? name : 'other';
    case 'response':
      return name === 'input' || name === 'output' ? 'items' : 'other';
    case 'items':
      return 'item';
    case 'item':
      return name === 'content' || name === 'output' ? 'parts' : 'other';
    case 'parts':
      return 'part';
    case 'part':
    case 'other':
      return 'other';
  }
}

const COMMA = 0x2c;
/** Shorter sounds and images are words. */
const MIN_MEDIA = 64;
const BASE64 = new Uint8Array(256);
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_\\'))
  BASE64[byte] = 1;

function isBase64(bytes: Buffer, from: number, to: number): boolean {
  if (to - from < MIN_MEDIA) return false;
  for (let at = from; at < to; at += 1) if (BASE64[bytes[at] as number] === 0) return false;
  return true;
}

const isPictureAt = (bytes: Buffer, { from, to }: Span): boolean =>
  PICTURE_ADDRESS.test(bytes.toString('latin1', from, Math.min(to, from + MAX_ADDRESS_HEAD)));

/** The text a data address holds; undefined = it is no such address. */
function textInAddress(text: string): string | undefined {
  const [, encoding, data] = /^\s*data:[^,]{0,200}?(;\s*base64\s*)?,(.*)$/is.exec(text) ?? [];
  if (data === undefined) return undefined;
  if (encoding !== undefined) return Buffer.from(data, 'base64').toString('utf8');
  try {
    return decodeURIComponent(data);
  } catch {
    return data;
  }
}

const SPOKEN_DELTAS: ReadonlySet<string> = new Set([
  'response.audio.delta',
  'response.output_audio.delta',
  'session.output_audio.delta',
]);
const NOTHING: Document = Object.freeze({});
const CURSOR = new JsonCursor();

/** A name with escapes is what every reader makes of it. */
function nameOf(cursor: JsonCursor): string {
  if (!cursor.keyEscaped) return cursor.keyText();
  return textIn(cursor.bytes, cursor.keyStart, cursor.keyEnd);
}

const stringIn = (bytes: Buffer, from: number, to: number): string =>
  to - from > MAX_WORD ? '' : textIn(bytes, from, to);

function textIn(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from, to);
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    // An unknown escape: it is searched and compared as it stands.
    return text;
  }
}
