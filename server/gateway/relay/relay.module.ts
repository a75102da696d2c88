import { Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { AdmissionControl } from '../../relay-core/ports/admission-control.js';
import { SignatureStore } from '../../relay-core/ports/signature-store.js';
import { BillingModule } from '../../base/billing/billing.module.js';
import { ChannelRoutingModule } from '../channels/routing/channel-routing.module.js';
import { UsageLogModule } from '../../base/logs/usage-log.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { CallerDirectoryModule } from '../tokens/caller-directory.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { CallRunner } from './call-runner.js';
import { RevokedCallers } from './revoked-callers.js';
import { relayPortsProvider } from './relay-ports.provider.js';
import { allowHalfClosed } from '../../infra/sockets/half-closed.js';
import { FastPathStart } from './fast-path/fast-path-start.js';
import { ModelLists } from './model-lists.js';
import { RelayBasicsModule } from '../channels/upstream/relay-basics.module.js';
import { RelayHandler } from './relay-handler.js';
import { RealtimeRunner } from './realtime/realtime-runner.js';
import { Upgrades } from './realtime/upgrades.js';
import { RelayDrain } from './relay-drain.js';
import { RelayMetrics } from './watch/relay-metrics.js';
import { RelayWatch } from './watch/relay-watch.js';
import { IdLedger } from '../../relay-core/ports/id-ledger.js';
import { ConcurrencyLimits } from './concurrency-limits.js';
import { StoredIdLedger } from './stored-ids/stored-id-ledger.js';
import { StoredIdSweep } from './stored-ids/stored-id-sweep.js';
import { RelayRoutes } from './relay.routes.js';
import { RelaySwitch } from './relay-switch.js';
import { SharedSignatureStore } from './shared-signature-store.js';
import { RateLimitAdmission } from './rate-limit-admission.js';

/** Binds the ports of the pipeline to their adapters, and the pipeline to its routes. */
@Module({
  imports: [
    BillingModule,
    ChannelRoutingModule,
    UsageLogModule,
    OptionsModule,
    CallerDirectoryModule,
    RelayBasicsModule,
    TasksModule,
  ],
  providers: [
    RateLimitAdmission,
    { provide: AdmissionControl, useExisting: RateLimitAdmission },
    SharedSignatureStore,
    { provide: SignatureStore, useExisting: SharedSignatureStore },
    relayPortsProvider,
    StoredIdLedger,
    StoredIdSweep,
    { provide: IdLedger, useExisting: StoredIdLedger },
    ConcurrencyLimits,
    RelayMetrics,
    RelayWatch,
    RevokedCallers,
    CallRunner,
    RealtimeRunner,
    RelayHandler,
    ModelLists,
    RelayRoutes,
    RelaySwitch,
    FastPathStart,
    RelayDrain,
  ],
  exports: [RelayDrain, RelayHandler],
})
export class RelayModule implements OnModuleInit, OnModuleDestroy {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly relaySwitch: RelaySwitch,
    private readonly routes: RelayRoutes,
    private readonly fastPath: FastPathStart,
    private readonly drain: RelayDrain,
  ) {}

  onModuleInit(): void {
    this.relaySwitch.follow();
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const upgrades = new Upgrades(fastify.server, (request, response) => fastify.routing(request, response));
    this.routes.addTo(fastify, upgrades);
    allowHalfClosed(fastify.server);
    this.fastPath.on(fastify.server);
  }

  /** Before any other part stops: running calls need all of them. */
  async onModuleDestroy(): Promise<void> {
    await this.drain.finish();
  }
}
