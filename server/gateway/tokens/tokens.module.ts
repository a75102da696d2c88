import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuthModule } from '../../base/auth/auth.module.js';
import { BillingModule } from '../../base/billing/billing.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { TokenAllowances } from './token-allowances.js';
import { TokenKeys } from './token-keys.js';
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
    AuthModule,
    BillingModule,
    OptionsModule,
  ],
  controllers: [TokensController],
  providers: [TokensRepository, TokenKeys, TokenStore, TokenPolicy, TokenAllowances, TokensService],
  exports: [TokensService],
})
export class TokensModule {}
