import { Global, Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { OwnHosts } from '../../common/api/own-hosts.js';
import { Env } from '../../config/env.js';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import { installationId } from '../../infra/database/installation-id.js';
import { Revisions } from '../../infra/events/revisions.js';
import { OutboundPolicy } from '../../infra/http-client/safe-url.js';
import { DegradedModes } from '../../infra/observability/degraded-modes.js';
import { RateLimitedFaults } from '../../infra/observability/rate-limited-faults.js';
import { SharedStore } from '../../infra/shared-store/shared-store.js';
import { Clock } from '../../common/clock.js';
import { OptionHistory } from './option-history.service.js';
import { AuditLogModule } from '../audit/audit-log.module.js';
import { uncallableAddress } from './option-complaints.js';
import { OptionCache } from './option-cache.js';
import { OptionsRepository } from './options.repository.js';
import { OptionsService } from './options.service.js';
import { ServerAddress } from './server-address.js';
import { StoredOptions } from './stored-options.js';
import { safeModeValues } from './safe-mode.js';
import { OptionChangeEntity } from './option.entity.js';
import { OptionVersionEntity } from './option-version.entity.js';
import type { FactoryProvider } from '@nestjs/common';
import { readProxyTrust } from '../../common/api/client-address.js';

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

async function startOptions(
  repository: OptionsRepository,
  stored: StoredOptions,
  secrets: SecretBox,
  clock: Clock,
  revisions: Revisions,
  modes: DegradedModes,
  env: Env,
  outbound: OutboundPolicy,
): Promise<OptionsService> {
  const restrict = env.isSafeMode ? safeModeValues : undefined;
  modes.set('safe-mode', env.isSafeMode ? 'SAFE_MODE is set' : null);
  const service = new OptionsService(repository, secrets, clock, revisions, stored);
  service.registerComplaint(uncallableAddress(outbound));
  await service.start(restrict);
  return service;
}

/** Safe mode is for stored options that do harm: it reads them where they were written. */
async function openStoredOptions(
  repository: OptionsRepository,
  env: Env,
  store: SharedStore,
  secrets: SecretBox,
  clock: Clock,
  dataSource: DataSource,
): Promise<StoredOptions> {
  if (env.redisUrl === undefined || env.isSafeMode) return new StoredOptions(repository);
  const logger = new Logger('Options');
  const faults = new RateLimitedFaults(clock, (line) => logger.warn(line));
  const onFault = (fault: unknown): void =>
    faults.record('the options are read from the database, not from Redis', String(fault));
  const installation = await installationId(dataSource);
  return new StoredOptions(repository, new OptionCache(store.cache, secrets, installation, onFault));
}

/** The options, read before anything that needs them is made. */
@Global()
@Module({
  imports: [TypeOrmModule.forFeature([OptionChangeEntity, OptionVersionEntity]), AuditLogModule],
  providers: [
    OptionsRepository,
    OptionHistory,
    ownHostsProvider,
    ServerAddress,
    {
      provide: StoredOptions,
      useFactory: openStoredOptions,
      inject: [OptionsRepository, Env, SharedStore, SecretBox, Clock, DataSource],
    },
    {
      provide: OptionsService,
      useFactory: startOptions,
      inject: [
        OptionsRepository,
        StoredOptions,
        SecretBox,
        Clock,
        Revisions,
        DegradedModes,
        Env,
        OutboundPolicy,
      ],
    },
  ],
  exports: [OptionsService, OptionsRepository, OptionHistory, OwnHosts, ServerAddress],
})
export class OptionsModule {}
