import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { OptionsModule } from '../options/options.module.js';
import { RelayModule } from '../relay/relay.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { PlaygroundCallers } from './playground-callers.js';
import { PlaygroundController } from './playground.controller.js';

/** Models to try from the console, on one's own account. */
@Module({
  imports: [AccountsModule, AuthModule, OptionsModule, RelayModule],
  controllers: [PlaygroundController],
  providers: [PlaygroundCallers],
})
export class PlaygroundModule {}
