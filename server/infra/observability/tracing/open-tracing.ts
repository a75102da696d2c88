import * as api from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TraceSampler, TraceSettings } from '../../../config/trace-env.js';

const TRACE_PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const MAX_STATE_CHARACTERS = 512;

const MAX_QUEUE = 4_096;
const MAX_BATCH = 512;
const SEND_EVERY_MS = 2_000;
const SEND_TIMEOUT_MS = 5_000;
/** Names of models and channels are the longest of what a span carries. */
const MAX_ATTRIBUTE_CHARACTERS = 256;

/** Traces that are switched on. */
export interface OpenTracing {
  readonly api: typeof api;
  readonly tracer: api.Tracer;
  /** Upstreams are sent the `traceparent` of their call. */
  readonly isSentUpstream: boolean;
  /** The context a caller's `traceparent` stands for; without one, or with a broken one, the root. */
  contextOf(headers: Readonly<Record<string, string | string[] | undefined>>): api.Context;
  /** `traceparent` (and `tracestate`) of a span. */
  headersOf(span: api.Span): Readonly<Record<string, string>>;
  /** Sends what waits. @returns false when it was not enough time */
  close(withinMs: number): Promise<boolean>;
}

/** @param onSent  how many spans a collector took or did not take */
export function openTracing(
  settings: TraceSettings,
  onSent: (count: number, isSent: boolean) => void,
): OpenTracing {
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: SEND_TIMEOUT_MS,
    concurrencyLimit: 2,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ ...settings.attributes }),
    sampler: samplerOf(settings.sampler, settings.ratio),
    spanLimits: { attributeValueLengthLimit: MAX_ATTRIBUTE_CHARACTERS, attributeCountLimit: 64 },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: countingExporter(exporter, onSent),
        maxQueueSize: MAX_QUEUE,
        maxExportBatchSize: MAX_BATCH,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_TIMEOUT_MS,
      }),
    ],
  });
  return {
    api,
    tracer: provider.getTracer('tollgate'),
    isSentUpstream: settings.isSentUpstream,
    contextOf: (headers) => {
      const parent = readTraceParent(headers['traceparent'], headers['tracestate']);
      return parent === undefined
        ? api.ROOT_CONTEXT
        : api.trace.setSpanContext(api.ROOT_CONTEXT, {
            traceId: parent.traceId,
            spanId: parent.spanId,
            traceFlags: parent.flags,
            isRemote: true,
            ...(parent.state === '' ? {} : { traceState: api.createTraceState(parent.state) }),
          });
    },
    headersOf: (span) => {
      const { traceId, spanId, traceFlags, traceState } = span.spanContext();
      return writeTraceParent({ traceId, spanId, flags: traceFlags, state: traceState?.serialize() ?? '' });
    },
    close: async (withinMs) => {
      const late = Promise.withResolvers<boolean>();
      const timer = setTimeout(() => late.resolve(false), withinMs);
      const closing = provider.shutdown().then(
        () => true,
        // `onSent` has reported it already.
        () => false,
      );
      const isDone = await Promise.race([closing, late.promise]);
      clearTimeout(timer);
      return isDone;
    },
  };
}

/** The same exporter, whose results are counted. */
function countingExporter(
  exporter: SpanExporter,
  onSent: (count: number, isSent: boolean) => void,
): SpanExporter {
  return {
    export: (spans, callback) =>
      exporter.export(spans, (result) => {
        onSent(spans.length, result.code === 0);
        callback(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

function samplerOf(name: TraceSampler, ratio: number): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}

/** W3C Trace Context, as it stands in headers. */
export interface TraceParent {
  /** 32 hexadecimal digits, not all zero. */
  readonly traceId: string;
  /** 16 hexadecimal digits, not all zero. */
  readonly spanId: string;
  readonly flags: number;
  /** `tracestate`; empty = none. */
  readonly state: string;
}

/** @returns undefined when there is none, or when it is not well-formed: a trace then begins here */
export function readTraceParent(
  header: string | string[] | undefined,
  state: string | string[] | undefined,
): TraceParent | undefined {
  const [, version = '', traceId = '', spanId = '', flags = '', rest] =
    TRACE_PARENT.exec(typeof header === 'string' ? header.trim() : '') ?? [];
  const isKnown = version !== '' && version !== 'ff' && !(version === '00' && rest !== undefined);
  if (!isKnown || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  const text = Array.isArray(state) ? state.join(',') : (state ?? '');
  return {
    traceId,
    spanId,
    flags: Number.parseInt(flags, 16) & 1,
    state: text.length <= MAX_STATE_CHARACTERS ? text : '',
  };
}

export function writeTraceParent({ traceId, spanId, flags, state }: TraceParent): Record<string, string> {
  const traceparent = `00-${traceId}-${spanId}-${(flags & 1).toString(16).padStart(2, '0')}`;
  return state === '' ? { traceparent } : { traceparent, tracestate: state };
}
