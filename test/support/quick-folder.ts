import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning } from './real-servers.ts';

/** A file system in memory, on Linux. */
const MEMORY = '/dev/shm';
const GIBIBYTE = 2 ** 30;
const LEAST_FREE = { there: 6 * GIBIBYTE, inMemory: 12 * GIBIBYTE } as const;
/** Short: paths of sockets in it may have a hundred characters. */
const PREFIX = 'tg-';

/**
 * A new folder for what a test run throws away again, in memory where there is plenty: the databases of the integration tests are made,
 * filled and dropped by the hundred, which on a disk is a quarter of their time. Its owner removes it.
 */
export function quickFolder(): string {
  const base = hasRoomInMemory() ? MEMORY : tmpdir();
  removeAbandoned(base);
  const folder = mkdtempSync(join(base, `${PREFIX}${process.pid}-`));
  // PostgreSQL runs as another account and has to pass through.
  chmodSync(folder, 0o711);
  return folder;
}

function hasRoomInMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= LEAST_FREE.there && freemem() >= LEAST_FREE.inMemory;
  } catch {
    // Not Linux, or a container without it.
    return false;
  }
}

/** Removes folders of killed runs. */
function removeAbandoned(base: string): void {
  for (const name of readdirSync(base)) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner !== undefined && !isRunning(Number(owner)))
      rmSync(join(base, name), { recursive: true, force: true });
  }
}
