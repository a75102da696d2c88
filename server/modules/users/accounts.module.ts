import { Module } from '@nestjs/common';
import { BillingModule } from '../billing/billing.module.js';
import { LogsModule } from '../logs/logs.module.js';
import { AccountGifts } from './account-gifts.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { LoginWays } from './login-ways.js';

/** Accounts without their routes, so that signing in can use them. */
@Module({
  imports: [BillingModule, LogsModule],
  providers: [AccountGifts, AccountsRepository, AccountsService, LoginWays],
  exports: [AccountsRepository, AccountsService, LoginWays],
})
export class AccountsModule {}
