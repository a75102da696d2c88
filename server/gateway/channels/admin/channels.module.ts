import { Module } from '@nestjs/common';
import { AuditLogModule } from '../../../base/audit/audit-log.module.js';
import { UsageLogModule } from '../../../base/logs/usage-log.module.js';
import { OptionsModule } from '../../../base/options/options.module.js';
import { BackgroundJobs } from '../jobs/background-jobs.js';
import { BalanceClient } from '../jobs/balance-client.js';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChannelEntity } from '../state/channel.entity.js';
import { ChannelAudit } from './channel-audit.js';
import { ChannelBin } from './channel-bin.js';
import { ChannelBinController } from './channel-bin.controller.js';
import { ChannelBalanceService } from '../jobs/channel-balance.service.js';
import { ChannelCheck } from './channel-check.js';
import { ChannelAutoSwitch } from '../jobs/channel-auto-switch.js';
import { ChannelKeysController } from './channel-keys.controller.js';
import { ChannelKeysService } from './channel-keys.service.js';
import { ChannelProbesController } from './channel-probes.controller.js';
import { ChannelJobsService } from '../jobs/channel-jobs.service.js';
import { ChannelRoutingModule } from '../routing/channel-routing.module.js';
import { ChannelSchedule } from '../jobs/channel-schedule.service.js';
import { ChannelStorageModule } from '../state/channel-storage.module.js';
import { ChannelTagsController } from './channel-tags.controller.js';
import { ChannelTagsService } from './channel-tags.service.js';
import { ChannelTestsService } from '../jobs/channel-tests.service.js';
import { ChannelTypesController } from './channel-types.controller.js';
import { ChannelsController } from './channels.controller.js';
import { ChannelsService } from './channels.service.js';
import { ModelListsController } from './model-lists.controller.js';
import { ChannelJobSteps } from '../jobs/channel-job-steps.js';
import { KeyRingTestsService } from '../jobs/key-ring-tests.service.js';

/** The console's side of channels. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ChannelEntity]),
    AuditLogModule,
    ChannelStorageModule,
    ChannelRoutingModule,
    UsageLogModule,
    OptionsModule,
  ],
  controllers: [
    ModelListsController,
    ChannelTypesController,
    ChannelKeysController,
    ChannelTagsController,
    ChannelProbesController,
    ChannelsController,
    ChannelBinController,
  ],
  providers: [
    ChannelCheck,
    ChannelAudit,
    ChannelsService,
    ChannelBin,
    ChannelTagsService,
    BalanceClient,
    ChannelBalanceService,
    ChannelTestsService,
    ChannelAutoSwitch,
    BackgroundJobs,
    KeyRingTestsService,
    ChannelJobSteps,
    ChannelJobsService,
    ChannelSchedule,
    ChannelKeysService,
  ],
})
export class ChannelsModule {}
