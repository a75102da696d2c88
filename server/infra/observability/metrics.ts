import { Injectable } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * The figures of this process. Modules register their own on `registry` (prom-client: `new Counter({ registers: [registry] })`).
 * Defaults are collected only when somebody will read them.
 */
@Injectable()
export class Metrics {
  readonly registry = new Registry();

  collectDefaults(): void {
    collectDefaultMetrics({ register: this.registry, prefix: 'tollgate_' });
  }
}
