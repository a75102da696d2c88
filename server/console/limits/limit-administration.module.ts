import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLogModule } from '../../base/audit/audit-log.module.js';
import { AuthModule } from '../../base/auth/auth.module.js';
import { LimitsModule } from '../../base/limits/limits.module.js';
import { NotificationsModule } from '../../base/notifications/notifications.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { ChannelNamesModule } from '../../gateway/channels/state/channel-names.module.js';
import { TokenNamesModule } from '../../gateway/tokens/token-names.module.js';
import { LimitAdministration, LimitParts } from './limit-administration.js';
import { LimitMetrics } from './limit-metrics.js';
import { LimitNotices } from './limit-notices.js';
import { LimitOverrides } from './limit-overrides.js';
import { LimitPermissions } from './limit-permissions.js';
import { LimitReader } from './limit-reader.js';
import { LimitRecords } from './limit-records.js';
import { LimitResets } from './limit-resets.js';
import { LimitRights } from './limit-rights.js';
import { LimitSubjects } from './limit-subjects.js';
import { LimitWarningEntity } from './limit-warning.entity.js';
import { LimitWarnings } from './limit-warnings.js';
import { LimitsController } from './limits.controller.js';
import { LimitsRepository } from './limits.repository.js';
import { NearLimits } from './near-limits.js';
import { OwnLimits } from './own-limits.js';
import { OwnLimitsController } from './own-limits.controller.js';

/** Routes over limits per period. */
@Module({
  imports: [
    TypeOrmModule.forFeature([LimitWarningEntity]),
    AccountsModule,
    AuditLogModule,
    AuthModule,
    ChannelNamesModule,
    LimitsModule,
    NotificationsModule,
    OptionsModule,
    TokenNamesModule,
  ],
  // Paths with a word for their last part come before the one with an id.
  controllers: [OwnLimitsController, LimitsController],
  providers: [
    LimitAdministration,
    LimitMetrics,
    LimitNotices,
    LimitOverrides,
    LimitParts,
    LimitPermissions,
    LimitReader,
    LimitRecords,
    LimitResets,
    LimitRights,
    LimitsRepository,
    LimitSubjects,
    LimitWarnings,
    NearLimits,
    OwnLimits,
  ],
  exports: [NearLimits],
})
export class LimitAdministrationModule {}
