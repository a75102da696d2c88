import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UserEntity } from './user.entity.js';
import { BillingModule } from '../billing/billing.module.js';
import { UsageLogModule } from '../usage-log/usage-log.module.js';
import { MailModule } from '../mail/mail.module.js';
import { AccountGifts } from './account-gifts.js';
import { SecurityEmails } from './security-emails.js';
import { AccountZones } from './account-zones.js';
import { AccountsRepository } from './accounts.repository.js';
import { AccountsService } from './accounts.service.js';
import { SignInMethods } from './sign-in-methods.js';
import { PersonalRecords } from './personal-records.js';

/** Accounts without their routes, so that signing in can use them. */
@Module({
  imports: [TypeOrmModule.forFeature([UserEntity]), BillingModule, UsageLogModule, MailModule],
  providers: [
    AccountGifts,
    SecurityEmails,
    AccountsRepository,
    AccountsService,
    AccountZones,
    SignInMethods,
    PersonalRecords,
  ],
  exports: [
    SecurityEmails,
    AccountsRepository,
    AccountsService,
    AccountZones,
    SignInMethods,
    PersonalRecords,
  ],
})
export class AccountsModule {}
