import type { FactoryProvider } from '@nestjs/common';
import { readProxyTrust } from '../../common/api/client-address.js';
import { OwnHosts } from '../../common/api/own-hosts.js';
import { Env } from '../../config/env.js';
import { OptionsService } from './options.service.js';

/** The names of this installation, by the environment and by the settings as they are now. */
export const ownHostsProvider: FactoryProvider<OwnHosts> = {
  provide: OwnHosts,
  inject: [Env, OptionsService],
  useFactory: (env: Env, options: OptionsService) => {
    const read = (): readonly string[] => [env.serverAddress ?? '', options.values().ServerAddress];
    let addresses = read();
    options.onChange(() => (addresses = read()));
    return new OwnHosts({
      isLoopback: env.isLoopback,
      trust: readProxyTrust(env.trustProxy),
      addresses: () => addresses,
    });
  },
};
