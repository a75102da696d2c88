import { Module } from '@nestjs/common';
import { ChannelHealth } from '../../../relay-core/ports/channel-health.js';
import { ChannelPicker } from '../../../relay-core/ports/channel-picker.js';
import { BillingModule } from '../../../base/billing/billing.module.js';
import { AuditLogModule } from '../../../base/audit/audit-log.module.js';
import { UsageLogModule } from '../../../base/logs/usage-log.module.js';
import { NotificationsModule } from '../../../base/notifications/notifications.module.js';
import { RelayBasicsModule } from '../upstream/relay-basics.module.js';
import { ChannelAffinity } from '../../../relay-core/ports/channel-affinity.js';
import { CachedChannelPicker } from './cached-channel-picker.js';
import { StoredChannelAffinity } from './channel-affinity.service.js';
import { StoredChannelHealth } from './channel-health.service.js';
import { ChannelFaults } from './channel-fault.js';
import { ChannelNotifications } from './channel-notifications.js';
import { ChannelAutoDisable } from './channel-auto-disable.js';
import { ChannelProbe } from '../probing/channel-probe.service.js';
import { ChannelCircuitBreaker } from '../state/channel-circuit-breaker.js';
import { ChannelSnapshotStore } from '../state/channel-snapshot.store.js';
import { ChannelStorageModule } from '../state/channel-storage.module.js';
import { ProbeCall } from '../probing/probe-call.js';
import { ProbePorts } from '../probing/probe-ports.js';
import { ProbeSession } from '../probing/probe-session.js';

/** The relay's side of channels: choosing, watching, testing. */
@Module({
  imports: [
    BillingModule,
    AuditLogModule,
    ChannelStorageModule,
    UsageLogModule,
    NotificationsModule,
    RelayBasicsModule,
  ],
  providers: [
    ChannelSnapshotStore,
    ChannelCircuitBreaker,
    CachedChannelPicker,
    ProbePorts,
    ProbeSession,
    ProbeCall,
    ChannelNotifications,
    ChannelProbe,
    ChannelFaults,
    ChannelAutoDisable,
    StoredChannelHealth,
    StoredChannelAffinity,
    { provide: ChannelAffinity, useExisting: StoredChannelAffinity },
    { provide: ChannelPicker, useExisting: CachedChannelPicker },
    { provide: ChannelHealth, useExisting: StoredChannelHealth },
  ],
  exports: [
    CachedChannelPicker,
    ChannelPicker,
    ChannelHealth,
    ChannelAffinity,
    ChannelNotifications,
    ChannelProbe,
    ChannelCircuitBreaker,
    ChannelFaults,
  ],
})
export class ChannelRoutingModule {}
