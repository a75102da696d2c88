import { Module } from '@nestjs/common';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { MailModule } from '../mail/mail.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { CodeLetters } from './code-letters.js';
import { HumanCheck } from './human-check.js';
import { MailCodes } from './mail-codes.js';
import { MailLimits } from './mail-limits.js';
import { OneTimeCodes } from './one-time-codes.js';
import { ServerAddress } from '../options/server-address.js';

/** Proofs that signing in and registering ask for, without their routes. */
@Module({
  imports: [AccountsModule, MailModule],
  providers: [CodeLetters, HumanCheck, MailCodes, MailLimits, OneTimeCodes, ServerAddress, RateLimiter],
  exports: [HumanCheck, MailCodes, MailLimits, MailModule, ServerAddress, RateLimiter],
})
export class VerificationModule {}
