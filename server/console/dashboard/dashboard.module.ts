import { Module } from '@nestjs/common';
import { AuthModule } from '../../base/auth/auth.module.js';
import { BillingModule } from '../../base/billing/billing.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { CallerDirectoryModule } from '../../gateway/tokens/caller-directory.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { BillingSummaryController } from './billing-summary.controller.js';
import { BillingSummaryService } from './billing-summary.service.js';
import { DashboardController } from './dashboard.controller.js';
import { ChannelStatisticsModule } from '../../base/channel-statistics/channel-statistics.module.js';
import { ChannelNamesModule } from '../../gateway/channels/state/channel-names.module.js';
import { TokenNamesModule } from '../../gateway/tokens/token-names.module.js';
import { AttemptUseService } from './attempt-use.service.js';
import { AskedSpans } from './asked-spans.js';
import { ReferenceUseService } from './reference-use.service.js';
import { WarningsModule } from '../warnings/warnings.module.js';
import { ShownWarnings } from './shown-warnings.service.js';
import { TagUseController } from './tag-use.controller.js';
import { TagUseService } from './tag-use.service.js';
import { UseRetention } from './use-retention.js';
import { DashboardService } from './dashboard.service.js';
import { TokenUsageController } from './token-usage.controller.js';

/** Figures of use: for the console, and for clients that ask with an API token what is left. */
@Module({
  imports: [
    AccountsModule,
    AuthModule,
    BillingModule,
    CallerDirectoryModule,
    ChannelNamesModule,
    ChannelStatisticsModule,
    OptionsModule,
    TokenNamesModule,
    WarningsModule,
  ],
  controllers: [DashboardController, TagUseController, BillingSummaryController, TokenUsageController],
  providers: [
    AskedSpans,
    AttemptUseService,
    DashboardService,
    BillingSummaryService,
    ReferenceUseService,
    ShownWarnings,
    TagUseService,
    UseRetention,
  ],
})
export class DashboardModule {}
