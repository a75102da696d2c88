import type { Attempt, Caller, CallShape, FinishedCall, IncomingCall } from '../../model/call.js';
import { vendorErrorIn } from '../../model/relay-error.js';
import type { Warning } from '../../model/warning.js';
import type { Clock } from '../../../common/clock.js';
import type { Route } from '../../ports/channel-picker.js';
import type { Quote } from '../../ports/price-book.js';
import type { Measure } from '../reply/measure-reply.js';
import type { ReplyRecord } from '../context/attempt.js';

/** Stage 10: what was used, priced under the frozen quote, as it is put on record before the client sees the end. */
export function describeCall(
  clock: Clock,
  input: {
    readonly call: IncomingCall;
    readonly caller: Caller;
    readonly shape: CallShape;
    readonly quote: Quote;
    readonly route: Route;
    /** The upstream has the caller's API. */
    readonly isNative: boolean;
    readonly record: ReplyRecord;
    readonly measure: Measure;
    readonly attempts: readonly Attempt[];
    readonly warnings: readonly Warning[];
    /** As asked by the caller; undefined = not asked. */
    readonly effort: string | undefined;
    /** Monotonic start of the call. */
    readonly startedMs: number;
  },
): FinishedCall {
  const { call, shape, route, record, measure, startedMs } = input;
  const finished: FinishedCall = {
    callId: call.callId,
    caller: input.caller,
    shape: { operation: shape.operation, model: shape.model, stream: shape.stream },
    channelId: route.channelId,
    upstreamModel: route.upstreamModel,
    isModelMapped: route.isModelMapped,
    isNative: input.isNative,
    usage: measure.usage,
    evidence: measure.evidence,
    outcome: record.outcome,
    snapshot: input.quote.snapshot,
    priced: input.quote.charge(measure.usage),
    startedAtMs: call.receivedAtMs,
    firstByteMs:
      record.firstContentMs === undefined
        ? undefined
        : Math.max(0, Math.round(record.firstContentMs - startedMs)),
    durationMs: Math.max(0, Math.round(clock.monotonicMs() - startedMs)),
    attempts: input.attempts,
    path: call.path,
    // How it ended is said last: the console says that in the reader's language.
    note: joinNotes(measure.note, record.error?.message ?? ''),
    ...vendorErrorIn(record.error),
  };
  const { task } = record.meter;
  const { effort } = input;
  if (task === undefined && effort === undefined && input.warnings.length === 0) return finished;
  return {
    ...finished,
    ...(effort === undefined ? {} : { effort }),
    ...(task === undefined ? {} : { task }),
    ...(input.warnings.length === 0 ? {} : { warnings: input.warnings }),
  };
}

const joinNotes = (first: string, second: string): string =>
  first === '' || second === '' ? first + second : `${first}; ${second}`;
