import { randomUUID } from 'node:crypto';
import { Global, Inject, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { LastingFaults } from '../observability/lasting-faults.js';
import { MemorySharedStore } from './memory-shared-store.js';
import { SharedStore } from './shared-store.js';

/** How long a start waits for Redis before it goes on without. */
const START_WAIT_MS = 2_000;

async function openSharedStore(env: Env, clock: Clock): Promise<SharedStore> {
  if (env.redisUrl === undefined) return new MemorySharedStore(clock, `memory:${randomUUID()}`);
  // A single process does without the client's memory.
  const { RedisSharedStore } = await import('./redis-shared-store.js');
  const logger = new Logger('SharedStore');
  // A store that stays away repeats itself with every attempt to connect, in several sentences.
  const faults = new LastingFaults(clock, (line) => logger.warn(line));
  const store = new RedisSharedStore(env.redisUrl, clock, ({ message }) => faults.seen(`Redis: ${message}`));
  await store.waitUntilAvailable(START_WAIT_MS);
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
  providers: [{ provide: SharedStore, useFactory: openSharedStore, inject: [Env, Clock] }, SharedStoreCloser],
  exports: [SharedStore],
})
export class SharedStoreModule {}
