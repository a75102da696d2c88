import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { AccountsModule } from '../users/accounts.module.js';
import { AccountMailController } from './account-mail.controller.js';
import { MailBinding } from './mail-binding.js';
import { PasswordReset } from './password-reset.js';
import { VerificationModule } from './verification.module.js';

@Module({
  imports: [AccountsModule, AuthModule, VerificationModule],
  controllers: [AccountMailController],
  providers: [MailBinding, PasswordReset],
})
export class AccountMailModule {}
