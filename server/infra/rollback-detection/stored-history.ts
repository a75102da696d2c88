import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Env } from '../../config/env.js';
import { SharedStore, StoreUnavailableError } from '../shared-store/shared-store.js';
import { type SeenHistory, seenHistorySchema } from './history-state.js';

const FILE = 'seen-history.json';
/** Long enough for an installation that is switched off over a holiday. */
const RETENTION_MS = 90 * 86_400_000;

const parsed = (value: unknown): SeenHistory | undefined => {
  const read = seenHistorySchema.safeParse(value);
  return read.success ? read.data : undefined;
};

/** File in which an instance keeps the known state across restarts. */
class HistoryFile {
  private readonly path: string;

  constructor(dataDir: string) {
    this.path = join(dataDir, FILE);
  }

  /** Undefined = nothing, or nothing that can be read: the others may remember, and a guess is worse. */
  read(): SeenHistory | undefined {
    try {
      return parsed(JSON.parse(readFileSync(this.path, 'utf8')));
    } catch {
      // None yet, or half of one after a power cut.
      return undefined;
    }
  }

  /** @param text  a SeenHistory as JSON. Workers of an instance share it: each writes a whole file. Fails: with the error of the disk. */
  write(text: string): void {
    const draft = `${this.path}.${process.pid}`;
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, this.path);
  }
}

const keyOf = (installation: string): string => `history:${installation}`;

/** Known state of the database, stored outside of it: in the file of this instance, and in the shared store for all of them. */
@Injectable()
export class StoredHistory {
  readonly file: HistoryFile;

  constructor(
    private readonly store: SharedStore,
    private readonly env: Env,
  ) {
    this.file = new HistoryFile(env.dataDir);
  }

  /** State known to all instances together. Undefined = none, or the store is away. */
  async recall(installation: string): Promise<SeenHistory | undefined> {
    return this.unlessAway(async () => parsed(await this.store.cache.get(keyOf(installation))));
  }

  async share({ installation, acceptances, marks }: SeenHistory): Promise<void> {
    const seen = { installation, acceptances, marks: { ...marks } };
    await this.unlessAway(() => this.store.cache.set(keyOf(installation), seen, RETENTION_MS));
  }

  /** That the store is away is reported elsewhere; the workers remember without it. */
  private async unlessAway<T>(ask: () => Promise<T>): Promise<T | undefined> {
    if (this.env.redisUrl === undefined || !this.store.isAvailable) return undefined;
    try {
      return await ask();
    } catch (error) {
      if (error instanceof StoreUnavailableError) return undefined;
      throw error;
    }
  }
}
