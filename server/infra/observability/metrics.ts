import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';

/**
 * The figures of this process. Modules register their own on the registry (prom-client: `new Counter({ registers: [registry] })`).
 * The library is loaded when somebody will read them: a process without METRICS_PORT does without its memory.
 */
@Injectable()
export class Metrics {
  private opened: Promise<Registry> | undefined;

  /** The registry, with the defaults of a Node process in it. */
  open(): Promise<Registry> {
    return (this.opened ??= openRegistry());
  }
}

async function openRegistry(): Promise<Registry> {
  const { collectDefaultMetrics, Registry: OpenRegistry } = await import('prom-client');
  const registry = new OpenRegistry();
  collectDefaultMetrics({ register: registry, prefix: 'tollgate_' });
  return registry;
}
