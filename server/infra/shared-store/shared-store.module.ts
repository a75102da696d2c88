import { randomUUID } from 'node:crypto';
import { Global, Inject, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Env } from '../../config/env.js';
import { StartRefusal } from '../../common/errors/start-refusal.js';
import { Clock } from '../../common/clock.js';
import { RateLimitedFaults } from '../observability/rate-limited-faults.js';
import { installationId } from '../database/installation-id.js';
import { MemorySharedStore } from './memory-shared-store.js';
import { SharedStore } from './shared-store.js';

const REMEDY =
  "Name a Redis database that exists and is this installation's alone; when the installation it belonged to is gone, empty it first " +
  '(redis-cli -n NUMBER FLUSHDB).';

/** Longest wait of a start for Redis before it goes on without. */
const START_WAIT_MS = 2_000;

async function openSharedStore(env: Env, clock: Clock, dataSource: DataSource): Promise<SharedStore> {
  if (env.redisUrl === undefined) return new MemorySharedStore(clock, `memory:${randomUUID()}`);
  // A single process does without the client's memory.
  const { RedisSharedStore } = await import('./redis-shared-store.js');
  const { redisIncompatibility } = await import('./redis-compatibility.js');
  const logger = new Logger('SharedStore');
  // A store that stays away repeats itself with every attempt to connect, in several sentences.
  const faults = new RateLimitedFaults(clock, (line) => logger.warn(line));
  const onFault = ({ message }: Error): void => faults.record(`Redis: ${message}`);
  const misfit = await redisIncompatibility(env.redisUrl);
  if (misfit !== undefined) {
    await dataSource.destroy();
    throw new StartRefusal(`REDIS_URL: ${misfit}.`);
  }
  const installation = await installationId(dataSource);
  const store = new RedisSharedStore(env.redisUrl, clock, onFault, { installation });
  await store.waitUntilAvailable(START_WAIT_MS);
  if (store.misplaced !== null) {
    await store.close();
    await dataSource.destroy();
    throw new StartRefusal(`REDIS_URL: Redis cannot be used: ${store.misplaced}. ${REMEDY}`);
  }
  return store;
}

/** Closes the store after everything that uses it has stopped. */
@Injectable()
class SharedStoreCloser implements OnApplicationShutdown {
  constructor(@Inject(SharedStore) private readonly store: SharedStore) {}

  async onApplicationShutdown(): Promise<void> {
    await this.store.close();
  }
}

@Global()
@Module({
  providers: [
    { provide: SharedStore, useFactory: openSharedStore, inject: [Env, Clock, DataSource] },
    SharedStoreCloser,
  ],
  exports: [SharedStore],
})
export class SharedStoreModule {}
