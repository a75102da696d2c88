import type { Outcome } from '../model/call.js';
import type { RelayError } from '../model/relay-error.js';
import type { Clock } from '../../common/clock.js';
import type { Result } from '../../common/result.js';
import type { Quote } from '../ports/price-book.js';
import type { Hold, QuotaHolds } from '../ports/quota-holds.js';
import type { FrameMemory, RealtimeSocket } from '../ports/realtime-socket.js';
import type { Document } from '../formats/shared/fields/json-fields.js';
import type { EventRefusal } from './event-hosts.js';
import type { RealtimeFrame } from './realtime-frame.js';
import type { RealtimeMeter } from './realtime-meter.js';
import type { SessionTranscription } from './transcription-calls.js';

export interface SessionEnd {
  readonly outcome: Outcome;
  readonly error: RelayError | undefined;
  /** Failure in the upstream's last message, whether or not the session continued. */
  readonly failure: RelayError | undefined;
  /** Monotonic time of the first content; undefined = none came. */
  readonly firstContentMs: number | undefined;
  readonly meter: RealtimeMeter;
}

export interface SessionInput {
  readonly clock: Clock;
  readonly quota: QuotaHolds;
  readonly quote: Quote;
  readonly holdRef: { hold: Hold };
  readonly client: RealtimeSocket;
  readonly upstream: RealtimeSocket;
  /** Frames that came from the upstream before the client was let in. */
  readonly early: readonly { readonly frame: Buffer; readonly isText: boolean }[];
  readonly memory: FrameMemory;
  readonly sensitiveWords: readonly string[];
  readonly meter: RealtimeMeter;
  readonly transcription: SessionTranscription;
  /** Takes a place in the caller's request limits. Never rejects but for a fault of ours. */
  readonly countRequest: () => Result<unknown, RelayError> | Promise<Result<unknown, RelayError>>;
  /** A response or a transcript went well. */
  readonly recordSuccess: () => void;
  /** A frame of the upstream quotes the channel's key. */
  readonly quotesKey: (frame: RealtimeFrame) => boolean;
  /** Refusal of an event that names another caller's object or a closed address; undefined = it passes. Absent = every event passes. */
  readonly refusalOf?: EventRefusal | undefined;
  /** A failure as an event of the caller's dialect. */
  readonly writeError: (error: RelayError) => string;
  /** The same failure with the upstream's last words, for the operator. */
  readonly withReason: (error: RelayError, reason: string) => RelayError;
  /** Reads a failure from an event of the upstream, and decides whether the caller must not see it. */
  readonly readFailure: (document: Document) => { readonly error: RelayError; readonly isFatal: boolean };
  /** A fault of ours: it ends this session. */
  readonly reportFault: (fault: unknown) => void;
}
