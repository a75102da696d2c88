import { randomUUID } from 'node:crypto';
import { Redis, ReplyError } from 'ioredis';
import type { RedisConnection } from './redis-connection.js';
import { CLAIM } from './scripts/state-scripts.js';
import { StoreUnavailableError } from './shared-store.js';

const FOREIGN = 'it belongs to another installation (its key tollgate:installation names another database)';

/**
 * Checks that the connected Redis is the right one: the database REDIS_URL names, and of this installation. Two installations in
 * one Redis database would spend each other's pools.
 */
export class RedisClaim {
  private ownStore: string | undefined;
  private suspicion: string | null = null;

  constructor(
    private readonly gate: RedisConnection,
    private readonly settings: {
      readonly key: string;
      /** Undefined = no claim is made: for tests and tools. */
      readonly installation: string | undefined;
      readonly database: number;
      readonly onForeign: () => void;
    },
  ) {}

  /** Blocks all commands until called with null, even when the claim is valid. @returns false when it was set to that before */
  setUnusable(reason: string | null): boolean {
    if (this.suspicion === reason) return false;
    this.suspicion = reason;
    if (reason !== null) this.gate.markUnusable(reason, true);
    return true;
  }

  /** Names what is in this Redis: another one after it was emptied or exchanged. Undefined = not known yet. */
  get storeId(): string | undefined {
    return this.ownStore;
  }

  /** Checks a new connection, before any command. Fails: StoreUnavailableError. */
  async admit(): Promise<void> {
    await this.select();
    await this.look();
    if (this.suspicion === null) return this.gate.markUsable();
    this.gate.markUnusable(this.suspicion, true);
    throw new StoreUnavailableError(this.suspicion);
  }

  /** Claims an unclaimed Redis, also one that was emptied while we run. Fails: StoreUnavailableError. */
  async look(): Promise<void> {
    const { key, installation } = this.settings;
    if (installation === undefined) return;
    const { client } = this.gate;
    const claim =
      (await this.gate.ask(() => client.get(key))) ??
      String(await this.gate.ask(() => client.eval(CLAIM.lua, 1, key, `${installation}/${randomUUID()}`)));
    const [owner, store] = claim.split('/');
    if (owner !== installation) {
      this.gate.markUnusable(FOREIGN, true);
      this.settings.onForeign();
      throw new StoreUnavailableError(FOREIGN);
    }
    this.ownStore = store;
  }

  /** The client reports a database it could not select in an event only, and continues in number 0. */
  private async select(): Promise<void> {
    const { database } = this.settings;
    const { client } = this.gate;
    if (database === 0 || !(client instanceof Redis)) return;
    try {
      await this.gate.ask(() => client.select(database));
    } catch (error) {
      const cause = error instanceof StoreUnavailableError ? error.cause : error;
      if (cause instanceof ReplyError)
        this.gate.markUnusable(
          `its database ${database} cannot be selected (${(cause as Error).message})`,
          true,
        );
      throw error;
    }
  }
}
