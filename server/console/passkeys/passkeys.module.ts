import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLogModule } from '../../base/audit/audit-log.module.js';
import { AuthModule } from '../../base/auth/auth.module.js';
import { AccountMailModule } from '../../base/auth/password-reset/account-mail.module.js';
import { TwoFactorCoreModule } from '../../base/auth/two-factor/two-factor-core.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { OwnPasskeys } from './own-passkeys.js';
import { PasskeyCeremonies } from './passkey-ceremonies.js';
import { PasskeyRegistrations } from './passkey-registrations.js';
import { PasskeySignInMethod } from './passkey-sign-in-method.js';
import { PasskeyUse } from './passkey-use.js';
import { PasskeysController } from './passkeys.controller.js';
import { PasskeysRepository } from './passkeys.repository.js';
import { ResetMethods } from './reset-methods.js';
import { ResetMethodsController } from './reset-methods.controller.js';
import { StepUpController } from './step-up.controller.js';
import { UserFactorsController } from './user-factors.controller.js';
import { UserPasskeys } from './user-passkeys.js';
import { PasskeyEntity } from './passkey.entity.js';

/** Passkeys, proofs of presence, and removal of second factors by administrators. */
@Module({
  imports: [
    TypeOrmModule.forFeature([PasskeyEntity]),
    AccountMailModule,
    AccountsModule,
    AuditLogModule,
    AuthModule,
    TwoFactorCoreModule,
  ],
  controllers: [PasskeysController, ResetMethodsController, StepUpController, UserFactorsController],
  providers: [
    OwnPasskeys,
    PasskeyCeremonies,
    PasskeyRegistrations,
    PasskeySignInMethod,
    PasskeyUse,
    PasskeysRepository,
    ResetMethods,
    UserPasskeys,
  ],
})
export class PasskeysModule {}
