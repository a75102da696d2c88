import { Injectable } from '@nestjs/common';
import { promiseProps } from '../../../common/promise-props.js';
import { Clock } from '../../../common/clock.js';
import { ChannelOutages } from '../../../gateway/channels/routing/channel-outages.js';
import { ChannelNames } from '../../../gateway/channels/state/channel-names.js';
import type { StoredFacts } from '../model/observation.js';
import type { ReceivedReport } from '../model/worker-report.js';
import type { SourceReadings } from './source-readings.js';

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
    const resting = reports.flatMap(({ report }) => report.restingChannels.map(({ channelId }) => channelId));
    return promiseProps({
      modelsOut: sources.read(['model-out'], () => this.outages.modelsOut(), []),
      balances:
        leastBalance === 0
          ? Promise.resolve([])
          : sources.read(['channel-balance'], () => this.outages.lowBalances(leastBalance, nowSeconds), []),
      // Without names a resting channel is told by its number.
      channelNames: sources.read([], () => this.names.of(resting), new Map<number, string>()),
    });
  }
}
