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
import { ChannelOutages } from '../../../gateway/channels/routing/channel-outages.js';
import { ChannelNames } from '../../../gateway/channels/state/channel-names.js';

/** Reads what the rules look at of channels. */
@Injectable()
export class ChannelFacts {
  constructor(
    private readonly outages: ChannelOutages,
    private readonly names: ChannelNames,
    private readonly clock: Clock,
  ) {}

  /** @param leastBalance  of an account at a provider; 0 = balances are not watched. Never fails: see `FactsReader`. */
  read(
    sources: SourceReadings,
    leastBalance: number,
    reports: readonly ReceivedReport[],
  ): Promise<Pick<StoredFacts, 'modelsOut' | 'balances' | 'channelNames'>> {
    const nowSeconds = Math.floor(this.clock.nowMs() / 1_000);
    const named = reports.flatMap(({ report }) =>
      [...report.restingChannels, ...report.boundedReports].map(({ channelId }) => channelId),
    );
    return promiseProps({
      modelsOut: sources.read(['model-out'], () => this.outages.modelsOut(), []),
      balances:
        leastBalance === 0
          ? Promise.resolve([])
          : sources.read(['channel-balance'], () => this.outages.lowBalances(leastBalance, nowSeconds), []),
      // A channel without a name is shown by its number.
      channelNames: sources.read([], () => this.names.of(named), new Map<number, string>()),
    });
  }
}

/** Reads what other parts of the product know that the rules look at. */
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

  /** Of accounts: what keys may spend is part of it. */
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
