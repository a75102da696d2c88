import { Module } from '@nestjs/common';
import { BillingModule } from '../../base/billing/billing.module.js';
import { ChannelStatisticsModule } from '../../base/channel-statistics/channel-statistics.module.js';
import { UsageLogModule } from '../../base/logs/usage-log.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { ChannelNamesModule } from '../../gateway/channels/state/channel-names.module.js';
import { TokenNamesModule } from '../../gateway/tokens/token-names.module.js';
import { LimitAdministrationModule } from '../limits/limit-administration.module.js';
import { AccountWarnings, WarningSources } from './account-warnings.service.js';

/** Warnings of accounts and of the instance, for whatever shows them. */
@Module({
  imports: [
    BillingModule,
    ChannelNamesModule,
    ChannelStatisticsModule,
    LimitAdministrationModule,
    OptionsModule,
    TokenNamesModule,
    UsageLogModule,
  ],
  providers: [AccountWarnings, WarningSources],
  exports: [AccountWarnings],
})
export class WarningsModule {}
