import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLogModule } from '../../audit/audit-log.module.js';
import { AccountsModule } from '../../users/accounts.module.js';
import { TwoFactorRepository } from './two-factor.repository.js';
import { TwoFactorService } from './two-factor.service.js';
import { TwoFactorEntity } from './two-factor.entity.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';

/** One-time codes without their routes, so that signing in can ask for them. */
@Module({
  imports: [TypeOrmModule.forFeature([TwoFactorEntity, RecoveryCodeEntity]), AccountsModule, AuditLogModule],
  providers: [TwoFactorRepository, TwoFactorService],
  exports: [TwoFactorService],
})
export class TwoFactorCoreModule {}
