import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AuditVerb } from '../../base/audit/audit-actions.js';
import type { AuditDetail } from '../../base/audit/audit-members.js';
import { actorAndTarget } from '../../base/audit/actor-and-target.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import type { Actor } from '../../base/access/current-actor.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import { LOG_TYPE } from '../../base/logs/log.codes.js';
import { type AdminActionEvent, administratorIn } from '../../base/logs/log-event.js';
import { LogWriter } from '../../base/logs/log-writer.js';

const MINUTE_MS = 60_000;
/** Limits destructive actions of one administrator: a stolen account must not be able to empty the installation by script. */
const DESTRUCTIVE_ACTIONS = { limit: 60, windowMs: MINUTE_MS };
const DELETIONS_WINDOW_MS = 5 * MINUTE_MS;
const ALARMING_DELETIONS = 20;

/** An admin action in the log of its target: as text, and as facts. */
export interface AdminActionNote extends Omit<AdminActionEvent, 'code' | 'operator' | 'operator_id'> {
  readonly action: AuditVerb<'user'>;
  /** Text of the action, after "Administrator NAME". */
  readonly act: string;
}

interface Target {
  readonly id: number;
  readonly username: string;
}

/** Records of admin actions: a row of the audit log, and a line in the log of the account concerned. */
@Injectable()
export class UserRecords {
  private readonly logger = new Logger('Users');

  constructor(
    private readonly audit: AuditLog,
    private readonly logs: LogWriter,
    private readonly throttle: RateLimiter,
  ) {}

  /** Fails: DomainError `too_many_requests`. */
  async admitDestructive(actor: Actor): Promise<void> {
    await this.throttle.admit(`users:destructive:${actor.id}`, DESTRUCTIVE_ACTIONS);
  }

  /** @param manager  the transaction of the action, or null when it is over; call it last in there */
  async record(
    manager: EntityManager | null,
    actor: Actor,
    {
      action,
      target,
      detail,
    }: { readonly action: AuditVerb<'user'>; readonly target: Target; readonly detail: AuditDetail },
  ): Promise<void> {
    await this.audit.record(manager, {
      ...actorAndTarget(actor, target.id),
      action: `user.${action}`,
      detail: { username: target.username, ...detail },
    });
  }

  /** After the commit: the log may live in another database. */
  async note(actor: Actor, target: Target, { action, act, ...facts }: AdminActionNote): Promise<void> {
    await this.logs.write({
      type: LOG_TYPE.administration,
      userId: target.id,
      username: target.username,
      content: `${administratorIn(actor.username, actor.id)} ${act}`,
      event: { code: `user.${action}`, operator: actor.username, operator_id: actor.id, ...facts },
      other: { admin_info: { operator_id: actor.id, operator: actor.username } },
    });
  }

  /** Says so in the server's log when one administrator deletes many. */
  async countDeletion(actor: Actor): Promise<void> {
    const key = `users:deletions:${actor.id}`;
    await this.throttle.record(key, DELETIONS_WINDOW_MS);
    const recent = await this.throttle.count(key, DELETIONS_WINDOW_MS);
    if (recent > ALARMING_DELETIONS)
      this.logger.warn(`administrator ${actor.id} deleted ${recent} accounts within five minutes`);
  }
}
