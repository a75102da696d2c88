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
  constructor(
    private readonly findProvider: RelayPorts['findProvider'],
    private readonly route: Route,
  ) {}

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

  /**
   * What went wrong in the middle of a session. How the channel's account stands, and what quotes its key, ends the session: the
   * caller would read it in the frame.
   */
  inSession(document: Document, frame: Buffer): { readonly error: RelayError; readonly isFatal: boolean } {
    const error = this.reader()?.readErrorDocument(document, this.route) ?? refusal('session-fault');
    const { credential } = this.route;
    const quotesKey = credential.length >= MIN_KEY && frame.includes(credential);
    return { error, isFatal: isAboutChannel(error) || quotesKey };
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

function withDetailsOf(error: RelayError, read: RelayError | undefined): RelayError {
  return error.blame !== 'upstream' ? error : { ...error, ...vendorErrorIn(read) };
}

export const CLOSED_AT_ONCE: RelayError = refusal('session-closed');
