import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserEntity } from './user.entity.js';
import { BillingModule } from '../billing/billing.module.js';
import { UsageLogModule } from '../logs/usage-log.module.js';
import { AdministratorQuota } from './administrator-quota.js';
import { AdministratorQuotaDayEntity } from './administrator-quota-day.entity.js';
import { AccountCreation } from './account-creation.service.js';
import { AccountGifts } from './account-gifts.js';
import { IdentityIssuers } from './identity-issuer.js';
import { DeregisteredAccounts } from './deregistered-accounts.service.js';
import { DeregisteredAccountsRepository } from './deregistered-accounts.repository.js';
import { LimitsModule } from '../limits/limits.module.js';
import { EndUserRecords } from './end-user-records.js';
import { AccountLines } from './account-lines.js';
import { AccountNames } from './account-names.js';
import { AccountZones } from './account-zones.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { SignInMethods } from './sign-in-methods.js';
import { PersonalDataTables } from './personal-data-tables.js';

/** Accounts without their routes, so that signing in can use them. */
@Module({
  imports: [
    TypeOrmModule.forFeature([UserEntity, AdministratorQuotaDayEntity]),
    BillingModule,
    LimitsModule,
    UsageLogModule,
  ],
  providers: [
    AdministratorQuota,
    AccountCreation,
    AccountGifts,
    DeregisteredAccounts,
    DeregisteredAccountsRepository,
    EndUserRecords,
    IdentityIssuers,
    AccountLines,
    AccountNames,
    AccountsRepository,
    AccountsService,
    AccountZones,
    SignInMethods,
    PersonalDataTables,
  ],
  exports: [
    AdministratorQuota,
    AccountCreation,
    DeregisteredAccounts,
    DeregisteredAccountsRepository,
    IdentityIssuers,
    AccountLines,
    AccountNames,
    AccountsRepository,
    AccountsService,
    AccountZones,
    SignInMethods,
    PersonalDataTables,
  ],
})
export class AccountsModule {}
