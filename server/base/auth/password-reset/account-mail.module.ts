import { Module } from '@nestjs/common';
import { AuditLogModule } from '../../audit/audit-log.module.js';
import { AuthModule } from '../auth.module.js';
import { AccountsModule } from '../../users/accounts.module.js';
import { AccountMailController } from './account-mail.controller.js';
import { MailBinding } from './mail-binding.js';
import { PasswordReset } from './password-reset.js';
import { ResetLinkMail } from './reset-link-mail.js';
import { ResetLinks } from './reset-links.js';
import { VerificationModule } from '../verification/verification.module.js';

@Module({
  imports: [AccountsModule, AuditLogModule, AuthModule, VerificationModule],
  controllers: [AccountMailController],
  providers: [MailBinding, PasswordReset, ResetLinkMail, ResetLinks],
})
export class AccountMailModule {}
