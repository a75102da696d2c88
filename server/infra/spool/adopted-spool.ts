import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { quarantine } from './quarantine.js';
import { installationIn } from './spool-installation.js';
import { DONE_SUFFIX, isSegment, QUARANTINE_FOLDER } from './spool-names.js';
import { isOwnerDead, writeSpoolOwner } from './spool-owner.js';
import { decodeSegment, type SpoolRecord } from './spool-record.js';

const ADOPTED_MARK = '~';

export interface AdoptedRecord extends SpoolRecord {
  /** It is in a segment that does not name its installation: a version before wrote it. */
  readonly isUnnamed?: true;
}

export interface ForeignSegment {
  readonly name: string;
  readonly installation: string;
}

/** The spool of a dead worker, now ours to book. */
export interface AdoptedSpool {
  /** Boot id of the worker that wrote it. */
  readonly bootId: string;
  readonly records: readonly AdoptedRecord[];
  /** Segments of other installations, by their names in the quarantine folder: nothing of them is among the records. */
  readonly foreignSegments: readonly ForeignSegment[];
  /** Damaged stretches, copied to the quarantine folder; worth an alert. */
  readonly damagedBytes: number;
  /** Everything is booked: it need not be read again. */
  finish(): void;
}

/**
 * Takes over the spools of dead workers, one at a time. Of two that try, the rename lets exactly one have it.
 * @param own  boot id of this worker, and the installation whose segments it may book
 * @param isDeadElsewhere  decides about workers of other hosts, by their heartbeat
 */
export async function* adoptSpools(
  root: string,
  own: { readonly bootId: string; readonly installation: string },
  isDeadElsewhere: (bootId: string) => Promise<boolean>,
): AsyncIterable<AdoptedSpool> {
  if (!existsSync(root)) return;
  const { bootId: ownBootId, installation } = own;
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
    if (adopted !== undefined) yield readSpool(root, adopted, { bootId, installation });
  }
}

function take(root: string, name: string, newName: string): string | undefined {
  const folder = join(root, newName);
  try {
    if (name !== newName) renameSync(join(root, name), folder);
    writeSpoolOwner(folder);
    return folder;
  } catch (error) {
    // Another worker was faster.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function readSpool(
  root: string,
  folder: string,
  { bootId, installation }: { readonly bootId: string; readonly installation: string },
): AdoptedSpool {
  const records: AdoptedRecord[] = [];
  const foreignSegments: ForeignSegment[] = [];
  let damagedBytes = 0;
  for (const name of readdirSync(folder).filter(isSegment).sort()) {
    const bytes = readFileSync(join(folder, name));
    const content = decodeSegment(bytes);
    const stranger = splitByInstallation(content.records, installation, records);
    if (stranger !== undefined) {
      foreignSegments.push({ name: `${bootId}-${name}`, installation: stranger });
      quarantine(root, `${bootId}-${name}`, bytes);
    }
    for (const { offset, bytes: damaged } of content.damages) {
      damagedBytes += damaged.length;
      quarantine(root, `${bootId}-${name}-${offset}.bin`, damaged);
    }
  }
  const finish = (): void => {
    const done = join(root, `${bootId}${DONE_SUFFIX}`);
    if (existsSync(done)) rmSync(folder, { recursive: true, force: true });
    else renameSync(folder, done);
  };
  return { bootId, records, foreignSegments, damagedBytes, finish };
}

/** Adds what is ours of a segment. @returns the other installation it names, undefined when it names none */
function splitByInstallation(
  segment: readonly SpoolRecord[],
  installation: string,
  ours: AdoptedRecord[],
): string | undefined {
  let named: string | undefined;
  let stranger: string | undefined;
  for (const record of segment) {
    const heading = installationIn(record);
    if (heading !== undefined) {
      named = heading;
      if (heading !== installation) stranger = heading;
    } else if (named === undefined) ours.push({ ...record, isUnnamed: true });
    else if (named === installation) ours.push(record);
  }
  return stranger;
}
