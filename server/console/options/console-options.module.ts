import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditLogModule } from '../../base/audit/audit-log.module.js';
import { AuthModule } from '../../base/auth/auth.module.js';
import { UsageLogModule } from '../../base/logs/usage-log.module.js';
import { MailModule } from '../../base/notifications/mail/mail.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { GroupsController } from './groups.controller.js';
import { OptionsController } from './options.controller.js';
import { SetupCode } from './setup-code.js';
import { SetupCompletion } from './setup-completion.js';
import { SetupController } from './setup.controller.js';
import { SetupService } from './setup.service.js';
import { StatusController } from './status.controller.js';
import { TestMailController } from './test-mail.controller.js';
import { StatusPages } from './uptime/status-pages.js';
import { UptimeController } from './uptime/uptime.controller.js';

/** Routes over the options: settings, public status, set-up, groups. */
@Module({
  imports: [AccountsModule, AuditLogModule, AuthModule, MailModule, UsageLogModule],
  controllers: [
    OptionsController,
    StatusController,
    UptimeController,
    SetupController,
    GroupsController,
    TestMailController,
  ],
  providers: [SetupCode, SetupCompletion, SetupService, StatusPages],
})
export class ConsoleOptionsModule implements OnApplicationBootstrap {
  constructor(private readonly setup: SetupService) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.setup.adopt();
  }
}
