import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { LOG_DATA_SOURCE } from '../database/database.module.js';
import { gateOf } from '../database/gate-connections.js';
import { MetricsRegistry, type Sample } from '../observability/metrics-registry.js';

/** Figures of the connections to the databases. */
@Injectable()
export class DatabaseMetrics {
  constructor(
    figures: MetricsRegistry,
    @InjectDataSource() main: DataSource,
    @InjectDataSource(LOG_DATA_SOURCE) logs: DataSource,
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
  }
}
