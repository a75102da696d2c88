import { Module } from '@nestjs/common';
import { AuditLogModule } from '../../audit/audit-log.module.js';
import { AuthModule } from '../auth.module.js';
import { AccountsModule } from '../../users/accounts.module.js';
import { AccountMailController } from './account-mail.controller.js';
import { MailBinding } from './mail-binding.js';
import { PasswordResetController } from './password-reset.controller.js';
import { PasswordReset, ResetLinkMail, ResetLinks } from './password-reset.js';
import { ResetProofs } from './reset-proofs.js';
import { TwoFactorCoreModule } from '../two-factor/two-factor-core.module.js';
import { VerificationModule } from '../verification/verification.module.js';

@Module({
  imports: [AccountsModule, AuditLogModule, AuthModule, TwoFactorCoreModule, VerificationModule],
  controllers: [AccountMailController, PasswordResetController],
  providers: [MailBinding, PasswordReset, ResetLinkMail, ResetLinks, ResetProofs],
  exports: [ResetProofs],
})
export class AccountMailModule {}
