import { Module } from '@nestjs/common';
import { AccountsModule } from '../users/accounts.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { Notifier } from './notifier.js';
import { WebhookSender } from './webhook-sender.js';

@Module({
  imports: [AccountsModule, VerificationModule],
  providers: [Notifier, WebhookSender],
  exports: [Notifier, WebhookSender],
})
export class NotificationsModule {}
