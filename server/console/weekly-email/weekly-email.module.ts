import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLogModule } from '../../base/audit/audit-log.module.js';
import { AuthModule } from '../../base/auth/auth.module.js';
import { BillingModule } from '../../base/billing/billing.module.js';
import { UsageLogModule } from '../../base/logs/usage-log.module.js';
import { MailModule } from '../../base/notifications/mail/mail.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { WarningsModule } from '../warnings/warnings.module.js';
import { StopLink } from './stop-link.js';
import { WeeklyEmailController } from './weekly-email.controller.js';
import { WeeklyEmailEntity } from './weekly-email.entity.js';
import { WeeklyEmailJob } from './weekly-email-job.js';
import { SummaryReceivers, WeeklyEmailSender } from './weekly-email-sender.js';
import { WeeklyEmailStopController } from './weekly-email-stop.controller.js';
import { WeeklyEmailAccounts, WeeklyEmails } from './weekly-emails.service.js';
import { WeeklyEmailsRepository } from './weekly-emails.repository.js';
import { WeeklySummary } from './weekly-summary.service.js';

/** The weekly summary by e-mail: its switch, its link and the job that sends it. */
@Module({
  imports: [
    TypeOrmModule.forFeature([WeeklyEmailEntity]),
    AccountsModule,
    AuditLogModule,
    AuthModule,
    BillingModule,
    MailModule,
    OptionsModule,
    UsageLogModule,
    WarningsModule,
  ],
  controllers: [WeeklyEmailController, WeeklyEmailStopController],
  providers: [
    StopLink,
    SummaryReceivers,
    WeeklyEmailAccounts,
    WeeklyEmailJob,
    WeeklyEmails,
    WeeklyEmailSender,
    WeeklyEmailsRepository,
    WeeklySummary,
  ],
})
export class WeeklyEmailModule {}
