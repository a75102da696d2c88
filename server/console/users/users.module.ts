import { Module } from '@nestjs/common';
import { AuditLogModule } from '../../base/audit/audit-log.module.js';
import { AuthModule } from '../../base/auth/auth.module.js';
import { BillingModule } from '../../base/billing/billing.module.js';
import { UsageLogModule } from '../../base/logs/usage-log.module.js';
import { MailModule } from '../../base/notifications/mail/mail.module.js';
import { NotificationsModule } from '../../base/notifications/notifications.module.js';
import { VerificationModule } from '../../base/auth/verification/verification.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { AccountBin } from './account-bin.js';
import { AccountBinController } from './account-bin.controller.js';
import { SelfController } from './self.controller.js';
import { InvitationsService } from './invitations.service.js';
import { SelfService } from './self.service.js';
import { UserSettingsService } from './user-settings.service.js';
import { UserDirectory } from './user-directory.js';
import { LockedUsers } from './locked-users.js';
import { ProfileService, ProfileView } from './profile.service.js';
import { UserAdministration } from './user-administration.js';
import { UserCreation } from './user-creation.js';
import { UserEditing } from './user-editing.js';
import { UserPasswords } from './user-passwords.js';
import { UserQuota } from './user-quota.js';
import { UserSignIns } from './user-sign-ins.js';
import { UserSignInsController } from './user-sign-ins.controller.js';
import { UserRecords } from './user-records.js';
import { UsersController } from './users.controller.js';

@Module({
  imports: [
    AuditLogModule,
    AccountsModule,
    AuthModule,
    BillingModule,
    UsageLogModule,
    MailModule,
    NotificationsModule,
    VerificationModule,
  ],
  // The own account first: `/api/user/self` is not an account called "self".
  controllers: [SelfController, UsersController, UserSignInsController, AccountBinController],
  providers: [
    AccountBin,
    InvitationsService,
    LockedUsers,
    ProfileService,
    ProfileView,
    SelfService,
    UserAdministration,
    UserCreation,
    UserDirectory,
    UserEditing,
    UserPasswords,
    UserQuota,
    UserRecords,
    UserSettingsService,
    UserSignIns,
  ],
})
export class UsersModule {}
