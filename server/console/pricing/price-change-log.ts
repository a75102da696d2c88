import { Injectable } from '@nestjs/common';
import type { Actor } from '../../base/access/current-actor.js';
import { type AdminActionEvent, administratorIn } from '../../base/logs/log-event.js';
import { LOG_TYPE } from '../../base/logs/log.codes.js';
import { LogWriter } from '../../base/logs/log-writer.js';

export interface PriceChange {
  /** Options that changed. */
  readonly changed: readonly string[];
  /** Description of the action, in the past tense. */
  readonly how: string;
  /** The saved version that was gone back to. */
  readonly back?: Pick<AdminActionEvent, 'side' | 'version_id'>;
}

/** Lines of the administration log about prices. */
@Injectable()
export class PriceChangeLog {
  constructor(private readonly logs: LogWriter) {}

  /** Nothing is written when nothing changed. */
  async write(actor: Actor, { changed, how, back }: PriceChange): Promise<void> {
    if (changed.length === 0) return;
    await this.logs.write({
      type: LOG_TYPE.administration,
      userId: actor.id,
      username: actor.username,
      content: `${administratorIn(actor.username, actor.id)} ${how}: ${changed.join(', ')}`,
      event: {
        code: 'option.change',
        operator: actor.username,
        operator_id: actor.id,
        members: changed,
        ...back,
      },
      other: { admin_info: { operator_id: actor.id, operator: actor.username } },
    });
  }
}
