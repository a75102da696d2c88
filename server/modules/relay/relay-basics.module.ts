import { Module } from '@nestjs/common';
import { RelayOptionsSource } from '../../relay-core/ports/relay-options.js';
import { TokenCounter } from '../../relay-core/ports/token-counter.js';
import { OptionsModule } from '../options/options.module.js';
import { OptionRelayOptions } from './option-relay-options.js';
import { WorkerTokenCounter } from './worker-token-counter.js';

/** What calls and tests of channels have in common. */
@Module({
  imports: [OptionsModule],
  providers: [
    OptionRelayOptions,
    WorkerTokenCounter,
    { provide: RelayOptionsSource, useExisting: OptionRelayOptions },
    { provide: TokenCounter, useExisting: WorkerTokenCounter },
  ],
  exports: [RelayOptionsSource, TokenCounter],
})
export class RelayBasicsModule {}
