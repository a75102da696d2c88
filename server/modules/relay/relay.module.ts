import { Module, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { readProxyTrust } from '../../common/api/client-address.js';
import { OwnHosts } from '../../common/api/own-hosts.js';
import { Env } from '../../config/env.js';
import { DegradedModes } from '../../infra/observability/degraded-modes.js';
import { AdmissionControl } from '../../relay-core/ports/admission-control.js';
import { ProofStore } from '../../relay-core/ports/proof-store.js';
import { Ids } from '../../relay-core/ports/ids.js';
import { BillingModule } from '../billing/billing.module.js';
import { ChannelRoutingModule } from '../channels/routing/channel-routing.module.js';
import { UsageLogModule } from '../usage-log/usage-log.module.js';
import { OptionsModule } from '../options/options.module.js';
import { CallerDirectoryModule } from '../tokens/caller-directory.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { TaskRoutes } from '../tasks/task.routes.js';
import { CallRunner, RELAY_PORTS } from './call-runner.js';
import { ClosedCallers } from './closed-callers.js';
import { gatherPorts, PORT_GROUPS } from './port-groups.js';
import { allowHalfClosed } from '../../infra/sockets/half-closed.js';
import { openFastPath } from './fast-path/fast-path.js';
import { ModelLists } from './model-lists.js';
import { RelayBasicsModule } from '../relay-adapters/relay-basics.module.js';
import { RelayHandler } from './relay-handler.js';
import { RealtimeRunner } from './realtime/realtime-runner.js';
import { Upgrades } from './realtime/upgrades.js';
import { OptionsService } from '../options/options.service.js';
import { RelayDrain } from './relay-drain.js';
import { RelayMetrics } from './watch/relay-metrics.js';
import { RelayWatch } from './watch/relay-watch.js';
import { IdLedger } from '../../relay-core/ports/id-ledger.js';
import { ConcurrencyLimits } from './concurrency-limits.js';
import { StoredIdLedger } from './stored-ids/stored-id-ledger.js';
import { StoredIdSweep } from './stored-ids/stored-id-sweep.js';
import { relayRoutes } from './relay.routes.js';
import { SharedProofStore } from './shared-proof-store.js';
import { RateLimitAdmission } from './rate-limit-admission.js';

/** Where the ports of the pipeline meet their adapters, and the pipeline meets its routes. */
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
    SharedProofStore,
    { provide: ProofStore, useExisting: SharedProofStore },
    ...PORT_GROUPS,
    { provide: RELAY_PORTS, useFactory: gatherPorts, inject: [...PORT_GROUPS] },
    StoredIdLedger,
    StoredIdSweep,
    { provide: IdLedger, useExisting: StoredIdLedger },
    ConcurrencyLimits,
    RelayMetrics,
    RelayWatch,
    ClosedCallers,
    CallRunner,
    RealtimeRunner,
    RelayHandler,
    ModelLists,
    RelayDrain,
  ],
  exports: [RelayDrain, RelayHandler],
})
export class RelayModule implements OnModuleInit, OnModuleDestroy {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly runner: CallRunner,
    private readonly models: ModelLists,
    private readonly relay: RelayHandler,
    private readonly realtime: RealtimeRunner,
    private readonly tasks: TaskRoutes,
    private readonly ids: Ids,
    private readonly env: Env,
    private readonly drain: RelayDrain,
    private readonly gates: ConcurrencyLimits,
    private readonly options: OptionsService,
    private readonly hosts: OwnHosts,
    private readonly modes: DegradedModes,
  ) {}

  onModuleInit(): void {
    const switchRelay = (): void => this.gates.switchOff(!this.options.values().RelayEnabled);
    switchRelay();
    this.options.onChange(switchRelay);
    this.gates.refuseBehind(this.modes.has('database-behind'));
    this.modes.on((mode, change) => {
      if (mode === 'database-behind') this.gates.refuseBehind(change !== null);
    });
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const { runner, models, relay, realtime, tasks, ids, env, hosts } = this;
    const upgrades = new Upgrades(fastify.server, (request, response) => fastify.routing(request, response));
    const maxBodyBytes = env.maxRequestBodyBytes;
    fastify.register(relayRoutes({ runner, models, relay, realtime, upgrades, tasks, maxBodyBytes }));
    allowHalfClosed(fastify.server);
    if (!env.usesFastPath) return;
    const trust = readProxyTrust(env.trustProxy);
    openFastPath(fastify.server, { relay, ids, trust, hosts, basePath: env.basePath, routes: runner.routes });
  }

  /** Before any other part stops: running calls need all of them. */
  async onModuleDestroy(): Promise<void> {
    await this.drain.finish();
  }
}
