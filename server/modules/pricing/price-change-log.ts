import { Injectable } from '@nestjs/common';
import type { Actor } from '../auth/decorators/current-actor.js';
import { LOG_TYPE } from '../logs/log.codes.js';
import { LogWriter } from '../logs/log-writer.js';

/** Lines of the administration log about prices. */
@Injectable()
export class PriceChangeLog {
  constructor(private readonly logs: LogWriter) {}

  /** @param how  what was done, in the past tense. Nothing is written when nothing changed. */
  async write(actor: Actor, changed: readonly string[], how: string): Promise<void> {
    if (changed.length === 0) return;
    await this.logs.write({
      type: LOG_TYPE.administration,
      userId: actor.id,
      username: actor.username,
      content: `Administrator ${actor.username} (id ${actor.id}) ${how}: ${changed.join(', ')}`,
      other: { admin_info: { operator_id: actor.id, operator: actor.username } },
    });
  }
}
