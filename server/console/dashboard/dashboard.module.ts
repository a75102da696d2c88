import { Module } from '@nestjs/common';
import { AuthModule } from '../../base/auth/auth.module.js';
import { BillingModule } from '../../base/billing/billing.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { CallerDirectoryModule } from '../../gateway/tokens/caller-directory.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { BillingSummaryController } from './billing-summary.controller.js';
import { BillingSummaryService } from './billing-summary.service.js';
import { DashboardController } from './dashboard.controller.js';
import { DashboardService } from './dashboard.service.js';
import { TokenUsageController } from './token-usage.controller.js';

/** Figures of use: for the console, and for clients that ask with an API token what is left. */
@Module({
  imports: [AccountsModule, AuthModule, BillingModule, CallerDirectoryModule, OptionsModule],
  controllers: [DashboardController, BillingSummaryController, TokenUsageController],
  providers: [DashboardService, BillingSummaryService],
})
export class DashboardModule {}
