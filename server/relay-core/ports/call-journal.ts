import type { Attempt, Caller, CallShape } from '../model/call.js';
import type { RelayError } from '../model/relay-error.js';

/** A call that was not charged because it failed. */
export interface FailedCall {
  readonly callId: string;
  readonly caller: Caller;
  readonly shape: Pick<CallShape, 'operation' | 'model' | 'stream'>;
  readonly error: RelayError;
  readonly status: number;
  readonly startedAtMs: number;
  readonly durationMs: number;
  readonly attempts: readonly Attempt[];
  readonly path: string;
}

/** Attempts of a call that is not charged. */
export interface UnchargedAttempts {
  readonly model: string;
  /** At least one. */
  readonly attempts: readonly Attempt[];
}

export abstract class CallJournal {
  /** Counts attempts in the background, also those of calls that get no line; losing some is not a fault. */
  abstract countAttempts(call: UnchargedAttempts): void;
  /** Error log line (type 5), written in the background; losing one is not a fault. */
  abstract recordFailure(call: FailedCall): void;
}
