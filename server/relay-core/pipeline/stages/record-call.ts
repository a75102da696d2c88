import type { Attempt, Caller, CallShape, FinishedCall, IncomingCall } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import type { Conversation } from '../../ports/channel-affinity.js';
import type { ChannelRequest } from '../../ports/channel-health.js';
import type { Route } from '../../ports/channel-picker.js';
import type { RelayPorts } from '../context/relay-ports.js';
import type { ReplyRecord } from '../context/attempt.js';

/** Refusals that are the caller's everyday business, not errors to look into. */
const UNLOGGED: ReadonlySet<RelayError['kind']> = new Set([
  'quota-insufficient',
  'rate-limited',
  'client-gone',
]);

/** Stage 11, after an answer: the channel's health and the caller's success window. Never refuses. */
export function recordAnswer(
  ports: Pick<RelayPorts, 'health' | 'admission' | 'affinity'>,
  input: {
    readonly caller: Caller;
    readonly conversation?: Conversation | undefined;
    readonly route: Route;
    readonly record: ReplyRecord;
    readonly finished: FinishedCall;
  },
): void {
  const { route, record, finished } = input;
  const asked = channelRequestOf(
    finished.shape,
    finished.attempts.at(-1)?.startedAtMs ?? finished.startedAtMs,
  );
  if (record.error?.blame === 'upstream') ports.health.recordFailure(route, record.error, asked);
  else if (record.outcome === 'ok') ports.health.recordSuccess(route, asked);
  if (record.outcome !== 'ok') return;
  ports.admission.recordSuccess(input.caller);
  if (input.conversation !== undefined) ports.affinity?.recordSuccess(input.conversation, route.channelId);
}

/** Stage 11, after a failed attempt. */
export function recordAttemptFailure(
  ports: Pick<RelayPorts, 'health'>,
  route: Route,
  error: RelayError,
  asked: ChannelRequest,
): void {
  // Whether a refused request speaks against the channel all the same is told by its vendor's words.
  if (error.blame === 'upstream') ports.health.recordFailure(route, error, asked);
}

export const channelRequestOf = (
  { operation, model }: Pick<CallShape, 'operation' | 'model'>,
  startedAtMs: number,
): ChannelRequest => ({ kind: operation, model, startedAtMs });

/** Stage 11, when nobody is charged: a line in the error log. */
export function recordFailure(
  ports: Pick<RelayPorts, 'journal' | 'options' | 'clock'>,
  input: {
    readonly call: IncomingCall;
    readonly caller: Caller;
    readonly shape: Pick<CallShape, 'operation' | 'model' | 'stream'>;
    readonly error: RelayError;
    readonly status: number;
    readonly attempts: readonly Attempt[];
    readonly startedMs: number;
  },
): void {
  if (UNLOGGED.has(input.error.kind) || !ports.options.current().logErrors) return;
  ports.journal.recordFailure({
    callId: input.call.callId,
    caller: input.caller,
    shape: input.shape,
    error: input.error,
    status: input.status,
    startedAtMs: input.call.receivedAtMs,
    durationMs: Math.max(0, Math.round(ports.clock.monotonicMs() - input.startedMs)),
    attempts: input.attempts,
    path: input.call.path,
  });
}
