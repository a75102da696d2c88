import { Injectable } from '@nestjs/common';
import { MetricsRegistry } from '../../../infra/observability/metrics-registry.js';
import { Clock } from '../../../relay-core/ports/clock.js';
import { ChannelOutages } from '../../channels/routing/channel-outages.js';
import { OpenCircuits } from '../../channels/state/open-circuits.js';
import { remembered } from './remembered.js';

/** The state of all channels, as figures. Those read from the database are the same on every worker: take the largest, not the sum. */
@Injectable()
export class ChannelMetrics {
  constructor(figures: MetricsRegistry, clock: Clock, outages: ChannelOutages, rests: OpenCircuits) {
    const perStatus = remembered(clock, () => outages.countByStatus());
    figures.gauge(
      'tollgate_channels',
      'Channels by status: enabled, disabled (by hand), fallen (disabled automatically).',
      async () => Object.entries(await perStatus()).map(([status, value]) => ({ labels: { status }, value })),
      ['status'],
    );
    const modelsOut = remembered(clock, () => outages.modelsOut());
    figures.gauge(
      'tollgate_models_out',
      'Models whose every channel is off, at least one of them automatically.',
      async () => (await modelsOut()).length,
    );
    figures.gauge(
      'tollgate_channels_resting',
      'Breakers that are open: channels this process leaves alone for a while, altogether or for a model.',
      () => [
        { labels: { scope: 'channel' }, value: rests.list().filter(({ model }) => model === '').length },
        { labels: { scope: 'model' }, value: rests.list().filter(({ model }) => model !== '').length },
      ],
      ['scope'],
    );
  }
}
