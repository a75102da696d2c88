import { randomUUID } from 'node:crypto';
import { Global, Inject, Injectable, Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { MemorySharedStore } from './memory-shared-store.js';
import { SharedStore } from './shared-store.js';

/** How long a start waits for Redis before it goes on without. */
const START_WAIT_MS = 2_000;

async function openSharedStore(env: Env, clock: Clock): Promise<SharedStore> {
  if (env.redisUrl === undefined) return new MemorySharedStore(clock, `memory:${randomUUID()}`);
  // A single process does without the client's memory.
  const { RedisSharedStore } = await import('./redis-shared-store.js');
  const logger = new Logger('SharedStore');
  let lastMessage = '';
  const store = new RedisSharedStore(env.redisUrl, clock, (error) => {
    // A store that stays away would otherwise repeat itself with every attempt to connect.
    if (error.message !== lastMessage) logger.warn(`Redis: ${error.message}`);
    lastMessage = error.message;
  });
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
