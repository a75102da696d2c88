import type { Attempt, FinishedCall } from '../model/call.js';
import type { FinishReason } from '../model/finish-reason.js';
import type { RelayError } from '../model/relay-error.js';
import type { Route } from './channel-picker.js';

/** The stages of docs/request-path.md, as a trace names them. */
export type CallStage =
  | 'identify-caller'
  | 'parse-call'
  | 'admit-call'
  | 'quote-call'
  | 'reserve-quota'
  | 'choose-channel'
  | 'translate-call'
  | 'record-dispatch'
  | 'relay-reply'
  | 'settle-call';

/** End of an answered call, beside its record. */
export interface AnswerEnding {
  /** Why it ended early; undefined = it did not. */
  readonly error: RelayError | undefined;
  readonly finishReason: FinishReason['unified'] | undefined;
}

/**
 * Watches one call as it passes the stages, for metrics and traces. Changes nothing, never throws, never waits; without readers it
 * costs no more than the calls themselves.
 */
export interface CallObserver {
  /** The call enters a stage and has left the one before. */
  enter(stage: CallStage): void;
  /**
   * The request is about to leave for a channel, on record.
   * @returns headers to send along with it; undefined = none
   */
  onSend(route: Route, attempt: number): Readonly<Record<string, string>> | undefined;
  /** The call is not charged. @param model  undefined = the call was refused before it was read */
  refused(model: string | undefined, error: RelayError, attempts: readonly Attempt[]): void;
  /** Something is charged, and on record. */
  answered(finished: FinishedCall, ending: AnswerEnding): void;
  /** Everything of the call is released. Called once, also when it was neither answered nor refused. */
  over(): void;
}

export const NO_ATTEMPTS: readonly Attempt[] = Object.freeze([]);
