import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

const OWNER_FILE = 'owner.json';

/** Distinguishes one process from all others, also from a later one with the same id. */
export interface ProcessIdentity {
  readonly host: string;
  readonly pid: number;
  /** Start of the process, in kernel ticks; null when the kernel does not report it. */
  readonly startedAt: string | null;
}

/** Identity of this process. */
export function ownIdentity(): ProcessIdentity {
  return { host: hostname(), pid: process.pid, startedAt: processStart(process.pid) };
}

/** Notes who writes into a spool folder. */
export function writeSpoolOwner(folder: string): void {
  writeFileSync(join(folder, OWNER_FILE), JSON.stringify(ownIdentity()), { mode: 0o600 });
}

/**
 * True when the process that wrote a spool folder is certainly gone.
 * @returns undefined when this machine cannot decide (another host wrote it): then the heartbeat decides
 */
export function isOwnerDead(folder: string, ownBootFolder: string): boolean | undefined {
  if (folder === ownBootFolder) return false;
  const owner = readOwner(folder);
  return owner === undefined ? true : isProcessGone(owner);
}

/**
 * True when a process, other than this one, has ended.
 * @returns undefined when this machine cannot decide
 */
export function isProcessGone(owner: ProcessIdentity): boolean | undefined {
  if (owner.host !== hostname()) return undefined;
  // Our own number with another boot id: a restarted container, where every process is number 1.
  if (owner.pid === process.pid)
    return owner.startedAt !== processStart(process.pid) || owner.startedAt === null;
  if (!isRunning(owner.pid)) return true;
  const startedAt = processStart(owner.pid);
  return startedAt !== null && owner.startedAt !== null ? startedAt !== owner.startedAt : undefined;
}

function readOwner(folder: string): ProcessIdentity | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, OWNER_FILE), 'utf8')) as ProcessIdentity;
  } catch (error) {
    // No file, or half of one: the process died while it started and had not served any call yet.
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // One that ended and whose parent has not asked for it yet still has its number.
    return !ENDED_STATES.has(statOf(pid)?.[0] ?? '');
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Zombie, dead. */
const ENDED_STATES = new Set(['Z', 'X']);

/** Start of a process: distinguishes it from a later one with the same id. */
const processStart = (pid: number): string | null => statOf(pid)?.[19] ?? null;

/** Fields of /proc/PID/stat from the third on, the state; undefined where this is not Linux, or it is gone. */
function statOf(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
