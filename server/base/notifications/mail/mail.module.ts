import { Module } from '@nestjs/common';
import { AccountsModule } from '../../users/accounts.module.js';
import { MailHealth } from './mail-health.js';
import { Mailer } from './mailer.js';
import { SecurityEmails } from './security-emails.js';

@Module({
  imports: [AccountsModule],
  providers: [Mailer, MailHealth, SecurityEmails],
  exports: [Mailer, MailHealth, SecurityEmails],
})
export class MailModule {}
