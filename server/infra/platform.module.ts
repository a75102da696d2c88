import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Env } from '../config/env.js';
import { Clock } from '../common/clock.js';
import { Ids } from '../common/ids.js';
import { CorrectedClock, SystemClock } from './clock/system-clock.js';
import { SecretBox } from './crypto/secret-box.js';
import { ChangeFeed } from './events/change-feed.js';
import { Revisions } from './events/revisions.js';
import { SharedChangeFeed } from './events/shared-change-feed.js';
import { BOOT_ID } from './ids/boot-id.js';
import { UuidIds } from './ids/uuid-ids.js';
import { DiscoveryModule } from '@nestjs/core';
import { ScheduleModule } from '@nestjs/schedule';
import { JobRunner } from './schedule/job-runner.js';
import { ScheduledWork } from './schedule/leased-interval.js';
import { LiveWorkers } from './peers/live-workers.js';
import { LimitShares } from './rate-limit/limit-shares.js';
import { RateLimiter } from './rate-limit/rate-limiter.js';
import { PendingVerifications } from './pending-verifications/pending-verifications.js';

/** Services for every module: the environment, time, ids, secrets at rest, change notifications. */
@Global()
@Module({})
export class PlatformModule {
  /** @param machine  the clock of this machine; another one in tests */
  static forEnv(env: Env, machine: Clock = new SystemClock()): DynamicModule {
    const clock = new CorrectedClock(machine);
    return {
      module: PlatformModule,
      imports: [DiscoveryModule, ScheduleModule.forRoot()],
      providers: [
        { provide: Env, useValue: env },
        { provide: CorrectedClock, useValue: clock },
        { provide: Clock, useExisting: CorrectedClock },
        { provide: Ids, useValue: new UuidIds(clock) },
        { provide: SecretBox, useValue: new SecretBox(env.cryptoSecret) },
        SharedChangeFeed,
        { provide: ChangeFeed, useExisting: SharedChangeFeed },
        { provide: BOOT_ID, useFactory: (ids: Ids) => ids.callId(), inject: [Ids] },
        LiveWorkers,
        JobRunner,
        ScheduledWork,
        LimitShares,
        RateLimiter,
        Revisions,
        PendingVerifications,
      ],
      exports: [
        Env,
        Clock,
        CorrectedClock,
        Ids,
        SecretBox,
        ChangeFeed,
        BOOT_ID,
        LiveWorkers,
        JobRunner,
        ScheduledWork,
        LimitShares,
        RateLimiter,
        Revisions,
        PendingVerifications,
      ],
    };
  }
}
