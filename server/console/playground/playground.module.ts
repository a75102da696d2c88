import { Module } from '@nestjs/common';
import { AuthModule } from '../../base/auth/auth.module.js';
import { OptionsModule } from '../../base/options/options.module.js';
import { RelayModule } from '../../gateway/relay/relay.module.js';
import { AccountsModule } from '../../base/users/accounts.module.js';
import { PlaygroundCallers } from './playground-callers.js';
import { PlaygroundController } from './playground.controller.js';

/** Models to try from the console, on one's own account. */
@Module({
  imports: [AccountsModule, AuthModule, OptionsModule, RelayModule],
  controllers: [PlaygroundController],
  providers: [PlaygroundCallers],
})
export class PlaygroundModule {}
