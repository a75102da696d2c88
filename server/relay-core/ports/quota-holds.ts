import type { Quota } from '../../common/quota.js';
import type { Result } from '../../common/result.js';
import type { Caller, FinishedCall } from '../model/call.js';
import type { LimitFigures } from '../model/limit-refusal.js';
import type { RelayError } from '../model/relay-error.js';
import type { Usage } from '../model/usage.js';
import type { ChannelMarks } from '../model/channel-use.js';
import type { Quote } from './price-book.js';

/** A request-rate window the call must pass in the same round trip as its hold. */
export interface RateWindow {
  readonly key: string;
  readonly limit: number;
  readonly windowMs: number;
  /** `peek` looks without counting (the success window); `count` takes a place. */
  readonly mode: 'count' | 'peek';
  /** Sentence for the caller when the window is full. */
  readonly refusal: string;
}

/** Quota set aside for one call in flight. Opaque to the pipeline but for the amount. */
export interface Hold {
  readonly callId: string;
  readonly amount: Quota;
  /** The narrowest limits of the caller as of admission; absent = none. */
  readonly limitFigures?: LimitFigures | undefined;
  /** The caller has limits of tokens: a hold that grows names its tokens. Absent = it has none. */
  readonly isTokenLimited?: boolean;
}

/** Tokens set aside for a call. */
export interface HeldTokens {
  readonly input: number;
  readonly output: number;
}

export abstract class QuotaHolds {
  /**
   * Sets the estimate aside from the user's pool (and the limited token's) and counts the rate windows:
   * one round trip to the shared store.
   * A call that is not streamed and named no cap may be given less than the estimate when the balance is smaller
   * (`affordable: true`): the pipeline then sends what it can afford upstream as the cap.
   * Answers at once where it can: then nothing has to wait.
   * `countsNothing`: no call of the caller's, which limits per period leave out.
   * Fails: rate-limited, limit-full, quota-insufficient, unavailable. Nothing is held after a failure.
   */
  abstract reserve(input: {
    readonly callId: string;
    readonly caller: Caller;
    readonly quote: Quote;
    readonly windows: readonly RateWindow[];
    readonly affordable?: boolean;
    readonly countsNothing?: true;
  }): Result<Hold, RelayError> | Promise<Result<Hold, RelayError>>;

  /**
   * Writes the dispatch record D before a byte goes upstream: it is on the spool when the promise resolves.
   * @param marks  limits of the channel that a charge counts under
   * Fails: rejects when the spool cannot take it.
   */
  abstract recordDispatch(
    hold: Hold,
    channelId: number,
    attempt: number,
    marks?: ChannelMarks,
  ): Promise<void>;

  /**
   * Writes checkpoint C of a running stream: what recovery charges if this process dies now.
   * @param isLasting  the figures are final for what came so far: the record is on the spool when this returns
   */
  abstract recordCheckpoint(hold: Hold, usage: Usage, isLasting?: boolean): void;

  /**
   * Adds to the hold of a running call, under its limits as they are now.
   * @param tokens  to add as well; absent = in proportion to the quota
   * Fails: quota-insufficient, limit-full, unavailable; the old hold stays.
   */
  abstract extend(hold: Hold, by: Quota, tokens?: HeldTokens): Promise<Result<Hold, RelayError>>;

  /**
   * Writes settlement record S. It is on the spool when the promise resolves; only then may the client see the end.
   * Exactly one of settle and release is called per hold, once; later calls are ignored.
   * Fails: rejects when the spool cannot take it; the hold may then be released.
   */
  abstract settle(hold: Hold, call: FinishedCall): Promise<void>;

  /** Nothing was used: the whole hold goes back. */
  abstract release(hold: Hold): void;
}
