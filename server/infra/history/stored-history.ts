import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SharedStore } from '../shared-store/shared-store.js';
import { type SeenHistory, seenHistorySchema } from './history-state.js';

const FILE = 'seen-history.json';
/** Long enough for an installation that is switched off over a holiday. */
const KEEP_MS = 90 * 86_400_000;

const parsed = (value: unknown): SeenHistory | undefined => {
  const read = seenHistorySchema.safeParse(value);
  return read.success ? read.data : undefined;
};

/** Where an instance remembers over its own end what it saw. */
export class HistoryFile {
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

/** What all instances saw together. Undefined = nothing. Fails: StoreUnavailableError. */
export async function recallHistory(
  store: SharedStore,
  installation: string,
): Promise<SeenHistory | undefined> {
  return parsed(await store.cache.get(keyOf(installation)));
}

/** Fails: StoreUnavailableError. */
export async function shareHistory(store: SharedStore, seen: SeenHistory): Promise<void> {
  const { installation, acceptances, marks } = seen;
  await store.cache.set(keyOf(installation), { installation, acceptances, marks: { ...marks } }, KEEP_MS);
}
