import { Global, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { Env } from '../../config/env.js';
import { AddressGuard } from '../../relay-core/ports/address-guard.js';
import { HttpSender } from '../../relay-core/ports/http-sender.js';
import { RealtimeDialer } from '../../relay-core/ports/realtime-socket.js';
import { MetricsRegistry } from '../observability/metrics-registry.js';
import { OutboundClient } from './outbound-client.js';
import { OutboundPolicy } from './safe-url.js';
import { PolicyAddressGuard } from './policy-address-guard.js';
import { PooledHttpSender } from './pooled-http-sender.js';
import { WsRealtimeDialer } from './ws-realtime-dialer.js';

/** Outbound HTTP: the policy, the relay's sender, and the small client for everything else. */
@Global()
@Module({
  providers: [
    { provide: OutboundPolicy, inject: [Env], useFactory: (env: Env) => new OutboundPolicy(env) },
    {
      provide: PooledHttpSender,
      inject: [OutboundPolicy, Env],
      useFactory: (policy: OutboundPolicy, env: Env) =>
        new PooledHttpSender(policy, 'channel', env.usesHttp1Pool),
    },
    {
      provide: AddressGuard,
      inject: [OutboundPolicy, Clock],
      useFactory: (policy: OutboundPolicy, clock: Clock) => new PolicyAddressGuard(policy, clock),
    },
    { provide: HttpSender, useExisting: PooledHttpSender },
    {
      provide: OutboundClient,
      inject: [OutboundPolicy, Env],
      useFactory: (policy: OutboundPolicy, env: Env) => new OutboundClient(policy, env.usesHttp1Pool),
    },
    {
      provide: RealtimeDialer,
      inject: [OutboundPolicy],
      useFactory: (policy: OutboundPolicy) => new WsRealtimeDialer(policy),
    },
  ],
  exports: [OutboundPolicy, AddressGuard, HttpSender, OutboundClient, RealtimeDialer],
})
export class HttpModule implements OnApplicationShutdown {
  constructor(
    private readonly sender: PooledHttpSender,
    private readonly client: OutboundClient,
    figures: MetricsRegistry,
    policy: OutboundPolicy,
  ) {
    registerMetrics(figures, sender, policy);
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.sender.close(), this.client.close()]);
  }
}

function registerMetrics(figures: MetricsRegistry, sender: PooledHttpSender, policy: OutboundPolicy): void {
  figures.gauge(
    'tollgate_upstream_connections',
    'Connections to upstreams.',
    () => [
      { labels: { state: 'open' }, value: sender.stats().connections },
      { labels: { state: 'busy' }, value: sender.stats().active },
    ],
    ['state'],
  );
  figures.gauge('tollgate_upstream_origins', 'Upstream addresses in use.', () => sender.stats().origins);
  figures.sum(
    'tollgate_outbound_refusals_total',
    'Addresses, names and ports the policy for outbound calls refused.',
    () => policy.refusals,
  );
}
