import { readdirSync, statSync } from 'node:fs';
import { parseDatabaseUrl } from '../database/database-url.js';

/** Linux lists the open files of this process here. */
const OPEN_FILES = '/proc/self/fd';

/**
 * Notices that another file lies where the database of the running process was: a process goes on with the one it opened, until it ends.
 * The other file is not opened: SQLite would carry over to it what waits in the `-wal` of this one.
 */
export class ReplacedDatabaseFile {
  private readonly path: string | null;
  private readonly opened: string | null;

  constructor(databaseUrl: string) {
    const address = parseDatabaseUrl(databaseUrl);
    this.path = address.dialect === 'sqlite' && address.path !== ':memory:' ? address.path : null;
    this.opened = this.path === null ? null : identityOf(this.path);
  }

  /** @returns a sentence about it; null = it is the same */
  look(): string | null {
    if (this.path === null || this.opened === null) return null;
    const present = identityOf(this.path);
    if (present === this.opened) return null;
    if (present === null) return 'its file is gone, and what is written now is lost at the next start';
    // Some disks give a file another number from time to time: the one we have open has it as well then.
    if (isOpenHere(present)) return null;
    return 'another file took its place, and what is written now is lost at the next start';
  }
}

/** Null = there is no such file, or it cannot be looked at. */
function identityOf(path: string): string | null {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

function isOpenHere(identity: string): boolean {
  try {
    return readdirSync(OPEN_FILES).some((name) => identityOf(`${OPEN_FILES}/${name}`) === identity);
  } catch {
    // No such list: elsewhere files keep their numbers.
    return false;
  }
}
