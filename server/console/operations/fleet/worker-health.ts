import { Injectable } from '@nestjs/common';
import { Revisions } from '../../../infra/events/revisions.js';
import { DegradedModes } from '../../../infra/observability/degraded-modes.js';
import { ChannelCircuitBreaker } from '../../../gateway/channels/state/channel-circuit-breaker.js';
import { StoreProbe } from './store-probe.js';
import { WorkerMetrics } from './worker-metrics.js';
import type { WorkerReport } from '../model/worker-report.js';

/** Channels at rest a report names. */
const MAX_RESTS = 50;

type HealthPart = Omit<
  WorkerReport,
  | ('bootId' | 'instance' | 'host' | 'worker' | 'pid' | 'version' | 'address' | 'startedAtMs')
  | ('atMs' | 'state' | 'isReady')
>;

/** State of this worker: its stores, its money, its event loop, open circuits and degraded modes. */
@Injectable()
export class WorkerHealth {
  constructor(
    private readonly probe: StoreProbe,
    private readonly figures: WorkerMetrics,
    private readonly modes: DegradedModes,
    private readonly revisions: Revisions,
    private readonly circuits: ChannelCircuitBreaker,
  ) {}

  /** Never fails: a store that does not answer is reported as away. */
  async describe(): Promise<HealthPart> {
    const [database, store] = await Promise.all([this.probe.database(), this.probe.store()]);
    const { figures } = this;
    const settlementLagMs = milliseconds(await figures.largest('tollgate_settlement_lag_recent_seconds'));
    const memory = process.memoryUsage();
    return {
      revision: { number: this.revisions.current, sinceMs: this.revisions.lastSwitchMs },
      callsUnderWay: await figures.read('tollgate_calls_in_flight'),
      streamsUnderWay: await figures.read('tollgate_streams_in_flight'),
      money: {
        spoolRecords: await figures.read('tollgate_spool_unbooked_records'),
        spoolOldestSeconds: await figures.largest('tollgate_spool_oldest_seconds'),
        settlementLagMs,
        holds: await figures.read('tollgate_spool_open_calls'),
      },
      eventLoopDelayMs: milliseconds(await figures.read('tollgate_event_loop_delay_max_seconds')),
      memory: { residentBytes: memory.rss, heapBytes: memory.heapUsed },
      database: {
        ...database,
        connectionsUsed: await figures.read('tollgate_database_connections_used'),
        connectionsWaiting: await figures.read('tollgate_database_connections_waiting'),
      },
      store,
      breakers: this.breakers(),
      restingChannels: this.circuits
        .listOpen()
        .slice(0, MAX_RESTS)
        .map((circuit) => ({ ...circuit, keys: circuit.keys.slice(0, MAX_RESTS) })),
      boundedReports: [...(await figures.boundedReports())],
      degraded: this.modes.list().map(({ mode, sinceMs, cause }) => ({ mode, sinceMs, cause })),
      minutes: [...(await figures.finishedMinutes(settlementLagMs ?? 0))],
    };
  }

  private breakers(): WorkerReport['breakers'] {
    return (['database', 'redis'] as const).flatMap((name) => {
      const sinceMs = this.probe.awaySinceMs(name);
      return sinceMs === undefined ? [] : [{ name, sinceMs }];
    });
  }
}

const milliseconds = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round(seconds * 1_000);
