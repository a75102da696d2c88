import { Injectable } from '@nestjs/common';
import type { Context, Span } from '@opentelemetry/api';
import { getOrAdd } from '../../../common/get-or-add.js';
import { Tracing } from '../../../infra/observability/tracing/tracing.js';
import type { Attempt, FinishedCall } from '../../../relay-core/model/call.js';
import type { Operation } from '../../../relay-core/model/operation.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { AnswerEnding, CallObserver, CallStage } from '../../../relay-core/ports/call-watch.js';
import { RelayMetrics } from './relay-metrics.js';
import type { OpenTracing } from '../../../infra/observability/tracing/open-tracing.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import { findChannelType } from '../../../relay-core/providers/registry.js';

/** Names of the semantic conventions for generative AI, where they have one. */
const OPERATION_NAMES: Readonly<Partial<Record<Operation, string>>> = {
  chat: 'chat',
  embed: 'embeddings',
};

/** Gives every call its observer. */
@Injectable()
export class RelayWatch {
  private readonly observers = new Map<string, CountingCallObserver>();

  constructor(
    private readonly figures: RelayMetrics,
    private readonly tracing: Tracing,
  ) {}

  /** @param route  the address's pattern: one of few, whatever is called */
  begin(
    route: string,
    request: Pick<TracedRequest, 'callId' | 'headers'>,
    operation: Operation,
  ): CallObserver {
    this.figures.began(route);
    const counting = this.counting(route);
    const { current } = this.tracing;
    if (current === undefined) return counting;
    const { callId, headers } = request;
    return TracingCallObserver.begin(current, { callId, headers, route, operation }, counting) ?? counting;
  }

  /** @param count  running streams of one kind */
  countStreams(count: () => number): void {
    this.figures.streams.push(count);
  }

  /** @param count  replies that are read on without their clients */
  countAbandoned(count: () => number): void {
    this.figures.abandoned = count;
  }

  /** A call that was refused by its head alone. */
  refusedBeforeItsBody(route: string, error: RelayError): void {
    this.figures.refused({ route, model: undefined }, error);
  }

  private counting(route: string): CountingCallObserver {
    return getOrAdd(this.observers, route, () => new CountingCallObserver(route, this.figures));
  }
}

/** Counts the calls of one route. It knows nothing of a single call, so one serves them all. */
class CountingCallObserver implements CallObserver {
  constructor(
    private readonly route: string,
    private readonly figures: RelayMetrics,
  ) {}

  enter(): void {
    // The position of a call is a matter of traces.
  }

  onSend(): undefined {
    return undefined;
  }

  refused(...[model, error, attempts]: Parameters<CallObserver['refused']>): void {
    this.figures.refused({ route: this.route, model }, error, attempts);
  }

  answered(finished: FinishedCall, { error }: AnswerEnding): void {
    this.figures.answered(this.route, finished, error);
  }

  over(): void {
    this.figures.over(this.route);
  }
}

/** Request attributes of a trace. */
export interface TracedRequest {
  readonly callId: string;
  readonly route: string;
  readonly operation: Operation;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * The spans of one call: the call itself, the stages it went through, and each departure to an upstream. Nothing of what was
 * asked or answered, no key and no address beyond a host: who reads traces need not be who may read those.
 */
export class TracingCallObserver implements CallObserver {
  private readonly call: Span;
  private readonly context: Context;
  private stage: Span | undefined;
  /** Departures by number of the attempt; they end when it is known what came of them. */
  private readonly upstreamSpans = new Map<number, Span>();
  private readonly operation: string;

  /** @returns undefined when this call is not sampled */
  static begin(
    tracing: OpenTracing,
    request: TracedRequest,
    counting: CallObserver,
  ): TracingCallObserver | undefined {
    const { api, tracer } = tracing;
    const call = tracer.startSpan(
      `POST ${request.route}`,
      {
        kind: api.SpanKind.SERVER,
        attributes: {
          'http.request.method': 'POST',
          'http.route': request.route,
          'tollgate.call_id': request.callId,
        },
      },
      tracing.contextOf(request.headers),
    );
    return call.isRecording() ? new TracingCallObserver(tracing, call, request, counting) : undefined;
  }

  private constructor(
    private readonly tracing: OpenTracing,
    call: Span,
    { operation }: TracedRequest,
    private readonly counting: CallObserver,
  ) {
    this.call = call;
    this.context = tracing.api.trace.setSpan(tracing.api.ROOT_CONTEXT, call);
    this.operation = OPERATION_NAMES[operation] ?? operation;
  }

