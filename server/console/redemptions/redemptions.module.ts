import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditLogModule } from '../../base/audit/audit-log.module.js';
import { AuthModule } from '../../base/auth/auth.module.js';
import { BillingModule } from '../../base/billing/billing.module.js';
import { UsageLogModule } from '../../base/logs/usage-log.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { CodeActs } from './code-acts.js';
import { CodeBin } from './code-bin.js';
import { CodeBinController } from './code-bin.controller.js';
import { CodeCreators } from './code-creators.js';
import { CodeRedeemer } from './redeem.service.js';
import { RedeemController } from './redeem.controller.js';
import { RedeemService } from './redeem.service.js';
import { RedemptionKeys } from './redemption-keys.js';
import { RedemptionLog } from './redemption-log.js';
import { RedemptionsController } from './redemptions.controller.js';
import { RedemptionsRepository } from './redemptions.repository.js';
import { RedemptionsService } from './redemptions.service.js';
import { RedemptionEditorEntity } from './redemption-editor.entity.js';
import { RedemptionEntity } from './redemption.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([RedemptionEntity, RedemptionEditorEntity]),
    AccountsModule,
    AuditLogModule,
    AuthModule,
    BillingModule,
    UsageLogModule,
    OptionsModule,
  ],
  controllers: [RedemptionsController, RedeemController, CodeBinController],
  providers: [
    RedemptionsRepository,
    RedemptionKeys,
    RedemptionLog,
    RedemptionsService,
    CodeActs,
    CodeBin,
    CodeCreators,
    CodeRedeemer,
    RedeemService,
  ],
})
export class RedemptionsModule {}
