import { Module } from '@nestjs/common';
import { GatewayName } from '../../../relay-core/ports/gateway-name.js';
import { MediaFetcher } from '../../../relay-core/ports/media-fetcher.js';
import { RelayOptionsSource } from '../../../relay-core/ports/relay-options.js';
import { TokenCounter } from '../../../relay-core/ports/token-counter.js';
import { VendorTokens } from '../../../relay-core/ports/vendor-tokens.js';
import { OptionsModule } from '../../../base/options/options.module.js';
import { OptionRelayOptions } from './option-relay-options.js';
import { DeploymentName } from './deployment-name.js';
import { GuardedMediaFetcher } from './guarded-media-fetcher.js';
import { UpstreamPorts } from './upstream-ports.js';
import { VendorTokenStore } from './vendor-token-store.js';
import { WorkerTokenCounter } from './worker-token-counter.js';

/** Ports that calls and channel tests have in common. */
@Module({
  imports: [OptionsModule],
  providers: [
    OptionRelayOptions,
    WorkerTokenCounter,
    { provide: RelayOptionsSource, useExisting: OptionRelayOptions },
    { provide: TokenCounter, useExisting: WorkerTokenCounter },
    { provide: MediaFetcher, useClass: GuardedMediaFetcher },
    { provide: VendorTokens, useClass: VendorTokenStore },
    { provide: GatewayName, useClass: DeploymentName },
    UpstreamPorts,
  ],
  exports: [RelayOptionsSource, UpstreamPorts, VendorTokens],
})
export class RelayBasicsModule {}
