import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { LOG_DATA_SOURCE } from '../database/database.module.js';
import { gateOf } from '../database/gate-connections.js';
import { Revisions } from '../events/revisions.js';
import { SharedStore } from '../shared-store/shared-store.js';
import { DEGRADED_MODES, type DegradedMode, DegradedModes } from '../observability/degraded-modes.js';
import { Readiness } from './readiness.js';
import { MetricsRegistry, type Sample } from '../observability/metrics-registry.js';

/** Figures of what everything stands on: databases, the shared store, degraded modes. */
@Injectable()
export class PlatformMetrics {
  constructor(
    figures: MetricsRegistry,
    @InjectDataSource() main: DataSource,
    @InjectDataSource(LOG_DATA_SOURCE) logs: DataSource,
    store: SharedStore,
    modes: DegradedModes,
    revisions: Revisions,
    readiness: Readiness,
  ) {
    const pools =
      logs === main
        ? [{ pool: 'main', source: main }]
        : [
            { pool: 'main', source: main },
            { pool: 'logs', source: logs },
          ];
    const perPool = (read: (source: DataSource) => number | undefined) => (): readonly Sample[] =>
      pools.flatMap(({ pool, source }) => {
        const value = read(source);
        return value === undefined ? [] : [{ labels: { pool }, value }];
      });
    figures.gauge(
      'tollgate_database_connections_used',
      'Connections of this process that somebody works with; MySQL and PostgreSQL only.',
      perPool((source) => gateOf(source)?.inside),
      ['pool'],
    );
    figures.gauge(
      'tollgate_database_connections_waiting',
      'Who waits for a connection; MySQL and PostgreSQL only.',
      perPool((source) => gateOf(source)?.waiting),
      ['pool'],
    );
    figures.gauge(
      'tollgate_shared_store_up',
      '1 = the shared store answers, 0 = its breaker is open and fallbacks are used.',
      () => Number(store.isAvailable),
    );
    figures.gauge('tollgate_ready', '1 = the process may receive traffic, as /readyz says.', async () =>
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
