import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { promiseProps } from '../../../common/promise-props.js';
import { AttemptStatistics } from '../../../base/channel-statistics/attempt-statistics.js';
import { dollarPriceOf } from '../../../base/pricing/dollar-price.js';
import { OptionPriceBook } from '../../../base/pricing/option-price-book.js';
import { ChannelNames } from '../../../gateway/channels/state/channel-names.js';
import type { ChannelStatisticsQuery } from '../dto/channel-health.dto.js';
import type { ChannelLatencyView } from '../dto/channel-latency.dto.js';
import { mostUsedPairs, presentLatency } from './present-channel-latency.js';
import { periodOf } from './statistics-period.js';

/** Times of models at their channels, beside the price of each model. */
@Injectable()
export class ChannelLatencyService {
  constructor(
    private readonly statistics: AttemptStatistics,
    private readonly names: ChannelNames,
    private readonly book: OptionPriceBook,
    private readonly clock: Clock,
  ) {}

  /** A deleted channel keeps its rows. Fails: with the database's error. */
  async read(query: ChannelStatisticsQuery): Promise<ChannelLatencyView> {
    const { from, to } = periodOf(query, Math.floor(this.clock.nowMs() / 1_000));
    const { sums, countedSince } = await promiseProps({
      sums: this.statistics.sums({ from, to }, { model: true, channel: true }),
      countedSince: this.statistics.since(),
    });
    const pairs = mostUsedPairs(sums);
    const names = await this.names.of(pairs.map(({ channelId }) => channelId));
    const table = this.book.current();
    return {
      from,
      to,
      counted_since: countedSince,
      total: sums.length,
      rows: pairs.map((sum) =>
        presentLatency(sum, names.get(sum.channelId) ?? '', dollarPriceOf(table, sum.model)),
      ),
    };
  }
}
