import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BillingModule } from '../billing/billing.module.js';
import { AccountsModule } from '../users/accounts.module.js';
import { MailModule } from './mail/mail.module.js';
import { NoticeDelivery } from './notice-delivery.js';
import { Notifier } from './notifier.js';
import { QuotaWarningEntity } from './quota-warning.entity.js';
import { QuotaWarningsRepository } from './quota-warnings.repository.js';
import { QuotaWarnings } from './quota-warnings.service.js';
import { QuotaWatch } from './quota-watch.js';
import { WebhookSender } from './webhook-sender.js';

@Module({
  imports: [TypeOrmModule.forFeature([QuotaWarningEntity]), AccountsModule, BillingModule, MailModule],
  providers: [NoticeDelivery, Notifier, QuotaWarnings, QuotaWarningsRepository, QuotaWatch, WebhookSender],
  exports: [Notifier, WebhookSender],
})
export class NotificationsModule {}
