import { sentence } from '../../../common/import-sentences/sentence.js';
import { IMPORTED_LINE } from '../../../base/billing/opening/imported-line.js';
import { insertImportedTask } from '../../../gateway/tasks/imported-tasks.js';
import type { SourceContents } from '../source/records.js';
import type { ImportContext, PreparedRow } from './import-context.js';
import { markOf } from './journal.js';

const TABLES = { drawing: 'midjourneys', task: 'tasks' } as const;

/** Writes finished drawings and tasks, each once, as history of accounts that are here. */
export async function writeTasks(
  context: ImportContext,
  { tasks, users }: Pick<SourceContents, 'tasks' | 'users'>,
): Promise<void> {
  const owners = new Set(users.map(({ sourceId }) => sourceId));
  const { journal, counts, settings } = context;
  for (const kind of ['drawing', 'task'] as const) {
    const rows: PreparedRow[] = [];
    const found = tasks.filter((task) => task.kind === kind);
    counts[kind].found = found.length;
    for (const task of found) {
      if (journal.find(kind, task.sourceId) !== undefined) {
        counts[kind].unchanged += 1;
        continue;
      }
      const userId = journal.targetOf('user', task.owner);
      if (settings.isDryRun ? !owners.has(task.owner) : userId === undefined) {
        counts[kind].leftOut += 1;
        context.note('left-out', TABLES[kind], task.sourceId, sentence('task_without_account'));
        continue;
      }
      rows.push({
        sourceId: task.sourceId,
        write: async (manager) => {
          const { sourceId, owner: _owner, channel, token, ...columns } = task;
          const targetId = await insertImportedTask(manager, columns, {
            requestId: `${IMPORTED_LINE}${journal.importId}-${kind}-${sourceId}`.slice(0, 36),
            userId: userId ?? 0,
            tokenId: journal.targetOf('token', token) ?? 0,
            channelId: journal.targetOf('channel', channel) ?? 0,
          });
          return { targetId, mark: markOf({ ...task }, []), figures: {} };
        },
      });
    }
    if (settings.isDryRun) counts[kind].added = rows.length;
    else await context.writeAll(kind, TABLES[kind], rows);
  }
}
