import { describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { AuditLog } from '../../../base/audit/audit-log.js';
import type { Notifier } from '../../../base/notifications/notifier.js';
import type { LogWriter } from '../../../base/logs/log-writer.js';
import { type ChannelNotification, ChannelNotifications } from './channel-notifications.js';

async function told(change: ChannelNotification['change'], reason?: string): Promise<unknown[]> {
  const done: unknown[] = [];
  const notifications = new ChannelNotifications(
    {
      write: async ({ event }: { event: { code: string } }) => void done.push(event.code),
    } as unknown as LogWriter,
    {
      record: async (_manager: unknown, { action }: { action: string }) => void done.push(action),
    } as unknown as AuditLog,
    { notifyRoots: ({ kind }: { kind: string }) => void done.push(`root: ${kind}`) } as unknown as Notifier,
  );
  Logger.overrideLogger(false);
  await notifications.tell({
    channelId: 1,
    change,
    content: 'text',
    ...(reason === undefined ? {} : { reason }),
  });
  Logger.overrideLogger(['log', 'warn', 'error', 'fatal']);
  return done;
}

describe('ChannelNotifications', () => {
  it.each<[ChannelNotification['change'], string | undefined, readonly string[]]>([
    ['off', 'refused', ['root: channel-off', 'channel.auto-off', 'channel.off']],
    ['on', undefined, ['root: channel-on', 'channel.auto-on', 'channel.on']],
    ['key', 'refused', ['channel.auto-off', 'channel.key_off']],
    ['key', undefined, ['channel.auto-on', 'channel.key_on']],
  ])('reports a change %s for the reason %s', async (change, reason, acts) => {
    expect(await told(change, reason)).toEqual(acts);
  });
});
