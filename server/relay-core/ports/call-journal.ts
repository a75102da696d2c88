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

export abstract class CallJournal {
  /** Error log line (type 5), written in the background; losing one is not a fault. */
  abstract recordFailure(call: FailedCall): void;
}
