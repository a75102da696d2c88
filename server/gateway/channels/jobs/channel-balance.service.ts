import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import { Clock } from '../../../common/clock.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { BalanceClient } from './balance-client.js';
import type { ProviderBalance } from '../../../relay-core/providers/shared/balance.js';
import { readRingInfo } from '../state/key-ring.js';
import { ChannelStore } from '../state/channel-store.js';
import { ChannelsRepository } from '../state/channels.repository.js';

/** Balance of an operator's account at a provider. */
@Injectable()
export class ChannelBalanceService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly store: ChannelStore,
    private readonly client: BalanceClient,
    private readonly options: OptionsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Asks the provider and stores the answer with its time.
   * @returns US dollars
   * Fails: not_found, channel_balance_unsupported, channel_balance_failed, channel_balance_refused.
   */
  async refresh(channelId: number): Promise<number> {
    const opened = await this.store.open(channelId);
    if (opened === null) throw new DomainError('not_found');
    // Each of several keys may be an account of its own.
    if (readRingInfo(opened.channel.channelInfo) !== null)
      throw new DomainError('channel_balance_unsupported');
    const nowMs = this.clock.nowMs();
    const balance = this.toDollars(await this.client.read(opened.channel, opened.key, nowMs));
    await this.channels.record(channelId, { balance, balanceUpdatedTime: Math.floor(nowMs / 1000) });
    return balance;
  }

  private toDollars(balance: ProviderBalance): number {
    const yuanPerDollar = this.options.values().Price;
    return balance.currency === 'USD' || yuanPerDollar <= 0 ? balance.amount : balance.amount / yuanPerDollar;
  }
}
