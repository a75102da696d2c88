import { statfsSync } from 'node:fs';
import { StartRefusal } from '../../common/errors/start-refusal.js';

const MEGABYTE = 1024 * 1024;
/** Less than this is not enough to write down a single minute of calls. */
const MIN_FREE_BYTES = 16 * MEGABYTE;

/**
 * Charges are written to DATA_DIR before a client sees the end of its answer.
 * @param freeBytes  what is free there, for tests
 * Fails: StartRefusal when there is no room for them.
 */
export function checkDiskSpace(dataDir: string, freeBytes = freeBytesOf(dataDir)): void {
  if (freeBytes >= MIN_FREE_BYTES) return;
  throw new StartRefusal(
    `DATA_DIR: only ${(freeBytes / MEGABYTE).toFixed(1)} MB are free on the disk of ${dataDir}, and charges are written there. ` +
      `Make room (at least ${MIN_FREE_BYTES / MEGABYTE} MB, better 1 GB) or name a folder on another disk.`,
  );
}

/** Space for this user: the reserve of root is not counted. */
function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}
