import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { finalize, type Observable, tap } from 'rxjs';
import { type CounterMetric, type HistogramMetric, MetricsRegistry } from './metrics-registry.js';

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Rate, failures and times of the console's routes. Calls of the relay do not pass here, and neither does what a guard refused. */
@Injectable()
export class ConsoleWatch implements NestInterceptor {
  private readonly requests: CounterMetric;
  private readonly seconds: HistogramMetric;

  constructor(figures: MetricsRegistry) {
    this.requests = figures.counter(
      'tollgate_console_requests_total',
      'Requests of the console that reached their handler, by how they ended: ok, or refused or failed.',
      ['method', 'route', 'outcome'],
    );
    this.seconds = figures.histogram(
      'tollgate_console_request_seconds',
      'Time from a request of the console to the end of its handler.',
      SECONDS,
    );
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const { method, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    const startedMs = performance.now();
    let outcome = 'ok';
    return next.handle().pipe(
      tap({
        error: () => {
          outcome = 'refused';
        },
      }),
      finalize(() => {
        this.requests.add(1, method, routeOptions.url ?? '', outcome);
        this.seconds.observe((performance.now() - startedMs) / 1_000);
      }),
    );
  }
}
