import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import { promiseProps } from '../../../common/promise-props.js';
import { AttemptStatistics } from '../../../base/channel-statistics/attempt-statistics.js';
import { emptyHistogram } from '../../../base/channel-statistics/histogram.js';
import { ChannelNames } from '../../../gateway/channels/state/channel-names.js';
import type { ChannelStatisticsQuery, ChannelStatisticsView } from '../dto/channel-health.dto.js';
import { ChannelCircuits } from './channel-circuits.js';
import { circuitsOf, figuresOf, modelsOf, presentFailure, reasonsOf } from './present-channel-health.js';
import { periodOf } from './statistics-period.js';

const MAX_MODELS = 200;

const NOTHING = {
  channelId: 0,
  model: '',
  reason: '',
  status: 0,
  start: 0,
  attempts: 0,
  failures: 0,
  outputTokens: 0,
  billedTokens: 0,
  outputMs: 0,
  firstToken: emptyHistogram(),
  duration: emptyHistogram(),
} as const;

/** Attempts at one channel over a period, for its page. */
@Injectable()
export class ChannelStatisticsService {
  constructor(
    private readonly statistics: AttemptStatistics,
    private readonly circuits: ChannelCircuits,
    private readonly names: ChannelNames,
    private readonly clock: Clock,
  ) {}

  /** A deleted channel keeps its figures. Fails: not_found; the database's error. */
  async read(channelId: number, query: ChannelStatisticsQuery): Promise<ChannelStatisticsView> {
    if (!(await this.names.of([channelId])).has(channelId)) throw new DomainError('not_found');
    const { from, to, bucketSeconds } = periodOf(query, Math.floor(this.clock.nowMs() / 1_000));
    const period = { from, to, channelIds: [channelId] };
    const read = await promiseProps({
      totals: this.statistics.sums(period, {}),
      series: this.statistics.sums(period, { bucketSeconds }),
      reasons: this.statistics.sums(period, { reason: true }),
      models: this.statistics.sums(period, { model: true }),
      countedSince: this.statistics.since(),
      failures: this.statistics.newestFailures([channelId]),
      circuits: this.circuits.list(),
    });
    return {
      channel_id: channelId,
      from,
      to,
      bucket_seconds: bucketSeconds,
      counted_since: read.countedSince,
      totals: figuresOf(read.totals[0] ?? NOTHING),
      series: read.series.map((sum) => ({ at: sum.start, ...figuresOf(sum) })),
      reasons: reasonsOf(read.reasons),
      models: modelsOf(read.models).slice(0, MAX_MODELS),
      last_failure: presentFailure(read.failures.get(channelId)),
      circuits: circuitsOf(read.circuits, channelId),
    };
  }
}
