import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUARANTINE_FOLDER } from './spool-names.js';

/** Keeps data that could not be booked for a person to examine. */
export function quarantine(root: string, name: string, content: Buffer | string): void {
  writeFileSync(join(openQuarantine(root), name), content, { mode: 0o600 });
}

/** The same with a whole file, which is gone from where it was. */
export function quarantineFile(root: string, name: string, path: string): void {
  renameSync(path, join(openQuarantine(root), name));
}

function openQuarantine(root: string): string {
  const folder = join(root, QUARANTINE_FOLDER);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}
