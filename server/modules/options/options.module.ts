import { Global, Module } from '@nestjs/common';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import { ChangeFeed } from '../../infra/events/change-feed.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { OptionHistory } from './option-history.service.js';
import { AuditLogModule } from '../audit/audit-log.module.js';
import { OptionsRepository } from './options.repository.js';
import { OptionsService } from './options.service.js';

async function startOptions(
  repository: OptionsRepository,
  secrets: SecretBox,
  feed: ChangeFeed,
  clock: Clock,
): Promise<OptionsService> {
  const service = new OptionsService(repository, secrets, feed, clock);
  await service.start();
  return service;
}

/** The options, read before anything that needs them is made. */
@Global()
@Module({
  imports: [AuditLogModule],
  providers: [
    OptionsRepository,
    OptionHistory,
    {
      provide: OptionsService,
      useFactory: startOptions,
      inject: [OptionsRepository, SecretBox, ChangeFeed, Clock],
    },
  ],
  exports: [OptionsService, OptionsRepository, OptionHistory],
})
export class OptionsModule {}
