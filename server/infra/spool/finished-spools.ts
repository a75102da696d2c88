import type { Dirent } from 'node:fs';
import { readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../common/clock.js';
import { DONE_SUFFIX, isSegment, QUARANTINE_FOLDER } from './spool-names.js';

/** Finished segments are kept for so long: after a restore from a backup they can be replayed. */
const RETENTION_MS = 7 * 24 * 60 * 60_000;
/** They take no more than this share of what the disk would have free without them; then the oldest go. */
const KEEP_SHARE = 1 / 4;
/** Never one that is younger: booking may not have come to it yet. */
const YOUNGEST_MS = 10 * 60_000;
/** Files looked at side by side. */
const LOOKS_AT_ONCE = 32;

interface FinishedSegment {
  readonly path: string;
  readonly bytes: number;
  readonly endedMs: number;
}

/**
 * Segments, of this worker and of those before it, whose calls are all booked. A busy gateway writes tens of gigabytes of them a day:
 * without an end they would fill the disk, and calls are refused when it is full.
 */
export class FinishedSpools {
  private kept: readonly FinishedSegment[] = [];
  private sweeping: Promise<void> | undefined;

  constructor(
    private readonly ports: {
      /** Folder of all spools of this instance. */
      readonly root: string;
      readonly clock: Clock;
      /** Free bytes of the disk; by default they are read from the file system. */
      readonly freeBytes?: () => Promise<number>;
      readonly onFault: (message: string, error: unknown) => void;
    },
  ) {}

  /** Size at the last sweep. */
  get bytes(): number {
    return this.kept.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** End of the oldest that is kept, in milliseconds since 1970: how far back a backup may be to lose nothing. */
  get oldestMs(): number | undefined {
    return this.kept[0]?.endedMs;
  }

  /** Never fails. */
  sweep(): Promise<void> {
    this.sweeping ??= this.removeOld()
      .catch((error: unknown) => this.ports.onFault('finished spools could not be looked through', error))
      .finally(() => {
        this.sweeping = undefined;
      });
    return this.sweeping;
  }

  private async removeOld(): Promise<void> {
    const segments = await this.list();
    segments.sort((a, b) => a.endedMs - b.endedMs);
    let bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
    const most = (bytes + (await this.freeBytes())) * KEEP_SHARE;
    const nowMs = this.ports.clock.nowMs();
    let removed = 0;
    for (const segment of segments) {
      const ageMs = nowMs - segment.endedMs;
      if (ageMs < YOUNGEST_MS || (ageMs < RETENTION_MS && bytes <= most)) break;
      await rm(segment.path, { force: true });
      bytes -= segment.bytes;
      removed += 1;
    }
    this.kept = segments.slice(removed);
  }

  private async list(): Promise<FinishedSegment[]> {
    const segments: FinishedSegment[] = [];
    const { root } = this.ports;
    for (const entry of await entriesOf(root)) {
      if (!entry.isDirectory() || entry.name === QUARANTINE_FOLDER) continue;
      const folder = join(root, entry.name);
      const isFinished = entry.name.endsWith(DONE_SUFFIX);
      const names = (await entriesOf(folder)).map(({ name }) => name);
      const paths = names
        .filter((name) => isFinishedSegment(name, isFinished))
        .map((name) => join(folder, name));
      for (let from = 0; from < paths.length; from += LOOKS_AT_ONCE) {
        const looks = await Promise.all(paths.slice(from, from + LOOKS_AT_ONCE).map(inspectSegment));
        segments.push(...looks.filter((segment) => segment !== undefined));
      }
      if (isFinished && paths.length === 0) await rm(folder, { recursive: true, force: true });
    }
    return segments;
  }

  private async freeBytes(): Promise<number> {
    if (this.ports.freeBytes !== undefined) return this.ports.freeBytes();
    const { bavail, bsize } = await statfs(this.ports.root);
    return bavail * bsize;
  }
}

/** In the folder of a worker that is through with everything, all segments are finished. */
const isFinishedSegment = (name: string, isAllFinished: boolean): boolean =>
  name.endsWith(DONE_SUFFIX)
    ? isSegment(name.slice(0, -DONE_SUFFIX.length))
    : isAllFinished && isSegment(name);

/** Other workers of the instance, and recovery, rename and remove as well. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  return undefinedIfMissing(readdir(folder, { withFileTypes: true })).then((entries) => entries ?? []);
}

async function inspectSegment(path: string): Promise<FinishedSegment | undefined> {
  const found = await undefinedIfMissing(stat(path));
  return found === undefined ? undefined : { path, bytes: found.size, endedMs: found.mtimeMs };
}

async function undefinedIfMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
