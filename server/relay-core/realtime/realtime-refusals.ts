import { refusal } from '../model/refusals.js';
import { isAboutChannel, type RelayError, vendorErrorIn, withMappedStatus } from '../model/relay-error.js';
import type { RelayPorts } from '../pipeline/context/relay-ports.js';
import type { Route } from '../ports/channel-picker.js';
import type { Document } from '../formats/shared/fields/json-fields.js';
import type { DialOutcome } from '../ports/realtime-socket.js';
import { RealtimeFrame } from './realtime-frame.js';
import { FRAME_TOO_MUCH } from './session-errors.js';

/** Shorter ones are words, not secrets. */
const MIN_KEY = 8;

/**
 * Refusals of a session by an upstream: instead of the handshake, as its first event, or as the reason of its close. The vendor's
 * own message goes to the operator; callers get ours, since nothing of theirs was refused yet.
 */
export class RealtimeRefusals {
  private readonly key: Buffer;

  constructor(
    private readonly findProvider: RelayPorts['findProvider'],
    private readonly route: Route,
  ) {
    this.key = Buffer.from(route.credential);
  }

  inHandshake({ status: answered, headers, body }: Extract<DialOutcome, { type: 'refused' }>): RelayError {
    const mapped = this.route.statusMapping?.get(answered);
    const status = mapped ?? answered;
    const error = this.reader()?.readError({ status, headers, body }, this.route);
    if (error === undefined || status < 400)
      return withDetailsOf({ ...refusal('session-not-opened'), upstreamStatus: status }, error);
    return mapped === undefined ? error : withMappedStatus(error, answered);
  }

  /** A first frame that is an error, or beyond what is read here: the session never began. */
  inFirstFrame(bytes: Buffer): RelayError | undefined {
    const frame = RealtimeFrame.read(bytes);
    if (frame.fault !== undefined) return FRAME_TOO_MUCH;
    if (frame.type !== 'error') return undefined;
    const error = this.reader()?.readErrorDocument(frame.members, this.route);
    return error !== undefined && isAboutChannel(error)
      ? error
      : withDetailsOf(refusal('session-not-begun'), error);
  }

  /** Reads a failure in the middle of a session. How the channel's account stands ends it: the caller would read it in the frame. */
  inSession(document: Document): { readonly error: RelayError; readonly isFatal: boolean } {
    const error = this.reader()?.readErrorDocument(document, this.route) ?? refusal('session-fault');
    return { error, isFatal: isAboutChannel(error) };
  }

  /** A frame of any kind quotes the channel's key, as it stands or written with escapes: it must not reach the caller. */
  quotesKey({ bytes, isSpoken, delta }: RealtimeFrame): boolean {
    if (this.route.credential.length < MIN_KEY) return false;
    // Sound is base64 and most of what is sent: only what stands around it is searched.
    return isSpoken
      ? this.isQuotedIn(bytes.subarray(0, delta.from)) || this.isQuotedIn(bytes.subarray(delta.to))
      : this.isQuotedIn(bytes);
  }

  private isQuotedIn(text: Buffer): boolean {
    return text.includes(this.key) || (text.includes(BACKSLASH) && isQuotedWithEscapes(text, this.key));
  }

  /** @param error  what the end means here */
  inGoodbye(error: RelayError, reason: string): RelayError {
    if (reason.trim() === '') return error;
    return withDetailsOf(error, this.reader()?.readErrorDocument({ error: { message: reason } }, this.route));
  }

  private reader() {
    const provider = this.findProvider(this.route.channelType);
    return provider.ok ? provider.value.operations.chat?.[0] : undefined;
  }
}

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const LETTER_A = 0x61;
const DIGIT_0 = 0x30;
/** A text in a text has its escapes escaped; nothing is written deeper by accident. */
const MAX_NESTING = 3;

/** A key in a frame's text without its escapes, whether or not it is JSON. */
function isQuotedWithEscapes(frame: Buffer, key: Buffer): boolean {
  let text: Buffer = Buffer.from(frame);
  for (let level = 0; level < MAX_NESTING; level += 1) {
    const first = text.indexOf(BACKSLASH);
    if (first === -1) return false;
    text = text.subarray(0, unescapeFrom(first, text));
    if (text.includes(key)) return true;
  }
  return false;
}

/** Takes one level of escapes out of a text, in place: what an escape stands for is never longer. @returns its length then */
function unescapeFrom(first: number, text: Buffer): number {
  let to = first;
  for (let from = first; from < text.length; from += 1) {
    const byte = text[from] as number;
    if (byte !== BACKSLASH || from + 1 === text.length) {
      text[to++] = byte;
      continue;
    }
    from += 1;
    const escaped = text[from] as number;
    const code = (escaped | 0x20) === LETTER_U ? codeAt(text, from + 1) : -1;
    if (code === -1) text[to++] = escaped;
    else {
      from += 4;
      to = writeCode(code, text, to);
    }
  }
  return to;
}

/** @returns the number that four hexadecimal digits write; -1 = they do not */
function codeAt(text: Buffer, from: number): number {
  if (from + 4 > text.length) return -1;
  let code = 0;
  for (let at = from; at < from + 4; at += 1) {
    const byte = text[at] as number;
    const letter = (byte | 0x20) - LETTER_A;
    const digit = byte >= DIGIT_0 && byte <= DIGIT_0 + 9 ? byte - DIGIT_0 : letter + 10;
    if (digit < 0 || digit > 15 || (digit >= 10 && letter < 0)) return -1;
    code = code * 16 + digit;
  }
  return code;
}

/** Writes a code in UTF-8. Keys travel in headers: none needs the pairs beyond it. @returns the place behind it */
function writeCode(code: number, text: Buffer, at: number): number {
  let to = at;
  if (code < 0x80) text[to++] = code;
  else {
    if (code < 0x800) text[to++] = 0xc0 | (code >> 6);
    else {
      text[to++] = 0xe0 | (code >> 12);
      text[to++] = 0x80 | ((code >> 6) & 0x3f);
    }
    text[to++] = 0x80 | (code & 0x3f);
  }
  return to;
}

function withDetailsOf(error: RelayError, read: RelayError | undefined): RelayError {
  return error.blame !== 'upstream' ? error : { ...error, ...vendorErrorIn(read) };
}

export const CLOSED_AT_ONCE: RelayError = refusal('session-closed');
