import { storableText } from '../../common/text.js';
import { redactSecrets } from '../../infra/observability/redact.js';
import type { Attempt, FinishedCall } from '../../relay-core/model/call.js';
import { isFailedAttempt } from './attempt-reasons.js';

/** One attempt as the sums count it; part of the record of a call, so that other versions read it. */
export interface CountedAttempt {
  readonly channelId: number;
  /** See `AttemptReason`. */
  readonly reason: string;
  /** Status of the provider's answer to a failed attempt; 0 = it did not answer, or the attempt did not fail. */
  readonly status: number;
  readonly endedAtMs: number;
  /** Absent = not known. */
  readonly durationMs?: number;
  /** From the beginning of the attempt to the first content; streamed answers only. */
  readonly firstTokenMs?: number;
  /** Tokens of a streamed answer, and the time from its first content to its end. */
  readonly outputTokens?: number;
  readonly outputMs?: number;
  /** Tokens that the provider reported of a failed attempt and bills; absent = none. */
  readonly billedTokens?: number;
  /** The provider's own sentence about a failure, without secrets; absent = none came. */
  readonly message?: string;
}

/** Characters of a provider's sentence that are kept. */
export const MAX_MESSAGE_CHARACTERS = 500;

type CountedCall = Pick<
  FinishedCall,
  'attempts' | 'channelId' | 'firstByteMs' | 'startedAtMs' | 'outcome' | 'vendorSays' | 'usage'
> & { readonly shape: Pick<FinishedCall['shape'], 'stream'> };

/**
 * The attempts of a call that is charged, in order. A call of a worker that died has no list of attempts: one is counted at the channel
 * of the charge, with the reason `unfinished`.
 */
export function attemptsOfCall(call: CountedCall, nowMs: number): readonly CountedAttempt[] {
  const { attempts, channelId } = call;
  if (attempts.length > 0)
    return attempts.map((attempt, index) =>
      index === attempts.length - 1 ? answered(attempt, call) : attemptOf(attempt),
    );
  if (call.outcome !== 'recovered' || channelId === 0) return [];
  return [{ channelId, reason: 'unfinished', status: 0, endedAtMs: nowMs }];
}

/** 1 = an attempt failed, whosever fault it was. */
export const hadFailedAttempt = (attempts: readonly Pick<Attempt, 'failure'>[]): 0 | 1 =>
  attempts.some(({ failure }) => isFailedAttempt(failure ?? '')) ? 1 : 0;

/** An attempt without an answer. */
export function attemptOf(attempt: Attempt): CountedAttempt {
  const { channelId, failure, upstreamStatus, startedAtMs, endedAtMs, vendorSays, billedUsage } = attempt;
  return {
    channelId,
    reason: failure ?? '',
    status: upstreamStatus ?? 0,
    endedAtMs,
    durationMs: Math.max(0, Math.round(endedAtMs - startedAtMs)),
    ...(billedUsage === undefined
      ? {}
      : { billedTokens: wholeTokens(billedUsage.input.total) + wholeTokens(billedUsage.output.total) }),
    ...messageOf(vendorSays?.sentence),
  };
}

const messageOf = (sentence: string | undefined): { readonly message?: string } =>
  sentence === undefined
    ? {}
    : { message: storableText(redactSecrets(sentence).slice(0, MAX_MESSAGE_CHARACTERS)) };

/** The attempt whose answer reached the client, as a whole or in part. */
function answered(attempt: Attempt, call: CountedCall): CountedAttempt {
  const counted = attemptOf(attempt);
  const said = attempt.failure === undefined ? undefined : call.vendorSays;
  const withMessage = {
    ...counted,
    ...(said?.status === undefined || counted.status !== 0 ? {} : { status: said.status }),
    ...messageOf(said?.sentence),
  };
  if (!call.shape.stream || call.firstByteMs === undefined) return withMessage;
  // The call counts from its arrival: attempts before this one are not this channel's time.
  const firstTokenMs = Math.max(0, Math.round(call.startedAtMs + call.firstByteMs - attempt.startedAtMs));
  return {
    ...withMessage,
    firstTokenMs,
    outputTokens: wholeTokens(call.usage.output.total),
    outputMs: Math.max(0, (counted.durationMs ?? 0) - firstTokenMs),
  };
}

const wholeTokens = (tokens: number | undefined): number =>
  Number.isSafeInteger(tokens) && (tokens ?? 0) > 0 ? (tokens ?? 0) : 0;
