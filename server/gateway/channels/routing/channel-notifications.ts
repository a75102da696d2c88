import { Injectable, Logger } from '@nestjs/common';
import { AuditLog } from '../../../base/audit/audit-log.js';
import { LOG_TYPE } from '../../../base/logs/log.codes.js';
import { LogWriter } from '../../../base/logs/log-writer.js';
import { Notifier } from '../../../base/notifications/notifier.js';

/** An automatic change of a channel. */
export interface ChannelNotification {
  readonly channelId: number;
  /** `key`: one of its keys, reported in the log only. */
  readonly change: 'off' | 'on' | 'key';
  /** Line of the log, in full. */
  readonly content: string;
  /** Why it was switched off; a key that comes back has none. */
  readonly reason?: string;
}

/** Reports automatic changes to administrators: in the log, and to root by mail or webhook. */
@Injectable()
export class ChannelNotifications {
  private readonly logger = new Logger('ChannelNews');

  constructor(
    private readonly logs: LogWriter,
    private readonly audit: AuditLog,
    private readonly notifier: Notifier,
  ) {}

  async tell({ channelId, change, content, reason }: ChannelNotification): Promise<void> {
    const isOn = change === 'on' || (change === 'key' && reason === undefined);
    const side = isOn ? 'on' : 'off';
    this.logger.warn(content);
    if (change === 'off')
      this.notifier.notifyRoots({ kind: 'channel-off', channelId, reason: reason ?? content });
    if (change === 'on') this.notifier.notifyRoots({ kind: 'channel-on', channelId });
    await this.audit.record(null, {
      actorId: 0,
      actorRole: 0,
      targetType: 'channel',
      targetId: channelId,
      action: isOn ? 'channel.auto-on' : 'channel.auto-off',
      detail: { text: content, ...(reason === undefined ? {} : { reason }) },
    });
    await this.logs.write({
      type: LOG_TYPE.system,
      userId: 0,
      username: '',
      content,
      event: {
        code: change === 'key' ? `channel.key_${side}` : `channel.${side}`,
        channel_id: channelId,
        ...(reason === undefined ? {} : { reason }),
      },
      other: { admin_info: { channel_id: channelId } },
    });
  }

  /** A test run over all channels has ended. */
  notifyTestRun(tested: number, failed: number): void {
    this.notifier.notifyRoots({ kind: 'channel-test', tested, failed });
  }
}
