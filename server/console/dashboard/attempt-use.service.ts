import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { getOrAdd } from '../../common/get-or-add.js';
import { promiseProps } from '../../common/promise-props.js';
import { ZonedTime } from '../../common/time-zone.js';
import type { Actor } from '../../base/access/current-actor.js';
import { type AttemptSum, AttemptStatistics } from '../../base/channel-statistics/attempt-statistics.js';
import { QUARTER_SECONDS } from '../../base/channel-statistics/attempt-totals.js';
import {
  addHistogram,
  emptyHistogram,
  type Histogram,
  quantileMs,
} from '../../base/channel-statistics/histogram.js';
import { ChannelNames } from '../../gateway/channels/state/channel-names.js';
import { RecentAnswers } from '../../infra/clock/recent-answers.js';
import { AskedSpans, MAX_DAYS } from './asked-spans.js';
import type { AttemptUseQuery, AttemptUseView } from './dto/use.dto.js';

const HOUR_SECONDS = 3_600;
const MOST_LINES = 50;
const KEPT = { maxAgeMs: 10_000, maxEntries: 20, isKept: () => true };

type Sums = Pick<AttemptSum, 'attempts' | 'failures'> & {
  readonly firstToken: Histogram;
  readonly duration: Histogram;
};

/** Attempts, failures and times of the whole installation for the dashboard, by time and by model or channel. */
@Injectable()
export class AttemptUseService {
  private readonly answers: RecentAnswers<AttemptUseView>;

  constructor(
    private readonly statistics: AttemptStatistics,
    private readonly spans: AskedSpans,
    private readonly channels: ChannelNames,
    clock: Clock,
  ) {
    this.answers = new RecentAnswers(clock, KEPT);
  }

  /** Fails: span_too_long, too_many_requests. */
  async read(actor: Actor, query: AttemptUseQuery): Promise<AttemptUseView> {
    const { from, to } = this.spans.spanOf(query, MAX_DAYS);
    const zone = await this.spans.zoneOf(actor, query);
    const name = `${from}-${to} ${query.grain} ${zone} ${query.by}`;
    if (!this.answers.has(name)) await this.spans.admit(actor, 'attempts');
    return this.answers.of(name, async () => {
      const byChannel = query.by === 'channel';
      const { lines, periods, since } = await promiseProps({
        lines: this.statistics.sums({ from, to }, byChannel ? { channel: true } : { model: true }),
        periods: this.statistics.sums({ from, to }, { bucketSeconds: QUARTER_SECONDS }),
        since: this.statistics.since(),
      });
      const largest = lines.toSorted((a, b) => b.attempts - a.attempts).slice(0, MOST_LINES);
      const names = await this.channels.of(largest.map(({ channelId }) => channelId));
      return {
        counted_since: since,
        total: figuresOf(merged(periods)),
        series: seriesOf(periods, query.grain, ZonedTime.of(zone)),
        lines: largest.map((sum) => ({
          reference: sum.channelId,
          name: byChannel ? (names.get(sum.channelId) ?? '') : sum.model,
          ...figuresOf(sum),
        })),
      };
    });
  }
}

function seriesOf(
  sums: readonly AttemptSum[],
  grain: AttemptUseQuery['grain'],
  zone: ZonedTime,
): AttemptUseView['series'] {
  const periods = new Map<number, AttemptSum[]>();
  for (const sum of sums) getOrAdd(periods, startOf(sum.start, grain, zone), () => []).push(sum);
  return [...periods]
    .toSorted(([left], [right]) => left - right)
    .map(([start, parts]) => ({ created_at: start, ...figuresOf(merged(parts)) }));
}

function startOf(seconds: number, grain: AttemptUseQuery['grain'], zone: ZonedTime): number {
  if (grain === 'quarter') return seconds;
  const wall = seconds + zone.offsetAt(seconds);
  if (grain === 'hour') return seconds - (wall % HOUR_SECONDS);
  return zone.startOfDay(wall - (wall % (24 * HOUR_SECONDS)));
}

function merged(sums: readonly AttemptSum[]): Sums {
  const total = { attempts: 0, failures: 0, firstToken: emptyHistogram(), duration: emptyHistogram() };
  for (const sum of sums) {
    total.attempts += sum.attempts;
    total.failures += sum.failures;
    addHistogram(total.firstToken, sum.firstToken);
    addHistogram(total.duration, sum.duration);
  }
  return total;
}

const figuresOf = (sum: Sums): AttemptUseView['total'] => ({
  attempts: sum.attempts,
  failures: sum.failures,
  first_token_p50_ms: quantileMs(sum.firstToken, 0.5),
  first_token_p95_ms: quantileMs(sum.firstToken, 0.95),
  duration_p50_ms: quantileMs(sum.duration, 0.5),
  duration_p95_ms: quantileMs(sum.duration, 0.95),
});
