import { Injectable } from '@nestjs/common';
import { Revisions } from '../events/revisions.js';
import { SharedStore } from '../shared-store/shared-store.js';
import { DEGRADED_MODES, type DegradedMode, DegradedModes } from '../observability/degraded-modes.js';
import { Readiness } from './readiness.js';
import { MetricsRegistry } from '../observability/metrics-registry.js';

/** Figures of what everything stands on: the shared store, revisions, readiness, degraded modes. */
@Injectable()
export class PlatformMetrics {
  constructor(
    figures: MetricsRegistry,
    store: SharedStore,
    modes: DegradedModes,
    revisions: Revisions,
    readiness: Readiness,
  ) {
    figures.gauge(
      'tollgate_shared_store_up',
      '1 = the shared store answers, 0 = its breaker is open and fallbacks are used.',
      () => Number(store.isAvailable),
    );
    figures.gauge('tollgate_ready', '1 = the process may receive traffic, as /readyz.', async () =>
      Number(await readiness.isReady()),
    );
    figures.gauge(
      'tollgate_revision',
      'Revision of options and channels in force; differs between processes only while they converge.',
      () => revisions.current,
    );
    figures.gauge(
      'tollgate_degraded_mode',
      '1 while the process is in this degraded mode.',
      () =>
        (Object.keys(DEGRADED_MODES) as DegradedMode[]).map((mode) => ({
          labels: { mode },
          value: Number(modes.has(mode)),
        })),
      ['mode'],
    );
  }
}