  enter(stage: CallStage): void {
    this.stage?.end();
    this.stage = this.tracing.tracer.startSpan(stage, {}, this.context);
  }

  onSend(route: Route, attempt: number): Readonly<Record<string, string>> | undefined {
    const { api, tracer, isSentUpstream } = this.tracing;
    const parent = this.stage === undefined ? this.context : api.trace.setSpan(this.context, this.stage);
    const provider = providerName(route.channelType);
    const host = hostOf(route.baseUrl);
    const span = tracer.startSpan(
      `${this.operation} ${route.upstreamModel}`,
      {
        kind: api.SpanKind.CLIENT,
        // Whole milliseconds, as its end will be.
        startTime: Date.now(),
        attributes: {
          'gen_ai.operation.name': this.operation,
          'gen_ai.provider.name': provider,
          'gen_ai.system': provider,
          'gen_ai.request.model': route.upstreamModel,
          'tollgate.channel.id': route.channelId,
          'tollgate.channel.name': route.channelName,
          'tollgate.attempt': attempt + 1,
          ...(host === undefined ? {} : { 'server.address': host }),
        },
      },
      parent,
    );
    this.upstreamSpans.set(attempt, span);
    return isSentUpstream ? this.tracing.headersOf(span) : undefined;
  }

  refused(model: string | undefined, error: RelayError, attempts: readonly Attempt[]): void {
    this.counting.refused(model, error, attempts);
    if (model !== undefined) this.call.setAttribute('gen_ai.request.model', model);
    this.fail(this.call, error.kind, error.blame !== 'caller');
    this.endUpstreamSpans(attempts);
  }

  answered(finished: FinishedCall, ending: AnswerEnding): void {
    this.counting.answered(finished, ending);
    const { usage, attempts, shape, caller } = finished;
    const [input, output] = [usage.input.total ?? 0, usage.output.total ?? 0];
    const last = this.upstreamSpans.get(attempts.filter(wasSent).length - 1);
    for (const span of last === undefined ? [this.call] : [this.call, last]) {
      span.setAttributes({ 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': output });
      if (ending.finishReason !== undefined)
        span.setAttribute('gen_ai.response.finish_reasons', [ending.finishReason]);
    }
    this.call.setAttributes({
      'gen_ai.operation.name': this.operation,
      'gen_ai.request.model': shape.model,
      'tollgate.stream': shape.stream,
      'tollgate.outcome': finished.outcome,
      'tollgate.evidence': finished.evidence,
      'tollgate.charged_quota': finished.priced,
      'tollgate.user.id': caller.userId,
      ...(finished.firstByteMs === undefined ? {} : { 'tollgate.first_token_ms': finished.firstByteMs }),
    });
    if (ending.error !== undefined) this.fail(this.call, ending.error.kind, ending.error.blame !== 'caller');
    this.endUpstreamSpans(attempts);
  }

  over(): void {
    this.counting.over();
    this.stage?.end();
    for (const span of this.upstreamSpans.values()) span.end();
    this.upstreamSpans.clear();
    this.call.end();
  }

  private endUpstreamSpans(attempts: readonly Attempt[]): void {
    this.stage?.end();
    this.stage = undefined;
    const sent = attempts.filter(wasSent);
    for (const [index, span] of this.upstreamSpans) {
      const attempt = sent[index];
      if (attempt?.failure !== undefined) this.fail(span, attempt.failure, true);
      if (attempt?.upstreamStatus !== undefined)
        span.setAttribute('http.response.status_code', attempt.upstreamStatus);
      span.end(attempt?.endedAtMs);
    }
    this.upstreamSpans.clear();
  }

  /** The kind only: messages of vendors quote the request. */
  private fail(span: Span, kind: RelayError['kind'], isError: boolean): void {
    span.setAttribute('error.type', kind);
    if (isError) span.setStatus({ code: this.tracing.api.SpanStatusCode.ERROR });
  }
}

/** A full channel got no request, and has no span. */
const wasSent = ({ failure }: Attempt): boolean => failure !== 'channels-full';

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}

/** `gen_ai.provider.name` of a channel type; unknown ones are called by their number. */
export function providerName(channelType: number): string {
  const { telemetryName, name } = findChannelType(channelType) ?? { name: `type-${channelType}` };
  return telemetryName ?? name.toLowerCase().replaceAll(/[^a-z0-9.]+/g, '_');
}
