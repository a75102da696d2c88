import { getOrAdd } from '../../../common/get-or-add.js';
import { Injectable } from '@nestjs/common';
import { Tracing } from '../../../infra/observability/tracing/tracing.js';
import type { FinishedCall } from '../../../relay-core/model/call.js';
import type { Operation } from '../../../relay-core/model/operation.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { AnswerEnding, CallObserver } from '../../../relay-core/ports/call-watch.js';
import { TracingCallObserver, type TracedRequest } from './tracing-call-observer.js';
import { RelayMetrics } from './relay-metrics.js';

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

  /** @param count  streams under way, of one kind */
  countStreams(count: () => number): void {
    this.figures.streams.push(count);
  }

  /** A call that was refused by its head alone. */
  refusedBeforeItsBody(route: string, error: RelayError): void {
    this.figures.refused(route, undefined, error);
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
    // Where a call is, is a matter of traces.
  }

  onSend(): undefined {
    return undefined;
  }

  refused(...[model, error, attempts]: Parameters<CallObserver['refused']>): void {
    this.figures.refused(this.route, model, error, attempts);
  }

  answered(finished: FinishedCall, { error }: AnswerEnding): void {
    this.figures.answered(this.route, finished, error);
  }

  over(): void {
    this.figures.over(this.route);
  }
}
