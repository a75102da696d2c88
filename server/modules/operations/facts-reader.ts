import { Injectable } from '@nestjs/common';
import { Figures } from '../../infra/observability/figures.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { ChannelNames } from '../channels/channel-names.js';
import { ChannelOutages } from '../channels/channel-outages.js';
import { OrderTroubles } from '../wallet/order-troubles.js';
import { BooksCheck } from './books-check.js';
import type { StoredFacts, Thresholds } from './rules/observation.js';
import type { HeardReport } from './worker-report.js';

/** Reads what other parts of the product know that the rules look at. */
@Injectable()
export class FactsReader {
  constructor(
    private readonly books: BooksCheck,
    private readonly outages: ChannelOutages,
    private readonly channelNames: ChannelNames,
    private readonly orders: OrderTroubles,
    private readonly figures: Figures,
    private readonly clock: Clock,
  ) {}

  /** Fails: with the database's error. */
  async read({ channelBalance }: Thresholds, reports: readonly HeardReport[]): Promise<StoredFacts> {
    const nowMs = this.clock.nowMs();
    const resting = reports.flatMap(({ report }) => report.restingChannels.map(({ channelId }) => channelId));
    const [modelsOut, balances, orders, booksCheck, channelNames, reserved] = await Promise.all([
      this.outages.modelsOut(),
      channelBalance === 0 ? [] : this.outages.lowBalances(channelBalance, Math.floor(nowMs / 1_000)),
      this.orders.read(nowMs),
      this.books.newest(),
      this.channelNames.of(resting),
      this.readReserved(),
    ]);
    return { modelsOut, balances, orders, booksCheck, channelNames, reserved };
  }

  /** Of accounts: what keys may spend is part of it. */
  private async readReserved(): Promise<StoredFacts['reserved']> {
    const [quota, oldest] = await Promise.all(
      ['tollgate_reserved_quota', 'tollgate_reservation_oldest_seconds'].map((name) =>
        this.figures.samples(name),
      ),
    );
    const ofUsers = (quota ?? []).filter(({ labels }) => labels['scope'] === 'user');
    return {
      quota: quota === undefined ? null : ofUsers.reduce((sum, { value }) => sum + value, 0),
      oldestSeconds: Math.max(0, ...(oldest ?? []).map(({ value }) => value)),
    };
  }
}
