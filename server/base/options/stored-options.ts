import type { EntityManager } from 'typeorm';
import type { OptionCache, StoredTexts } from './option-cache.js';
import type { OptionsRepository, OptionsVersion } from './options.repository.js';

/** The options table as of one snapshot. */
export interface StoredState {
  readonly version: OptionsVersion;
  readonly stored: StoredTexts;
}

/** Reads the stored options: from the shared cache when it holds exactly the state of the snapshot, else from SQL. */
export class StoredOptions {
  private prefetched: { readonly name: string; readonly stored: StoredTexts } | undefined;
  private isFromSql = false;

  /** @param cache  undefined = SQL alone */
  constructor(
    private readonly repository: OptionsRepository,
    private readonly cache?: OptionCache,
  ) {}

  /** Lets the next read go to SQL, whatever the cache holds. */
  bypassCache(): void {
    this.isFromSql = true;
  }

  /** Looks into the cache before a snapshot is opened, which must not wait for a network. Fails: with the database's error. */
  async prefetch(): Promise<void> {
    this.prefetched = undefined;
    if (this.cache === undefined || this.isFromSql) return;
    const { name } = await this.repository.state();
    const stored = await this.cache.read(name);
    if (stored !== undefined) this.prefetched = { name, stored };
  }

  /** Fails: with the database's error. */
  async read(manager: EntityManager): Promise<StoredState> {
    if (this.cache === undefined) {
      const version = await this.repository.version(manager);
      return { version, stored: await this.repository.all(manager) };
    }
    const { version, name } = await this.repository.state(manager);
    const ready = this.prefetched;
    this.prefetched = undefined;
    if (ready?.name === name && !this.isFromSql) return { version, stored: ready.stored };
    const stored = await this.repository.all(manager);
    this.isFromSql = false;
    this.cache.write(name, stored);
    return { version, stored };
  }
}
