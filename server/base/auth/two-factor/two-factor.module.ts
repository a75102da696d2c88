import { Module } from '@nestjs/common';
import { AuthModule } from '../auth.module.js';
import { AccountsModule } from '../../users/accounts.module.js';
import { OwnTwoFactor } from './own-two-factor.service.js';
import { TwoFactorController } from './two-factor.controller.js';
import { TwoFactorSetups } from './two-factor-setups.js';
import { TwoFactorCoreModule } from './two-factor-core.module.js';

@Module({
  imports: [AccountsModule, AuthModule, TwoFactorCoreModule],
  controllers: [TwoFactorController],
  providers: [OwnTwoFactor, TwoFactorSetups],
})
export class TwoFactorModule {}
