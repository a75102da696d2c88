import { Module } from '@nestjs/common';
import { BillingModule } from '../../base/billing/billing.module.js';
import { ChannelNamesModule } from '../../gateway/channels/state/channel-names.module.js';
import { ExplanationsController } from './explanations.controller.js';
import { ExplanationsService } from './explanations.service.js';
import { UsageLogModule } from '../../base/logs/usage-log.module.js';
import { LogsModule } from './logs.module.js';

/** Apart from the logs module, so that modules that write log lines do not depend on billing. */
@Module({
  imports: [BillingModule, LogsModule, UsageLogModule, ChannelNamesModule],
  controllers: [ExplanationsController],
  providers: [ExplanationsService],
})
export class ExplanationsModule {}
