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
 * How an upstream refuses a session: instead of the handshake, as its first event, or as the reason it closes with. The vendor's own
 * words go to the operator; callers read ours, as nothing of theirs was refused yet.
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
    return (
      text.includes(this.key) || (text.includes(BACKSLASH) && unescaped(text).includes(this.route.credential))
    );
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
/** A text in a text has its escapes escaped; nothing is written deeper by accident. */
const MAX_NESTING = 3;

/** A frame's text without its escapes, whether or not it is JSON. */
function unescaped(frame: Buffer): string {
  let text = frame.toString('utf8');
  for (let level = 0; level < MAX_NESTING && text.includes('\\'); level += 1)
    text = text.replaceAll(
      /\\(?:u([0-9a-f]{4})|(.))/gis,
      (_escape, code: string | undefined, plain: string) =>
        code === undefined ? plain : String.fromCodePoint(Number.parseInt(code, 16)),
    );
  return text;
}

function withDetailsOf(error: RelayError, read: RelayError | undefined): RelayError {
  return error.blame !== 'upstream' ? error : { ...error, ...vendorErrorIn(read) };
}

export const CLOSED_AT_ONCE: RelayError = refusal('session-closed');
