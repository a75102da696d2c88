import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, LessThan, MoreThan } from 'typeorm';
import { isDuplicateKey } from '../../../infra/database/run-in-transaction.js';
import { Clock } from '../../../common/clock.js';
import { WorkerReports } from './worker-reports.js';
import type { FleetMinute } from '../model/observation.js';
import { StatusMinuteEntity } from './status-minute.entity.js';
import type { ReportedMinute } from '../model/worker-report.js';
import { boundOf } from './worker-metrics.js';

/** Calls of which this share had their first token in time. */
const SHARE = 0.95;

const sum = (parts: readonly ReportedMinute[], measure: (part: ReportedMinute) => number): number =>
  parts.reduce((total, part) => total + measure(part), 0);

const MINUTE_MS = 60_000;
/** Minutes that are kept and shown. */
const KEPT_MINUTES = 60;
/** A minute is written down this long after its end: by then every living worker has reported it. */
const SETTLED_AFTER_MS = 15_000;

/** The last hour of the whole installation, a row a minute. */
@Injectable()
export class FleetHistory {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly board: WorkerReports,
    private readonly clock: Clock,
  ) {}

  /** Stores finished minutes that no worker has stored yet. Fails: with the database's error. */
  async keep(): Promise<void> {
    const last = Math.floor((this.clock.nowMs() - SETTLED_AFTER_MS) / MINUTE_MS) - 1;
    const reports = await this.board.list();
    const parts = reports.flatMap(({ report }) => report.minutes.filter(({ minute }) => minute <= last));
    const minutes = this.dataSource.getRepository(StatusMinuteEntity);
    for (const [minute, ofMinute] of Map.groupBy(parts, (part) => part.minute)) {
      if (minute <= last - KEPT_MINUTES || (await minutes.existsBy({ minute }))) continue;
      const row = minutes.create({ ...sumMinutes(minute, ofMinute), workers: ofMinute.length });
      await minutes.insert(row).catch((error: unknown) => {
        // Another one stored it between the query and now.
        if (!isDuplicateKey(error)) throw error;
      });
    }
    await minutes.delete({ minute: LessThan(last - KEPT_MINUTES) });
  }

  /** Oldest first. Fails: with the database's error. */
  async list(): Promise<readonly FleetMinute[]> {
    const from = Math.floor(this.clock.nowMs() / MINUTE_MS) - KEPT_MINUTES - 1;
    const rows = await this.dataSource
      .getRepository(StatusMinuteEntity)
      .find({ where: { minute: MoreThan(from) }, order: { minute: 'ASC' } });
    return rows;
  }
}

/** One minute of all workers together. */
export function sumMinutes(minute: number, parts: readonly ReportedMinute[]): FleetMinute {
  const firstTokens = new Map<string, number>();
  for (const part of parts)
    for (const [bound, count] of Object.entries(part.firstTokens))
      firstTokens.set(bound, (firstTokens.get(bound) ?? 0) + count);
  return {
    minute,
    calls: sum(parts, ({ calls }) => calls),
    errors: sum(parts, ({ errors }) => errors),
    firstTokenP95Ms: quantileMs(firstTokens, SHARE),
    settlementLagMs: Math.round(Math.max(0, ...parts.map(({ settlementLagMs }) => settlementLagMs))),
    writeoffQuota: sum(parts, ({ writeoffQuota }) => writeoffQuota),
    overrunCalls: sum(parts, ({ overrunCalls }) => overrunCalls),
    overrunQuota: sum(parts, ({ overrunQuota }) => overrunQuota),
  };
}

/** Taken to lie evenly between two bounds, as Prometheus does; above the last bound it is that bound. */
function quantileMs(counts: ReadonlyMap<string, number>, share: number): number | null {
  const sorted = [...counts]
    .map(([bound, count]) => ({ bound: boundOf(bound), count }))
    .filter(({ bound }) => !Number.isNaN(bound))
    .sort((left, right) => left.bound - right.bound);
  const wanted = sorted.reduce((total, { count }) => total + count, 0) * share;
  if (wanted === 0) return null;
  let below = 0;
  let lower = 0;
  for (const { bound, count } of sorted) {
    if (below + count >= wanted && count > 0) {
      if (bound === Number.POSITIVE_INFINITY) return Math.round(lower * 1_000);
      return Math.round((lower + ((bound - lower) * (wanted - below)) / count) * 1_000);
    }
    below += count;
    if (bound !== Number.POSITIVE_INFINITY) lower = bound;
  }
  return Math.round(lower * 1_000);
}
