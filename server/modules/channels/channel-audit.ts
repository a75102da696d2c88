import { Injectable } from '@nestjs/common';
import type { Actor } from '../auth/decorators/current-actor.js';
import { LOG_TYPE } from '../logs/log.codes.js';
import { LogWriter } from '../logs/log-writer.js';

/** One log line of type 3 for every administrative change of channels (LOG-8): what and to which, never a value. */
@Injectable()
export class ChannelAudit {
  constructor(private readonly writer: LogWriter) {}

  async note(
    actor: Actor,
    action: string,
    text: string,
    details: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    await this.writer.write({
      type: LOG_TYPE.administration,
      userId: actor.id,
      username: actor.username,
      content: text,
      other: { admin_info: { action, ...details } },
    });
  }
}
