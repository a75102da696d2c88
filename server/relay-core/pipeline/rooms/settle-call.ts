import type { Attempt, Caller, CallShape, FinishedCall, WireCall } from '../../model/call.js';
import type { Warning } from '../../model/warning.js';
import type { Route } from '../../ports/channel-picker.js';
import type { Hold } from '../../ports/quota-desk.js';
import type { Quote } from '../../ports/price-book.js';
import type { Measure } from '../measure-reply.js';
import type { RelayPorts } from '../relay-ports.js';
import type { ReplyRecord } from '../attempt.js';

/**
 * Room 10: what was used is priced under the frozen quote and put on record, before the client sees the end. Never
 * refuses. Fails: when the spool cannot take the record.
 */
export async function settleCall(
  ports: Pick<RelayPorts, 'quota' | 'clock'>,
  input: {
    readonly hold: Hold;
    readonly call: WireCall;
    readonly caller: Caller;
    readonly shape: CallShape;
    readonly quote: Quote;
    readonly route: Route;
    readonly record: ReplyRecord;
    readonly measure: Measure;
    readonly attempts: readonly Attempt[];
    readonly warnings: readonly Warning[];
    /** Monotonic start of the call. */
    readonly startedMs: number;
  },
): Promise<FinishedCall> {
  const { call, shape, route, record, measure, startedMs } = input;
  const note = [record.error?.message ?? '', measure.note].filter((text) => text !== '').join('; ');
  const finished: FinishedCall = {
    callId: call.callId,
    caller: input.caller,
    shape: { operation: shape.operation, model: shape.model, stream: shape.stream },
    channelId: route.channelId,
    upstreamModel: route.upstreamModel,
    isModelMapped: route.isModelMapped,
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
    durationMs: Math.max(0, Math.round(ports.clock.monotonicMs() - startedMs)),
    attempts: input.attempts,
    path: call.path,
    note,
    ...(input.warnings.length === 0 ? {} : { warnings: input.warnings }),
  };
  await ports.quota.settle(input.hold, finished);
  return finished;
}
