import { Injectable } from '@nestjs/common';
import { cachedReading } from '../../infra/clock/cached-reading.js';
import { Clock } from '../../common/clock.js';
import { LOG_TYPE } from '../../base/logs/log.codes.js';
import { type HealthCount, LogsRepository } from '../../base/logs/logs.repository.js';

export const HEALTH_BUCKET_SECONDS = 3_600;
const HEALTH_BUCKETS = 24;
/** Lines may arrive this late (spool, replay); hours younger than this are counted again. */
const SETTLING_SECONDS = 600;

/** 24 hours of one channel, oldest first. */
export interface ChannelHealthLine {
  readonly channelId: number;
  readonly success: readonly number[];
  readonly errors: readonly number[];
  /** Median duration of successful calls in seconds; null = none in that hour. */
  readonly medianSeconds: readonly (number | null)[];
}

export interface ChannelHealthReport {
  /** Start of the first bucket, seconds. */
  readonly since: number;
  readonly lines: readonly ChannelHealthLine[];
}

/**
 * Success and latency of every channel over the last day, from the log. Hours that are over are counted once and kept, so
 * that asking every few seconds reads only the hour that is running.
 */
@Injectable()
export class ChannelHealthReporter {
  /** Hour start → counts of that hour. */
  private readonly hours = new Map<number, readonly HealthCount[]>();
  /** What every channel did over the last day. Fails: with the database's error. */
  readonly last24Hours: () => Promise<ChannelHealthReport>;

  constructor(
    private readonly logs: LogsRepository,
    clock: Clock,
  ) {
    this.last24Hours = cachedReading(clock, () => this.make(Math.floor(clock.nowMs() / 1000)));
  }

  private async make(nowSeconds: number): Promise<ChannelHealthReport> {
    const current = nowSeconds - (nowSeconds % HEALTH_BUCKET_SECONDS);
    const since = current - (HEALTH_BUCKETS - 1) * HEALTH_BUCKET_SECONDS;
    const unknown = hoursBetween(since, current).find((hour) => !this.hours.has(hour));
    const counts = await this.logs.countHealth(unknown ?? current, HEALTH_BUCKET_SECONDS);
    const fresh = Map.groupBy(counts, (count) => count.hour);
    const all = hoursBetween(since, current).map((hour) => fresh.get(hour) ?? this.hours.get(hour) ?? []);
    this.keepFinishedHours(fresh, since, unknown ?? current, nowSeconds);
    return { since, lines: toLines(all) };
  }

  private keepFinishedHours(
    fresh: ReadonlyMap<number, readonly HealthCount[]>,
    since: number,
    from: number,
    nowSeconds: number,
  ): void {
    for (const hour of this.hours.keys()) if (hour < since) this.hours.delete(hour);
    for (const hour of hoursBetween(from, nowSeconds)) {
      const isSettled = hour + HEALTH_BUCKET_SECONDS + SETTLING_SECONDS <= nowSeconds;
      if (isSettled) this.hours.set(hour, fresh.get(hour) ?? []);
    }
  }
}

function hoursBetween(first: number, last: number): number[] {
  const hours: number[] = [];
  for (let hour = first; hour <= last; hour += HEALTH_BUCKET_SECONDS) hours.push(hour);
  return hours;
}

/** One line per channel that was used, from the counts of each hour. */
function toLines(hours: readonly (readonly HealthCount[])[]): ChannelHealthLine[] {
  const channelIds = [...new Set(hours.flat().map((count) => count.channelId))].sort((a, b) => a - b);
  return channelIds.map((channelId) => {
    const own = hours.map((counts) => counts.filter((count) => count.channelId === channelId));
    return {
      channelId,
      success: own.map((counts) => sumOf(counts, LOG_TYPE.consumption)),
      errors: own.map((counts) => sumOf(counts, LOG_TYPE.error)),
      medianSeconds: own.map((counts) =>
        medianOf(counts.filter((count) => count.type === LOG_TYPE.consumption)),
      ),
    };
  });
}

const sumOf = (counts: readonly HealthCount[], type: number): number =>
  counts.reduce((sum, count) => (count.type === type ? sum + count.count : sum), 0);

/** Median of a histogram; of an even number the mean of the middle two. */
function medianOf(counts: readonly HealthCount[]): number | null {
  const total = counts.reduce((sum, count) => sum + count.count, 0);
  if (total === 0) return null;
  const ordered = [...counts].sort((a, b) => a.useTime - b.useTime);
  const at = (rank: number): number => {
    let seen = 0;
    for (const count of ordered) {
      seen += count.count;
      if (seen >= rank) return count.useTime;
    }
    return 0;
  };
  return total % 2 === 1 ? at((total + 1) / 2) : (at(total / 2) + at(total / 2 + 1)) / 2;
}
