import { mayHoldId } from '../pipeline/reply/stored-ids.js';
import { JsonCursor, MAX_JSON_NODES } from '../framing/json-cursor.js';
import { documentOf, type Document } from '../formats/shared/fields/json-fields.js';
import { parseJson } from '../../common/parse-json.js';

const QUOTE = 0x22;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const DATA_URL = Buffer.from('data:');
/** What a frame may hold beside its sounds and pictures: a whole context of a realtime model in words. */
export const MAX_FRAME_TEXT_BYTES = 512 * 1024;
const MAX_WORD = 256;

/** What a frame is refused for; depth, values and members are limited as those of bodies are. */
export type FrameFault = 'too-deep' | 'too-many-values' | 'too-many-keys' | 'too-much-text';

/** A piece of a frame's bytes, quotes excluded. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const NO_SPAN: Span = { from: 0, to: 0 };

/**
 * One frame of a realtime session, read in its bytes whatever kind it claims to be. Sounds and pictures are passed by; the
 * rest becomes an object only when somebody asks for it, and only where it was found to be within the limits.
 */
export class RealtimeFrame {
  /** Beyond a limit: nothing of it is to be read or passed on. */
  fault: FrameFault | undefined;
  /** False = not one JSON text: nobody here can tell what it says. */
  isReadable = false;
  type = '';
  /** The response that a frame of the upstream speaks of. */
  responseId = '';
  /** A member of it may name what the vendor keeps (pipeline/stored-ids.ts). */
  mayNameStored = false;
  /** Inside of the member `delta`. */
  delta: Span = NO_SPAN;
  /** Characters of base64 of all sounds in it, deltas excluded. */
  audioLength = 0;
  private values = 0;
  private unread: Span[] = [];
  private readonly words: Span[] | undefined;
  private document: Document | undefined;

  private constructor(
    readonly bytes: Buffer,
    keepsTexts: boolean,
  ) {
    this.words = keepsTexts ? [] : undefined;
  }

  /** Fails: never; what is wrong with it stands in `fault` and `isReadable`. @param keepsTexts  `texts` will be asked for */
  static read(bytes: Buffer, keepsTexts = false): RealtimeFrame {
    const frame = new RealtimeFrame(bytes, keepsTexts);
    const cursor = CURSOR;
    cursor.reset(bytes, 0, bytes.length);
    frame.isReadable = frame.walk(cursor) && cursor.isAtEnd();
    if (cursor.fault !== null && cursor.fault !== 'malformed') frame.fault ??= cursor.fault;
    if (bytes.length > MAX_FRAME_TEXT_BYTES && bytes.length - frame.unreadBytes() > MAX_FRAME_TEXT_BYTES)
      frame.fault ??= 'too-much-text';
    if (frame.isReadable && frame.fault === undefined) return frame;
    frame.isReadable = false;
    frame.type = '';
    frame.audioLength = 0;
    frame.delta = NO_SPAN;
    return frame;
  }

  /** Its members, with sounds and pictures empty; none when it cannot be read. */
  get members(): Document {
    this.document ??= this.parse();
    return this.document;
  }

  /** Every text but sounds and pictures, those of repeated members too. */
  get texts(): readonly string[] {
    return (this.words ?? []).map(({ from, to }) => textIn(this.bytes, from, to));
  }

  /** The piece of speech this frame brings is sound. */
  get isSpoken(): boolean {
    return SPOKEN_DELTAS.has(this.type);
  }

  /** What is no JSON is not ours to judge: the frame passes untouched, and the other side says what it thinks of it. */
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
    if (!cursor.enterObject()) return this.pass(cursor, '');
    while (cursor.nextMember()) {
      const name = nameOf(cursor);
      const isText = cursor.peek() === QUOTE;
      const from = cursor.at + 1;
      if (!this.pass(cursor, name)) return false;
      if (!isText) continue;
      const to = cursor.at - 1;
      if (name === 'type') this.type = stringIn(this.bytes, from, to);
      else if (name === 'response_id') this.responseId = stringIn(this.bytes, from, to);
      else if (name === 'delta') this.delta = { from, to };
    }
    return cursor.fault === null;
  }

  private pass(cursor: JsonCursor, name: string): boolean {
    this.values += 1;
    if (this.values > MAX_JSON_NODES) {
      this.fault = 'too-many-values';
      return false;
    }
    const first = cursor.peek();
    if (mayHoldId(name, first)) this.mayNameStored = true;
    if (first === OPEN_OBJECT) {
      if (!cursor.enterObject()) return false;
      while (cursor.nextMember()) if (!this.pass(cursor, nameOf(cursor))) return false;
      return cursor.fault === null;
    }
    if (first === OPEN_ARRAY) {
      if (!cursor.enterArray()) return false;
      while (cursor.nextElement()) if (!this.pass(cursor, '')) return false;
      return cursor.fault === null;
    }
    const from = cursor.at + 1;
    if (!cursor.skipValue()) return false;
    if (first === QUOTE) this.noteText(name, from, cursor.at - 1);
    return true;
  }

  private noteText(name: string, from: number, to: number): void {
    const isSound = name === 'audio';
    if (isSound) this.audioLength += to - from;
    if (isSound || (name === 'image_url' && this.bytes.subarray(from, from + 5).equals(DATA_URL)))
      this.unread.push({ from, to });
    else this.words?.push({ from, to });
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
    // An escape nobody knows: it is searched and compared as it stands.
    return text;
  }
}
