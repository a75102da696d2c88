import { statSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import { openDataSource } from '../database/data-source.js';
import { parseDatabaseUrl } from '../database/database-url.js';
import { findLoss, type HistoryState, readHistory } from './history-state.js';

/** Notices that another file lies where the file of the running process was: a process goes on with the one it opened, until it ends. */
export class ExchangedFile {
  private readonly path: string | null;
  private readonly opened: string | null;

  constructor(private readonly databaseUrl: string) {
    const address = parseDatabaseUrl(databaseUrl);
    this.path = address.dialect === 'sqlite' && address.path !== ':memory:' ? address.path : null;
    this.opened = this.path === null ? null : identityOf(this.path);
  }

  /**
   * @param open  what the file says that this process has open
   * @returns a sentence about it; null = it is the same. Fails: with the error of the other file.
   */
  async look(open: HistoryState): Promise<string | null> {
    if (this.path === null || this.opened === null) return null;
    const present = identityOf(this.path);
    if (present === this.opened) return null;
    if (present === null) return 'its file is gone, and what is written now is lost at the next start';
    // Some disks give a file another number from time to time: one that has all we have is ours.
    if (await this.holds(open)) return null;
    return 'another file took its place, and what is written now is lost at the next start';
  }

  private async holds(open: HistoryState): Promise<boolean> {
    let other: DataSource | undefined;
    try {
      other = await openDataSource(this.databaseUrl, { entities: [] });
      const { installation, acceptance, marks } = open;
      const state = await readHistory(other);
      if (state.acceptance !== acceptance) return false;
      return (await findLoss(other, { installation, acceptances: [acceptance], marks }, state)) === null;
    } finally {
      await other?.destroy();
    }
  }
}

/** Null = there is no such file, or it cannot be looked at. */
function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}
