import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { Clock } from '../../common/clock.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import type { Actor } from '../../base/access/current-actor.js';
import { LOG_TYPE } from '../../base/logs/log.codes.js';
import { LogWriter } from '../../base/logs/log-writer.js';
import { LogsRepository } from '../../base/logs/logs.repository.js';

/** Deleting from the usage log by hand. */
@Injectable()
export class LogDeletion {
  constructor(
    private readonly logs: LogsRepository,
    private readonly writer: LogWriter,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /**
   * Deletes calls and failures older than a moment, in portions, until done or the client disconnects. Top-ups, administration and
   * system lines stay.
   */
  async deleteBefore(actor: Actor, beforeSeconds: number, isAbandoned: () => boolean): Promise<number> {
    if (beforeSeconds > this.clock.nowMs() / 1000)
      throw new DomainError('invalid_input', {
        field: 'target_timestamp',
        problem: ' (must be in the past)',
      });
    let deleted = 0;
    for (;;) {
      const portion = await this.logs.deletePortion([LOG_TYPE.consumption, LOG_TYPE.error], beforeSeconds);
      deleted += portion;
      if (portion === 0 || isAbandoned()) break;
    }
    await this.audit.record(null, {
      actorId: actor.id,
      actorRole: actor.role,
      action: 'log.delete',
      targetType: 'log',
      targetId: '',
      detail: { before: beforeSeconds, count: deleted },
    });
    await this.writer.write({
      type: LOG_TYPE.administration,
      userId: actor.id,
      username: actor.username,
      content: `Deleted ${deleted} log lines older than ${new Date(beforeSeconds * 1000).toISOString()}`,
      event: {
        code: 'log.delete',
        operator: actor.username,
        operator_id: actor.id,
        before: beforeSeconds,
        count: deleted,
      },
      other: { admin_info: { action: 'log.delete', before: beforeSeconds, count: deleted } },
    });
    return deleted;
  }
}
