import { Module } from '@nestjs/common';
import { JobRunner } from '../../infra/schedule/job-runner.js';
import { AccountsModule } from '../users/accounts.module.js';
import { AccessGuard } from './access.guard.js';
import { AuthController } from './auth.controller.js';
import { IdentityService } from './identity.service.js';
import { LoginService } from './login.service.js';
import { OwnSessions } from './own-sessions.js';
import { PasswordHasher } from './password.js';
import { RegistrationService } from './registration.service.js';
import { SessionSweep } from './session-sweep.js';
import { SessionsRepository } from './sessions.repository.js';
import { SessionsService } from './sessions.service.js';
import { Throttle } from './throttle.js';

@Module({
  imports: [AccountsModule],
  controllers: [AuthController],
  providers: [
    AccessGuard,
    IdentityService,
    JobRunner,
    LoginService,
    OwnSessions,
    PasswordHasher,
    RegistrationService,
    SessionSweep,
    SessionsRepository,
    SessionsService,
    Throttle,
  ],
  exports: [
    AccessGuard,
    IdentityService,
    LoginService,
    OwnSessions,
    PasswordHasher,
    SessionsService,
    Throttle,
  ],
})
export class AuthModule {}
