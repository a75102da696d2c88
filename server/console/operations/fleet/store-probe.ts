import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Env } from '../../../config/env.js';
import { dialectOf } from '../../../infra/database/dialect-of.js';
import { ClockWatch } from '../../../infra/health/clock-watch.js';
import { SharedStore } from '../../../infra/shared-store/shared-store.js';
import { Clock } from '../../../common/clock.js';
import type { WorkerReport } from '../model/worker-report.js';

/** A store that takes longer counts as away. */
const DEADLINE_MS = 2_000;
/** Nothing is stored under it: the question is the measurement. */
const PROBE_KEY = 'operations:probe';

export type StoreName = 'database' | 'redis';

/** Asks both stores one small question each, and measures how long the answer takes. */
@Injectable()
export class StoreProbe {
  /** Stores that did not answer last time, and since when. */
  private readonly away = new Map<StoreName, number>();

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly shared: SharedStore,
    private readonly env: Env,
    private readonly clock: Clock,
    private readonly clockWatch: ClockWatch,
  ) {}

  /** Wall clock, milliseconds; undefined = it answered last time. */
  awaySinceMs(name: StoreName): number | undefined {
    return this.away.get(name);
  }

  /** Never fails. The offset is this machine's clock less the database's as last measured: what readiness goes by, too. */
  async database(): Promise<Pick<WorkerReport['database'], 'isUp' | 'latencyMs' | 'clockOffsetMs'>> {
    const asked = await this.measure(() => this.dataSource.query('SELECT 1'));
    this.note('database', asked !== null);
    if (asked === null) return { isUp: false, latencyMs: null, clockOffsetMs: null };
    // A database in this process has this process's clock.
    const isHere = dialectOf(this.dataSource) === 'sqlite';
    const clockOffsetMs = isHere ? null : this.clockWatch.lastSkewMs;
    return { isUp: true, latencyMs: asked.latencyMs, clockOffsetMs };
  }

  async store(): Promise<WorkerReport['store']> {
    const kind = this.env.redisUrl === undefined ? 'memory' : 'redis';
    if (kind === 'memory') return { kind, isUp: true, latencyMs: null };
    const asked = await this.measure(() => this.shared.cache.get(PROBE_KEY));
    this.note('redis', asked !== null);
    return { kind, isUp: asked !== null, latencyMs: asked?.latencyMs ?? null };
  }

  private note(name: StoreName, isUp: boolean): void {
    if (isUp) this.away.delete(name);
    else if (!this.away.has(name)) this.away.set(name, this.clock.nowMs());
  }

  private async measure<T>(
    ask: () => Promise<T>,
  ): Promise<{ readonly value: T; readonly latencyMs: number } | null> {
    const startedMs = this.clock.monotonicMs();
    let cancel: () => void = () => undefined;
    const late = new Promise<null>((resolve) => {
      cancel = this.clock.after(DEADLINE_MS, () => resolve(null));
    });
    // Away is an answer here, not a fault.
    const answer = ask().then(
      (value) => ({
        value,
        latencyMs: Math.round((this.clock.monotonicMs() - startedMs) * 10) / 10,
      }),
      () => null,
    );
    try {
      return await Promise.race([answer, late]);
    } finally {
      cancel();
    }
  }
}
