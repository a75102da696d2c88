import type { Clock } from '../../common/clock.js';
import { CLIENT_LEFT } from '../model/call-failures.js';
import type { Attempt, Caller, CallShape, FinishedCall, IncomingCall } from '../model/call.js';
import { vendorErrorIn } from '../model/relay-error.js';
import type { Usage } from '../model/usage.js';
import type { Route } from '../ports/channel-picker.js';
import type { Quote } from '../ports/price-book.js';
import type { SessionEnd } from './session-input.js';
import type { TranscriptionCall } from './transcription-calls.js';

/** A session that is over, and what it was served by. */
export interface EndedSession {
  readonly call: IncomingCall;
  readonly caller: Caller;
  readonly shape: CallShape;
  readonly route: Route;
  readonly quote: Quote;
  readonly end: SessionEnd;
  readonly attempts: readonly Attempt[];
  readonly startedMs: number;
}

type OfEveryCall = Pick<
  FinishedCall,
  'caller' | 'channelId' | 'startedAtMs' | 'durationMs' | 'attempts' | 'path' | 'outcome'
>;

/** @returns undefined when nothing was used */
export function toFinishedCall(clock: Clock, ended: EndedSession): FinishedCall | undefined {
  const { call, shape, route, quote, end, startedMs } = ended;
  const { meter, outcome, error, firstContentMs } = end;
  const evidence = meter.evidence();
  if (evidence === 'none') return undefined;
  const usage = meter.usage();
  const note = [
    meter.counted > 0 ? `${meter.counted} of ${meter.responses} responses were counted here` : '',
    meter.bounded > 0 ? `${meter.bounded} reports were above what the request allows` : '',
    error?.message ?? (outcome === 'client_abort' ? CLIENT_LEFT.message : ''),
  ];
  return {
    ...ofEveryCall(clock, ended),
    callId: call.callId,
    shape: { operation: shape.operation, model: shape.model, stream: true },
    upstreamModel: route.upstreamModel,
    isModelMapped: route.isModelMapped,
    usage,
    evidence,
    snapshot: quote.snapshot,
    priced: quote.charge(usage),
    firstByteMs:
      firstContentMs === undefined ? undefined : Math.max(0, Math.round(firstContentMs - startedMs)),
    note: note.filter((text) => text !== '').join('; '),
    ...vendorErrorIn(end.failure),
    ...vendorErrorIn(error),
  };
}

/** The call of another model that transcribed in the session. @returns undefined when nothing was used */
export function toFinishedTranscripts(
  clock: Clock,
  ended: EndedSession,
  { callId, shape, quote }: TranscriptionCall,
  usage: Usage,
): FinishedCall | undefined {
  const { all, counted, bounded } = ended.end.meter.transcripts.countsOf((model) => model === shape.model);
  if ((usage.input.total ?? 0) + (usage.output.total ?? 0) === 0) return undefined;
  const isOf = `${all} transcripts of the realtime session ${ended.call.callId}`;
  return {
    ...ofEveryCall(clock, ended),
    callId,
    shape: { operation: shape.operation, model: shape.model, stream: true },
    upstreamModel: shape.model,
    isModelMapped: false,
    usage,
    evidence: bounded > 0 ? 'bounded' : counted > 0 ? 'counted' : 'reported',
    snapshot: quote.snapshot,
    priced: quote.charge(usage),
    firstByteMs: undefined,
    note: counted > 0 ? `${isOf}; ${counted} of them were counted here` : isOf,
  };
}

const ofEveryCall = (
  clock: Clock,
  { call, caller, route, end, attempts, startedMs }: EndedSession,
): OfEveryCall => ({
  caller,
  channelId: route.channelId,
  outcome: end.outcome,
  startedAtMs: call.receivedAtMs,
  durationMs: Math.max(0, Math.round(clock.monotonicMs() - startedMs)),
  attempts,
  path: call.path,
});
