import { Module } from '@nestjs/common';
import { MailModule } from '../../notifications/mail/mail.module.js';
import { AccountsModule } from '../../users/accounts.module.js';
import { CodeEmails } from './mail-codes.js';
import { HumanCheck } from './human-check.js';
import { MailCodes } from './mail-codes.js';
import { MailLimits } from './mail-limits.js';
import { OneTimeCodes } from './one-time-codes.js';

/** Proofs that signing in and registering ask for, without their routes. */
@Module({
  imports: [AccountsModule, MailModule],
  providers: [CodeEmails, HumanCheck, MailCodes, MailLimits, OneTimeCodes],
  exports: [HumanCheck, MailCodes, MailLimits, MailModule],
})
export class VerificationModule {}
