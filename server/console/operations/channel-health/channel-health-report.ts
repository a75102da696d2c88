import { Injectable } from '@nestjs/common';
import { cachedReading } from '../../../infra/clock/cached-reading.js';
import { Clock } from '../../../common/clock.js';
import { type AttemptSum, AttemptStatistics } from '../../../base/channel-statistics/attempt-statistics.js';
import type { ChannelFailure } from '../../../base/channel-statistics/attempt-totals.js';
import { quantileMs } from '../../../base/channel-statistics/histogram.js';

export const HEALTH_BUCKET_SECONDS = 3_600;
const HEALTH_BUCKETS = 24;
/** Attempts may be counted this late (spool, replay); hours younger than this are read again. */
const SETTLING_SECONDS = 600;

/** 24 hours of one channel, oldest first. Times are of attempts that answered; null = none in that hour. */
export interface ChannelHealthLine {
  readonly channelId: number;
  readonly attempts: readonly number[];
  readonly failures: readonly number[];
  /** Tokens that the provider bills for attempts that failed. */
  readonly billedTokens: readonly number[];
  readonly medianMs: readonly (number | null)[];
  readonly p95Ms: readonly (number | null)[];
}

export interface ChannelHealthReport {
  /** Start of the first bucket, seconds. */
  readonly since: number;
  /** Since when attempts are counted, seconds; null = none was. */
  readonly countedSince: number | null;
  readonly lines: readonly ChannelHealthLine[];
  /** Newest failure of each channel that had one. */
  readonly newestFailures: ReadonlyMap<number, ChannelFailure>;
}

/**
 * Attempts, failures and times of every channel over the last day. Hours that are over are read once and kept, so that asking every
 * few seconds reads only the hour that is running.
 */
@Injectable()
export class ChannelHealthReporter {
  /** Hour start → sums of that hour by channel. */
  private readonly hours = new Map<number, readonly AttemptSum[]>();
  /** Fails: with the database's error. */
  readonly last24Hours: () => Promise<ChannelHealthReport>;

  constructor(
    private readonly statistics: AttemptStatistics,
    clock: Clock,
  ) {
    this.last24Hours = cachedReading(clock, () => this.make(Math.floor(clock.nowMs() / 1000)), FRESH_MS);
  }

  private async make(nowSeconds: number): Promise<ChannelHealthReport> {
    const current = nowSeconds - (nowSeconds % HEALTH_BUCKET_SECONDS);
    const since = current - (HEALTH_BUCKETS - 1) * HEALTH_BUCKET_SECONDS;
    const unknown = hoursBetween(since, current).find((hour) => !this.hours.has(hour)) ?? current;
    const [sums, countedSince, newestFailures] = await Promise.all([
      this.statistics.sums(
        { from: unknown, to: nowSeconds },
        { channel: true, bucketSeconds: HEALTH_BUCKET_SECONDS },
      ),
      this.statistics.since(),
      this.statistics.newestFailures(),
    ]);
    const fresh = Map.groupBy(sums, ({ start }) => start);
    const all = hoursBetween(since, current).map((hour) => fresh.get(hour) ?? this.hours.get(hour) ?? []);
    this.keepFinishedHours(fresh, { since, from: unknown, nowSeconds });
    return { since, countedSince, lines: toLines(all), newestFailures };
  }

  private keepFinishedHours(
    fresh: ReadonlyMap<number, readonly AttemptSum[]>,
    {
      since,
      from,
      nowSeconds,
    }: { readonly since: number; readonly from: number; readonly nowSeconds: number },
  ): void {
    for (const hour of this.hours.keys()) if (hour < since) this.hours.delete(hour);
    for (const hour of hoursBetween(from, nowSeconds)) {
      const isSettled = hour + HEALTH_BUCKET_SECONDS + SETTLING_SECONDS <= nowSeconds;
      if (isSettled) this.hours.set(hour, fresh.get(hour) ?? []);
    }
  }
}

/** Lifetime of a report, however many readers there are. */
const FRESH_MS = 5_000;

function hoursBetween(first: number, last: number): number[] {
  const hours: number[] = [];
  for (let hour = first; hour <= last; hour += HEALTH_BUCKET_SECONDS) hours.push(hour);
  return hours;
}

/** One line per channel that was used, from the sums of each hour. */
function toLines(hours: readonly (readonly AttemptSum[])[]): ChannelHealthLine[] {
  const channelIds = [...new Set(hours.flat().map(({ channelId }) => channelId))].sort((a, b) => a - b);
  return channelIds.map((channelId) => {
    const own = hours.map((sums) => sums.find((sum) => sum.channelId === channelId));
    return {
      channelId,
      attempts: own.map((sum) => sum?.attempts ?? 0),
      failures: own.map((sum) => sum?.failures ?? 0),
      billedTokens: own.map((sum) => sum?.billedTokens ?? 0),
      medianMs: own.map((sum) => quantileMs(sum?.duration ?? [], 0.5)),
      p95Ms: own.map((sum) => quantileMs(sum?.duration ?? [], 0.95)),
    };
  });
}
