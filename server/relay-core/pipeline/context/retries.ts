import type { Caller, CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Route } from '../../ports/channel-picker.js';
import type { RelayOptions } from '../../ports/relay-options.js';
import type { ClientConnection } from './client-connection.js';
import {
  isInRanges,
  parseStatusRanges,
  RETRIED_STATUSES,
  type StatusRanges,
} from '../../model/status-ranges.js';

const RETRIED: StatusRanges = parseStatusRanges(RETRIED_STATUSES) ?? [];

/** Failures that do not prove that the vendor refused the task: the request left, and no answer that can be read came back. */
const MAYBE_ACCEPTED: ReadonlySet<RelayError['kind']> = new Set([
  'upstream-broken',
  'upstream-malformed',
  'upstream-timeout',
]);

/**
 * Returns true when another channel may succeed where this one failed. Only asked
 * while nothing has reached the client.
 * @param statuses  the operator's list; it decides wherever the upstream answered with a failure of its own
 * @param isSubmission  true for a task: its vendor may work on it, and bill it, although no answer arrived
 */
export function mayRetry(
  error: RelayError,
  statuses: StatusRanges = RETRIED,
  { isSubmission = false }: { readonly isSubmission?: boolean } = {},
): boolean {
  if (error.blame === 'upstream' && error.isFinal === true) return false;
  if (isSubmission && MAYBE_ACCEPTED.has(error.kind)) return false;
  switch (error.kind) {
    case 'upstream-key-refused':
    case 'upstream-quota-spent':
    case 'upstream-rate-limited':
    case 'upstream-overloaded':
    case 'upstream-request-rejected':
      return error.upstreamStatus === undefined
        ? error.kind !== 'upstream-request-rejected'
        : isInRanges(statuses, error.upstreamStatus);
    // No status covers these.
    case 'upstream-unreachable':
    case 'upstream-malformed':
    case 'upstream-broken':
      return true;
    // The upstream may still be generating, and charging for it; where it reported that itself, the operator's list decides.
    case 'upstream-timeout':
      return error.upstreamStatus !== undefined && isInRanges(statuses, error.upstreamStatus);
    // The channel's type is not served: another channel's may be.
    case 'not-implemented':
      return true;
    case 'unauthenticated':
    case 'address-refused':
    case 'account-banned':
    case 'forbidden':
    case 'invalid-request':
    case 'body-too-large':
    case 'unsupported-media':
    case 'model-refused':
    case 'content-refused':
    case 'not-found':
    case 'model-not-found':
    case 'rate-limited':
    case 'quota-insufficient':
    case 'limit-full':
    case 'price-missing':
    case 'channel-unavailable':
    case 'channels-full':
    case 'unavailable':
    case 'shutting-down':
    case 'internal':
    case 'limit-reached':
    case 'loop-detected':
    case 'client-gone':
      return false;
  }
}

/** Share of calls that may be retried without success. */
const RETRIES_PER_CALL = 0.1;
/** Window of the calls that count. */
const WINDOW_MS = 10_000;
/** Retries an idle instance has in hand; a busy one has what the calls of its window earned. */
const MIN_BALANCE = 10;

/**
 * Keeps retries from multiplying an outage: every call earns a tenth of a retry, a retry spends one, and one that led
 * to an answer gives it back. With every upstream down, upstream calls stay within 1.1 times the calls.
 */
export class RetryBudget {
  private most = MIN_BALANCE;
  private balance = MIN_BALANCE;
  private calls = 0;
  private windowBeganMs = 0;

  /** @param nowMs  of the monotonic clock */
  countCall(nowMs: number): void {
    if (nowMs - this.windowBeganMs >= WINDOW_MS) {
      this.most = Math.max(MIN_BALANCE, this.calls * RETRIES_PER_CALL);
      this.calls = 0;
      this.windowBeganMs = nowMs;
    }
    this.calls += 1;
    this.most = Math.max(this.most, this.calls * RETRIES_PER_CALL);
    this.balance = Math.min(this.most, this.balance + RETRIES_PER_CALL);
  }

  /** False = no retry now; answer with the failure at hand. */
  spend(): boolean {
    if (this.balance < 1) return false;
    this.balance -= 1;
    return true;
  }

  refund(retries: number): void {
    this.balance = Math.min(this.most, this.balance + retries);
  }
}

/** Facts of a call that decide about its retries. */
interface RetriedCall {
  readonly ports: { readonly retries: RetryBudget };
  readonly client: Pick<ClientConnection, 'hasAnswer' | 'isGone' | 'onFirstFrame'>;
  readonly caller: Pick<Caller, 'pinnedChannelId'>;
  readonly options: Pick<RelayOptions, 'retryTimes' | 'retryStatuses'>;
  readonly clientCall: { readonly parsed: { readonly shape: Pick<CallShape, 'submission'> } };
}

/** Retries of one call: the channels it tried, and whether it may try one more. */
export class CallRetries {
  /** Retries so far; 0 = the first attempt. */
  attempt = 0;
  /** Channels of the failed attempts, one entry for each. */
  readonly tried: number[] = [];
  /** Failure that the running attempt follows; undefined = none. */
  failure: RelayError | undefined;
  private isTokenRenewed = false;
  private toRefund = 0;

  constructor(private readonly call: RetriedCall) {}

  /**
   * Takes a retry after a failed attempt.
   * @param isBound  the conversation of the call stays on this channel
   * @returns false when the call ends with this failure
   */
  take({ channelId }: Pick<Route, 'channelId'>, error: RelayError, isBound: boolean): boolean {
    this.tried.push(channelId);
    const { ports, client } = this.call;
    if (isBound || !this.mayFollow(error) || !ports.retries.spend()) return false;
    this.failure = error;
    this.attempt += 1;
    this.toRefund += 1;
    // Not only when it is over: a stream takes a minute, and the retries of the calls beside it would be spent meanwhile.
    client.onFirstFrame ??= this.refund;
    return true;
  }

  /**
   * The vendor looked at nothing but the token, once per call: neither a retry of the operator's nor a fault of the channel.
   * @returns false when the failure counts as any other
   */
  renewToken(): boolean {
    const { client } = this.call;
    if (this.isTokenRenewed || client.hasAnswer || client.isGone) return false;
    this.isTokenRenewed = true;
    return true;
  }

  /** Gives the budget its retries back: the upstream answers. */
  readonly refund = (): void => {
    this.call.ports.retries.refund(this.toRefund);
    this.toRefund = 0;
  };

  private mayFollow(error: RelayError): boolean {
    const { client, caller, options, clientCall } = this.call;
    if (client.hasAnswer || client.isGone || caller.pinnedChannelId !== null) return false;
    const isSubmission = clientCall.parsed.shape.submission !== undefined;
    return this.attempt < options.retryTimes && mayRetry(error, options.retryStatuses, { isSubmission });
  }
}
