import { sentence } from '../../../common/import-sentences/sentence.js';
import { moveChannel, openChannel } from '../../../base/billing/opening/opening-money.js';
import { importedChannel, insertImportedChannel } from '../../../gateway/channels/admin/imported-channels.js';
import type { SourceChannel } from '../source/records.js';
import type { ImportContext, PreparedRow } from './import-context.js';
import { markOf } from './journal.js';

const FIGURES = ['usedQuota', 'testTime', 'responseTime', 'balance', 'balanceUpdatedTime', 'channelInfo'];

/** Writes the channels of a source: new ones, and the use of those that were imported before. */
export async function writeChannels(
  context: ImportContext,
  channels: readonly SourceChannel[],
): Promise<void> {
  const { journal, counts, settings } = context;
  counts.channel.found = channels.length;
  const rows: PreparedRow[] = [];
  const moved: PreparedRow[] = [];
  for (const channel of channels) {
    const entry = journal.find('channel', channel.sourceId);
    if (entry === undefined) {
      rows.push(prepareChannel(context, channel));
      continue;
    }
    if (markOf({ ...channel }, FIGURES) !== entry.mark)
      context.note('changed', 'channels', channel.sourceId, sentence('changed_use_follows'));
    const used = channel.usedQuota - (entry.figures['usedQuota'] ?? 0);
    if (used === 0) {
      counts.channel.unchanged += 1;
      continue;
    }
    moved.push({
      sourceId: channel.sourceId,
      write: async (manager) => {
        await moveChannel(manager, entry.targetId, used, context.origin('channel', entry.targetId));
        return { ...entry, figures: { usedQuota: channel.usedQuota } };
      },
    });
  }
  if (settings.isDryRun) {
    counts.channel.added = rows.length;
    counts.channel.moved = moved.length;
    return;
  }
  await context.writeAll('channel', 'channels', rows);
  counts.channel.moved = moved.length;
  await context.writeAll('channel', 'channels', moved);
}

function prepareChannel(context: ImportContext, foreign: SourceChannel): PreparedRow {
  const { settings, tools } = context;
  const { channel, reasons } = importedChannel(foreign, Math.floor(settings.nowMs / 1_000));
  for (const reason of reasons)
    context.note(
      'channel-off',
      'channels',
      foreign.sourceId,
      sentence('channel_reason', { name: foreign.name, reason }),
    );
  return {
    sourceId: foreign.sourceId,
    write: async (manager) => {
      const id = await insertImportedChannel(manager, tools.secrets, {
        channel,
        key: foreign.key,
        number: settings.keepsNumbers ? foreign.number : null,
      });
      await openChannel(manager, id, foreign.usedQuota, context.origin('channel', id));
      context.noteNumber('channel', foreign.number, foreign.sourceId, id);
      return {
        targetId: id,
        mark: markOf({ ...foreign }, FIGURES),
        figures: { usedQuota: foreign.usedQuota },
      };
    },
  };
}
