import { Injectable } from '@nestjs/common';
import { cachedReading } from '../../../infra/clock/cached-reading.js';
import { MetricsRegistry } from '../../../infra/observability/metrics-registry.js';
import { Clock } from '../../../common/clock.js';
import { ChannelOutages } from '../../../gateway/channels/routing/channel-outages.js';
import { ChannelCircuitBreaker } from '../../../gateway/channels/state/channel-circuit-breaker.js';

/** The state of all channels, as figures. Those read from the database are the same on every worker: take the largest, not the sum. */
@Injectable()
export class ChannelMetrics {
  constructor(
    figures: MetricsRegistry,
    clock: Clock,
    outages: ChannelOutages,
    circuits: ChannelCircuitBreaker,
  ) {
    const perStatus = cachedReading(clock, () => outages.countByStatus());
    figures.gauge(
      'tollgate_channels',
      'Channels by status: enabled, disabled (by hand), fallen (disabled automatically).',
      async () => Object.entries(await perStatus()).map(([status, value]) => ({ labels: { status }, value })),
      ['status'],
    );
    const modelsOut = cachedReading(clock, () => outages.modelsOut());
    figures.gauge(
      'tollgate_models_out',
      'Models whose every channel is off, at least one of them automatically.',
      async () => (await modelsOut()).length,
    );
    figures.gauge(
      'tollgate_channels_resting',
      'Breakers that are open: channels this process leaves alone for a while, altogether or for a model.',
      () => {
        const resting = circuits.listOpen();
        const whole = resting.filter(({ model }) => model === '').length;
        return [
          { labels: { scope: 'channel' }, value: whole },
          { labels: { scope: 'model' }, value: resting.length - whole },
        ];
      },
      ['scope'],
    );
  }
}
