import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { OwnHosts } from '../../common/api/own-hosts.js';
import { Env } from '../../config/env.js';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import { Revisions } from '../../infra/events/revisions.js';
import { OutboundPolicy } from '../../infra/http-client/safe-url.js';
import { DegradedModes } from '../../infra/observability/degraded-modes.js';
import { Clock } from '../../common/clock.js';
import { OptionHistory } from './option-history.service.js';
import { AuditLogModule } from '../audit/audit-log.module.js';
import { uncallableAddress } from './option-complaints.js';
import { OptionsRepository } from './options.repository.js';
import { ownHostsProvider } from './own-hosts.provider.js';
import { OptionsService } from './options.service.js';
import { ServerAddress } from './server-address.js';
import { safeModeValues } from './safe-mode.js';
import { OptionChangeEntity } from './option.entity.js';
import { OptionVersionEntity } from './option-version.entity.js';

async function startOptions(
  repository: OptionsRepository,
  secrets: SecretBox,
  clock: Clock,
  revisions: Revisions,
  modes: DegradedModes,
  env: Env,
  outbound: OutboundPolicy,
): Promise<OptionsService> {
  const restrict = env.isSafeMode ? safeModeValues : undefined;
  modes.set('safe-mode', env.isSafeMode ? 'SAFE_MODE is set' : null);
  const service = new OptionsService(repository, secrets, clock, revisions);
  service.registerComplaint(uncallableAddress(outbound));
  await service.start(restrict);
  return service;
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
      provide: OptionsService,
      useFactory: startOptions,
      inject: [OptionsRepository, SecretBox, Clock, Revisions, DegradedModes, Env, OutboundPolicy],
    },
  ],
  exports: [OptionsService, OptionsRepository, OptionHistory, OwnHosts, ServerAddress],
})
export class OptionsModule {}
