import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditLogModule } from '../audit/audit-log.module.js';
import { AuthModule } from '../auth/auth.module.js';
import { LogsModule } from '../logs/logs.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { GroupsController } from './groups.controller.js';
import { OptionsController } from './options.controller.js';
import { SetupController } from './setup.controller.js';
import { SetupService } from './setup.service.js';
import { StatusController } from './status.controller.js';

/** Routes over the options: settings, public status, set-up, groups. */
@Module({
  imports: [AccountsModule, AuditLogModule, AuthModule, LogsModule],
  controllers: [OptionsController, StatusController, SetupController, GroupsController],
  providers: [SetupService],
})
export class ConsoleOptionsModule implements OnApplicationBootstrap {
  constructor(private readonly setup: SetupService) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.setup.adopt();
  }
}
