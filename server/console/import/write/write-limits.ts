import { insertImportedLimit } from '../../../base/limits/imported-limits.js';
import { zoneChanges } from '../../../base/limits/limit-zones.js';
import type { SourceLimit } from '../source/records.js';
import type { ImportContext, PreparedRow } from './import-context.js';
import { markOf } from './journal.js';
import type { RowKind } from '../report.js';

/** Kind of the row that a limit of a scope belongs to; groups have their names. */
const OWNERS: Readonly<Record<SourceLimit['scope'], RowKind | null>> = {
  token: 'token',
  account: 'user',
  channel: 'channel',
  call_group: null,
  everyone: null,
};

/** Writes the limits of a source, each once: what is changed here afterwards stays. */
export async function writeLimits(
  context: ImportContext,
  limits: readonly SourceLimit[],
  zone: string,
): Promise<void> {
  const { journal, counts, settings } = context;
  counts.limit.found = limits.length;
  const rows: PreparedRow[] = [];
  for (const limit of limits) {
    if (journal.find('limit', limit.sourceId) !== undefined) {
      counts.limit.unchanged += 1;
      continue;
    }
    const owner = OWNERS[limit.scope];
    const target = owner === null ? limit.subject : journal.targetOf(owner, limit.subject);
    if (!settings.isDryRun && target === undefined) {
      counts.limit.leftOut += 1;
      continue;
    }
    const { sourceId, ...columns } = limit;
    rows.push({
      sourceId,
      write: async (manager) => {
        const id = await insertImportedLimit(
          manager,
          { ...columns, subject: String(target) },
          { nowMs: settings.nowMs, zones: zoneChanges([], zone), actorId: settings.actorId },
        );
        return { targetId: id, mark: markOf({ ...limit }, ['used']), figures: {} };
      },
    });
  }
  if (settings.isDryRun) counts.limit.added = rows.length;
  else await context.writeAll('limit', 'limits', rows);
}
