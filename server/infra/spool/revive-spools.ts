import { existsSync, readdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DONE_SUFFIX, isSegment, QUARANTINE_FOLDER } from './spool-names.js';

/**
 * Makes finished spools unread again, so that the next adoption books what a restored database does not have; what it has is
 * skipped. Only while no worker runs on this folder.
 * @returns how many segments will be read
 */
export function reviveSpools(root: string): number {
  if (!existsSync(root)) return 0;
  let segments = 0;
  for (const name of readdirSync(root)) {
    const folder = join(root, name);
    if (name === QUARANTINE_FOLDER || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) continue;
    for (const entry of readdirSync(folder)) {
      const segment = entry.endsWith(DONE_SUFFIX) ? entry.slice(0, -DONE_SUFFIX.length) : entry;
      if (!isSegment(segment)) continue;
      if (segment !== entry) renameSync(join(folder, entry), join(folder, segment));
      segments += 1;
    }
    const unread = name.endsWith(DONE_SUFFIX) ? name.slice(0, -DONE_SUFFIX.length) : name;
    if (unread !== name && !existsSync(join(root, unread))) renameSync(folder, join(root, unread));
  }
  return segments;
}
