import { Module } from '@nestjs/common';
import { AuditLogModule } from '../../audit/audit-log.module.js';
import { UsageLogModule } from '../../usage-log/usage-log.module.js';
import { OptionsModule } from '../../options/options.module.js';
import { BackgroundJobs } from '../rounds/background-jobs.js';
import { BalanceClient } from '../rounds/balance-client.js';
import { ChannelAudit } from './channel-audit.js';
import { ChannelBalanceService } from '../rounds/channel-balance.service.js';
import { ChannelCheck } from './channel-check.js';
import { ChannelConsequences } from '../rounds/channel-consequences.js';
import { ChannelKeysController } from './channel-keys.controller.js';
import { ChannelKeysService } from './channel-keys.service.js';
import { ChannelProbesController } from './channel-probes.controller.js';
import { ChannelRoundsService } from '../rounds/channel-rounds.service.js';
import { ChannelRoutingModule } from '../routing/channel-routing.module.js';
import { ChannelSchedule } from '../rounds/channel-schedule.service.js';
import { ChannelStorageModule } from '../state/channel-storage.module.js';
import { ChannelTagsController } from './channel-tags.controller.js';
import { ChannelTagsService } from './channel-tags.service.js';
import { ChannelTestsService } from '../rounds/channel-tests.service.js';
import { ChannelTypesController } from './channel-types.controller.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsService } from './channels.service.js';
import { ModelListsController } from './model-lists.controller.js';
import { RoundSteps } from '../rounds/round-steps.js';
import { RingTestsService } from '../rounds/ring-tests.service.js';

/** The console's side of channels. */
@Module({
  imports: [AuditLogModule, ChannelStorageModule, ChannelRoutingModule, UsageLogModule, OptionsModule],
  controllers: [
    ModelListsController,
    ChannelTypesController,
    ChannelKeysController,
    ChannelTagsController,
    ChannelProbesController,
    ChannelsController,
  ],
  providers: [
    ChannelCheck,
    ChannelAudit,
    ChannelsService,
    ChannelTagsService,
    BalanceClient,
    ChannelBalanceService,
    ChannelTestsService,
    ChannelConsequences,
    BackgroundJobs,
    RingTestsService,
    RoundSteps,
    ChannelRoundsService,
    ChannelSchedule,
    ChannelKeysService,
  ],
})
export class ChannelsModule {}
