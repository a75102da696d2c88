import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { BillingModule } from '../billing/billing.module.js';
import { LogsModule } from '../logs/logs.module.js';
import { AccountsModule } from './accounts.module.js';
import { SelfController } from './self.controller.js';
import { SelfService } from './self.service.js';
import { UsersController } from './users.controller.js';
import { UsersService } from './users.service.js';

@Module({
  imports: [AccountsModule, AuthModule, BillingModule, LogsModule],
  // The own account first: `/api/user/self` is not an account called "self".
  controllers: [SelfController, UsersController],
  providers: [SelfService, UsersService],
})
export class UsersModule {}
