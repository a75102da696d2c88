import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLogModule } from '../../base/audit/audit-log.module.js';
import { AuthModule } from '../../base/auth/auth.module.js';
import { BillingModule } from '../../base/billing/billing.module.js';
import { UsageLogModule } from '../../base/logs/usage-log.module.js';
import { NotificationsModule } from '../../base/notifications/notifications.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { AdministeredTokensController } from './administered-tokens.controller.js';
import { AdministeredTokensRepository } from './administered-tokens.repository.js';
import { AdministeredTokens } from './administered-tokens.service.js';
import { TokenActivity } from './token-activity.service.js';
import { TokenAllowances } from './token-allowances.js';
import { TokenBin } from './token-bin.js';
import { TokenBinController } from './token-bin.controller.js';
import { TokenKeys } from './token-keys.js';
import { TokenLockRecords } from './token-lock-records.js';
import { TokenLocks } from './token-locks.service.js';
import { TokenPolicy } from './token-policy.js';
import { TokenStore } from './token-store.js';
import { TokensController } from './tokens.controller.js';
import { TokensRepository } from './tokens.repository.js';
import { TokensService } from './tokens.service.js';
import { TokenEntity } from './token.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([TokenEntity]),
    AccountsModule,
    AuditLogModule,
    AuthModule,
    BillingModule,
    NotificationsModule,
    OptionsModule,
    UsageLogModule,
  ],
  // A path with a word for its last part comes before the one with an id.
  controllers: [AdministeredTokensController, TokensController, TokenBinController],
  providers: [
    AdministeredTokens,
    AdministeredTokensRepository,
    TokenActivity,
    TokenAllowances,
    TokenBin,
    TokenKeys,
    TokenLockRecords,
    TokenLocks,
    TokenPolicy,
    TokenStore,
    TokensRepository,
    TokensService,
  ],
  exports: [TokensService],
})
export class TokensModule {}
