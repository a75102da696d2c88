import type { Attempt, Caller, CallShape, FinishedCall, IncomingCall } from '../../model/call.js';
import type { Operation } from '../../model/operation.js';
import { vendorErrorIn } from '../../model/relay-error.js';
import type { Warning } from '../../model/warning.js';
import type { Clock } from '../../../common/clock.js';
import type { Route } from '../../ports/channel-picker.js';
import type { Quote } from '../../ports/price-book.js';
import type { Measure } from '../reply/measure-reply.js';
import type { ReplyRecord } from '../context/attempt.js';
import type { ServedCall } from '../context/served-call.js';
import type { ScannedObject } from '../../framing/json-splice.js';
import { readField } from '../../framing/json-splice.js';

/** Members that hold the effort in one of their own: OpenAI's Responses API, Anthropic's Messages API. */
const HOLDERS = ['reasoning', 'output_config'] as const;
const EFFORT = /^[a-z]{1,16}$/;

/** Reasoning effort of a request, in the caller's own word; undefined = it names none. */
export function requestedEffort(document: ScannedObject): string | undefined {
  const { members } = document;
  if (members.has('reasoning_effort')) return effortValue(readField(document, 'reasoning_effort'));
  const holder = HOLDERS.find((name) => members.has(name));
  if (holder === undefined) return undefined;
  const held = readField(document, holder);
  return typeof held === 'object' && held !== null && 'effort' in held ? effortValue(held.effort) : undefined;
}

/** Nothing else a caller writes there belongs in a log. */
const effortValue = (value: unknown): string | undefined =>
  typeof value === 'string' && EFFORT.test(value) ? value : undefined;

/** Describes the end of a served call for its record; see `describeCall`. */
export function describeServed<O extends Operation>(
  { ports, call, caller, clientCall, quote, startedMs }: ServedCall<O>,
  end: Pick<
    Parameters<typeof describeCall>[1],
    'route' | 'isNative' | 'record' | 'measure' | 'attempts' | 'warnings'
  >,
): FinishedCall {
  const { shape, document } = clientCall.parsed;
  const effort = requestedEffort(document);
  return describeCall(ports.clock, { call, caller, shape, quote, effort, startedMs, ...end });
}

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
    /** Effort the caller requested; undefined = none. */
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
    // The error comes last: the console shows it in the reader's language.
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
