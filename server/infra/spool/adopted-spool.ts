import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DONE_SUFFIX, isSegment, QUARANTINE_FOLDER } from './spool-names.js';
import { isOwnerDead, writeSpoolOwner } from './spool-owner.js';
import { decodeSegment, type SpoolRecord } from './spool-record.js';

const ADOPTED_MARK = '~';

/** The spool of a dead worker, now ours to book. */
export interface AdoptedSpool {
  /** Boot id of the worker that wrote it. */
  readonly bootId: string;
  readonly records: readonly SpoolRecord[];
  /** Damaged stretches, copied to the quarantine folder; worth an alert. */
  readonly damagedBytes: number;
  /** Everything is booked: nobody needs to read it again. */
  finish(): void;
}

/**
 * Takes over the spools of dead workers, one at a time. Of two that try, the rename lets exactly one have it.
 * @param isDeadElsewhere  decides about workers of other hosts, by their heartbeat
 */
export async function* adoptSpools(
  root: string,
  ownBootId: string,
  isDeadElsewhere: (bootId: string) => Promise<boolean>,
): AsyncIterable<AdoptedSpool> {
  if (!existsSync(root)) return;
  for (const name of readdirSync(root)) {
    const folder = join(root, name);
    if (name === ownBootId || name.endsWith(DONE_SUFFIX) || name === QUARANTINE_FOLDER) continue;
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) continue;
    const bootId = name.split(ADOPTED_MARK)[0] ?? name;
    // One that was ours to book and could not be put in order yet is ours still.
    const isOurs = name.endsWith(`${ADOPTED_MARK}${ownBootId}`);
    const isDead = isOurs || (isOwnerDead(folder, join(root, ownBootId)) ?? (await isDeadElsewhere(bootId)));
    if (!isDead) continue;
    const adopted = take(root, name, `${bootId}${ADOPTED_MARK}${ownBootId}`);
    if (adopted !== undefined) yield readSpool(root, adopted, bootId);
  }
}

function take(root: string, name: string, newName: string): string | undefined {
  const folder = join(root, newName);
  try {
    if (name !== newName) renameSync(join(root, name), folder);
    writeSpoolOwner(folder);
    return folder;
  } catch (error) {
    // Somebody else was faster.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function readSpool(root: string, folder: string, bootId: string): AdoptedSpool {
  const records: SpoolRecord[] = [];
  let damagedBytes = 0;
  for (const name of readdirSync(folder).filter(isSegment).sort()) {
    const content = decodeSegment(readFileSync(join(folder, name)));
    for (const record of content.records) records.push(record);
    for (const { offset, bytes } of content.damages) {
      damagedBytes += bytes.length;
      quarantine(root, `${bootId}-${name}-${offset}.bin`, bytes);
    }
  }
  const finish = (): void => {
    const done = join(root, `${bootId}${DONE_SUFFIX}`);
    if (existsSync(done)) rmSync(folder, { recursive: true, force: true });
    else renameSync(folder, done);
  };
  return { bootId, records, damagedBytes, finish };
}

/** Keeps something nobody could book for a person to look at. */
export function quarantine(root: string, name: string, content: Buffer | string): void {
  const folder = join(root, QUARANTINE_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, name), content, { mode: 0o600 });
}
