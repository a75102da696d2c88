import { Injectable } from '@nestjs/common';
import { promiseProps } from '../../../common/promise-props.js';
import { MetricsRegistry } from '../../../infra/observability/metrics-registry.js';
import { MailHealth } from '../../../base/notifications/mail/mail-health.js';
import { OrderIncidents } from '../../wallet/orders/order-incidents.js';
import { BooksCheck } from '../money-check/books-check.js';
import type { StoredFacts, Thresholds } from '../model/observation.js';
import type { SourceReadings } from './source-readings.js';
import type { ReceivedReport } from '../model/worker-report.js';
import { Clock } from '../../../common/clock.js';
import { AttemptStatistics } from '../../../base/channel-statistics/attempt-statistics.js';
import { type ChannelFailure, QUARTER_SECONDS } from '../../../base/channel-statistics/attempt-totals.js';
import { ChannelOutages } from '../../../gateway/channels/routing/channel-outages.js';
import { ChannelNames } from '../../../gateway/channels/state/channel-names.js';

type OfChannels = Pick<
  StoredFacts,
  'modelsOut' | 'balances' | 'channelNames' | 'attempts' | 'channelFailures'
>;

/** Reads facts about channels for the rules. */
@Injectable()
export class ChannelFacts {
  constructor(
    private readonly outages: ChannelOutages,
    private readonly names: ChannelNames,
    private readonly statistics: AttemptStatistics,
    private readonly clock: Clock,
  ) {}

  /** @param leastBalance  of an account at a provider; 0 = balances are not watched. Never fails: see `FactsReader`. */
  async read(
    sources: SourceReadings,
    leastBalance: number,
    reports: readonly ReceivedReport[],
  ): Promise<OfChannels> {
    const nowSeconds = Math.floor(this.clock.nowMs() / 1_000);
    const attempts = await sources.read(['channel-failing'], () => this.recentAttempts(nowSeconds), []);
    const ofReports = reports.flatMap(({ report }) =>
      [...report.restingChannels, ...report.boundedReports].map(({ channelId }) => channelId),
    );
    const failing = attempts.filter(({ failures }) => failures > 0).map(({ channelId }) => channelId);
    const named = [...new Set([...ofReports, ...failing])];
    return promiseProps({
      attempts: Promise.resolve(attempts),
      channelFailures: sources.read(
        [],
        () => this.statistics.newestFailures(named),
        new Map<number, ChannelFailure>(),
      ),
      modelsOut: sources.read(['model-out'], () => this.outages.modelsOut(), []),
      balances:
        leastBalance === 0
          ? Promise.resolve([])
          : sources.read(['channel-balance'], () => this.outages.lowBalances(leastBalance, nowSeconds), []),
      // A channel without a name is shown by its number.
      channelNames: sources.read([], () => this.names.of(named), new Map<number, string>()),
    });
  }

  /** The running quarter of an hour and the one before. */
  private async recentAttempts(nowSeconds: number): Promise<StoredFacts['attempts']> {
    const running = nowSeconds - (nowSeconds % QUARTER_SECONDS);
    const sums = await this.statistics.sums(
      { from: running - QUARTER_SECONDS, to: nowSeconds },
      { channel: true, bucketSeconds: QUARTER_SECONDS },
    );
    return sums.map(({ channelId, start, attempts, failures }) => ({ channelId, start, attempts, failures }));
  }
}

/** Reads facts from other modules for the rules. */
@Injectable()
export class FactsReader {
  constructor(
    private readonly channels: ChannelFacts,
    private readonly books: BooksCheck,
    private readonly orders: OrderIncidents,
    private readonly mail: MailHealth,
    private readonly figures: MetricsRegistry,
  ) {}

  /** Never fails: `sources` names what could not be read. */
  async read(
    sources: SourceReadings,
    { channelBalance }: Thresholds,
    reports: readonly ReceivedReport[],
  ): Promise<StoredFacts> {
    const { ofChannels, ...others } = await promiseProps({
      ofChannels: this.channels.read(sources, channelBalance, reports),
      orders: sources.read(['order-mismatch'], () => this.orders.read(), []),
      booksCheck: sources.read(['books-differ'], () => this.books.newest(), null),
      mail: sources.read(['mail-failing'], () => this.mail.currentFailure(), null),
      reserved: sources.read([], () => this.readReserved(), { quota: null, oldestSeconds: null }),
    });
    return { ...ofChannels, ...others };
  }

  /** Reservations of accounts: those of tokens are part of them. */
  private async readReserved(): Promise<StoredFacts['reserved']> {
    const [quota = [], oldest = []] = await Promise.all(
      ['tollgate_reserved_quota', 'tollgate_reservation_oldest_seconds'].map((name) =>
        this.figures.samples(name),
      ),
    );
    const ofUsers = quota.filter(({ labels }) => labels['scope'] === 'user');
    return {
      quota: quota.length === 0 ? null : ofUsers.reduce((sum, { value }) => sum + value, 0),
      oldestSeconds: oldest.length === 0 ? null : Math.max(...oldest.map(({ value }) => value)),
    };
  }
}
