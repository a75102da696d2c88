import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { LogsModule } from '../logs/logs.module.js';
import { NotificationsModule } from '../notifications/notifications.module.js';
import { VerificationModule } from '../verification/verification.module.js';
import { AccountsModule } from './accounts.module.js';
import { SelfController } from './self.controller.js';
import { InvitationsService } from './invitations.service.js';
import { SelfService } from './self.service.js';
import { UserSettingsService } from './user-settings.service.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [AccountsModule, AuthModule, BillingModule, LogsModule, NotificationsModule, VerificationModule],
  // The own account first: `/api/user/self` is not an account called "self".
  controllers: [SelfController, UsersController],
  providers: [InvitationsService, SelfService, UserSettingsService, UsersService],
})
export class UsersModule {}
