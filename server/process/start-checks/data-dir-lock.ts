import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isProcessGone, ownIdentity, type ProcessIdentity } from '../../infra/spool/spool-owner.js';
import { StartRefusal } from '../../common/errors/start-refusal.js';
import { parseJson } from '../../common/parse-json.js';

const LOCK_FILE = 'instance.lock';
/** A living holder of the lock touches it this often, */
const TOUCH_EVERY_MS = 10_000;
/** so that from another host one that was not touched for so long is known to be left over. */
const STALE_MS = 60_000;
const CHECK_INTERVAL_MS = 1_000;

/** This instance's hold on its DATA_DIR. */
export interface DataDirLock {
  release(): void;
}

/**
 * Makes sure that no other instance works in the same folder: two would take each other's spools for those of the dead, and
 * share one SQLite file without knowing of each other.
 * Fails: StartRefusal naming the other one.
 */
export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const path = join(dataDir, LOCK_FILE);
  const own = JSON.stringify(ownIdentity());
  while (!isTaken(path, own)) {
    const other = readIdentity(path);
    if (other !== undefined && !(await isLeftOver(path, other)))
      throw new StartRefusal(inUse(dataDir, other));
    removeLock(path, other);
  }
  const touching = setInterval(() => touch(path), TOUCH_EVERY_MS).unref();
  const release = (): void => {
    clearInterval(touching);
    if (readText(path) === own) rmSync(path, { force: true });
  };
  return { release };
}

function isTaken(path: string, own: string): boolean {
  try {
    writeFileSync(path, own, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Checks the process itself on this machine, and the file's modification time for one on another machine. */
async function isLeftOver(path: string, other: ProcessIdentity): Promise<boolean> {
  const isGone = isProcessGone(other);
  if (isGone !== undefined) return isGone;
  const touchedMs = touchedAt(path);
  while (touchedMs !== undefined && Date.now() - touchedMs < STALE_MS) {
    await delay(CHECK_INTERVAL_MS);
    if (touchedAt(path) !== touchedMs) return touchedAt(path) === undefined;
  }
  return true;
}

/** Moved away first: of two starts that find the same left-over lock only one moves it, and neither removes the other's new one. */
function removeLock(path: string, other: ProcessIdentity | undefined): void {
  const grave = `${path}.${process.pid}`;
  try {
    renameSync(path, grave);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = readText(grave);
  rmSync(grave, { force: true });
  // Another start was faster and this is its lock: it goes back, and the next turn refuses.
  if (moved !== undefined && other !== undefined && moved !== JSON.stringify(other)) isTaken(path, moved);
}

function readIdentity(path: string): ProcessIdentity | undefined {
  const text = readText(path);
  // A partial file counts as none: its writer died on the way.
  return text === undefined ? undefined : (parseJson(text) as ProcessIdentity | undefined);
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

const touchedAt = (path: string): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;

function touch(path: string): void {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Removed by hand, or the disk is away: the lock is a courtesy to the next start, and no reason to stop serving.
  }
}

const inUse = (dataDir: string, { host, pid }: ProcessIdentity): string =>
  `DATA_DIR: ${dataDir} is in use by another instance (process ${pid} on ${host}). ` +
  'Stop that one first, or give this one a folder of its own.';
