import { Module } from '@nestjs/common';
import { AuditLogModule } from '../audit/audit-log.module.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { TwoFactorRepository } from './two-factor.repository.js';
import { TwoFactorService } from './two-factor.service.js';

/** One-time codes without their routes, so that signing in can ask for them. */
@Module({
  imports: [AccountsModule, AuditLogModule],
  providers: [RateLimiter, TwoFactorRepository, TwoFactorService],
  exports: [TwoFactorService],
})
export class TwoFactorCoreModule {}
