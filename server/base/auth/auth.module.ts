import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLogModule } from '../audit/audit-log.module.js';
import { TwoFactorCoreModule } from './two-factor/two-factor-core.module.js';
import { AccountsModule } from '../users/accounts.module.js';
import { VerificationModule } from './verification/verification.module.js';
import { ThrottlerModule } from '@nestjs/throttler';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { SharedThrottlerStorage } from '../../infra/rate-limit/shared-throttler-storage.js';
import { AccessGuard } from './access.guard.js';
import { AuthController } from './auth.controller.js';
import { DatabaseBehindPolicy } from './database-behind-policy.js';
import { CallerGuard } from './caller.guard.js';
import { CONSOLE_THROTTLERS, ConsoleThrottlerGuard } from './console-throttler.guard.js';
import { IdentityService } from './identity.service.js';
import { LoginGuard } from './login-guard.js';
import { LoginService } from './login.service.js';
import { LoginUnlock } from './login-unlock.service.js';
import { OwnSessions } from './own-sessions.js';
import { PasswordHasher } from './password.js';
import { StepUpAuth } from './step-up.service.js';
import { RegistrationController } from './registration.controller.js';
import { RegistrationRules } from './registration-rules.js';
import { RegistrationService } from './registration.service.js';
import { SecondStep } from './second-step.service.js';
import { SessionSweep } from './session-sweep.js';
import { SessionsService } from './sessions.service.js';
import { SignInMethodChanges } from './sign-in-method-changes.js';
import { SignIn } from './sign-in.service.js';
import { SlowDatabase } from './slow-database.js';
import { VerificationTickets } from './verification-tickets.js';
import { SessionEntity } from './session.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([SessionEntity]),
    AccountsModule,
    AuditLogModule,
    TwoFactorCoreModule,
    VerificationModule,
    ThrottlerModule.forRootAsync({
      inject: [RateLimiter],
      useFactory: (limiter: RateLimiter) => ({
        ...CONSOLE_THROTTLERS,
        storage: new SharedThrottlerStorage(limiter),
      }),
    }),
  ],
  controllers: [AuthController, RegistrationController],
  providers: [
    AccessGuard,
    DatabaseBehindPolicy,
    CallerGuard,
    ConsoleThrottlerGuard,
    IdentityService,
    LoginGuard,
    LoginService,
    LoginUnlock,
    OwnSessions,
    PasswordHasher,
    StepUpAuth,
    RegistrationRules,
    RegistrationService,
    SecondStep,
    SessionSweep,
    SessionsService,
    SignIn,
    SignInMethodChanges,
    SlowDatabase,
    VerificationTickets,
  ],
  exports: [
    AccessGuard,
    DatabaseBehindPolicy,
    CallerGuard,
    ConsoleThrottlerGuard,
    IdentityService,
    LoginService,
    OwnSessions,
    PasswordHasher,
    StepUpAuth,
    SessionsService,
    SignIn,
    SignInMethodChanges,
    VerificationTickets,
    VerificationModule,
  ],
})
export class AuthModule {}
