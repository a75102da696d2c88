import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../../base/access/current-actor.js';
import type { AuditVerb } from '../../base/audit/audit-actions.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import type { AuditDetail } from '../../base/audit/audit-members.js';
import type { LimitEntity } from '../../base/limits/limit.entity.js';
import { bumpRevision } from '../../infra/events/bump-revision.js';
import { Revisions } from '../../infra/events/revisions.js';
import { RateLimiter } from '../../infra/rate-limit/rate-limiter.js';
import type { LimitColumns } from './limits.repository.js';

/** Changes of limits by one account. */
const RATE = { limit: 120, windowMs: 60_000 };

const CHANGEABLE = [
  'name',
  'amount',
  'action',
  'fallbackModel',
  'warnAt',
  'admitUnknown',
  'enabled',
] as const;
type Changeable = Pick<LimitColumns, (typeof CHANGEABLE)[number]>;
const MEMBERS = {
  name: 'name',
  amount: 'amount',
  action: 'action',
  fallbackModel: 'fallback_model',
  warnAt: 'warn_at',
  admitUnknown: 'admit_unknown',
  enabled: 'enabled',
} as const satisfies Readonly<Record<(typeof CHANGEABLE)[number], string>>;

/** Records of changes of limits: rows of the audit log, and the notice to every process that keeps limits. */
@Injectable()
export class LimitRecords {
  constructor(
    private readonly audit: AuditLog,
    private readonly revisions: Revisions,
    private readonly throttle: RateLimiter,
  ) {}

  /** Fails: too_many_requests. */
  async admit(actor: Actor): Promise<void> {
    await this.throttle.admit(`limits:${actor.id}`, RATE);
  }

  /** Counts the change, first in its transaction: changes of limits happen one after the other. */
  begin(manager: EntityManager): Promise<void> {
    return bumpRevision(manager, 'limits');
  }

  /** @param manager  the transaction of the act; call it last in there */
  async record(
    manager: EntityManager,
    actor: Actor,
    verb: AuditVerb<'limit'>,
    limit: Pick<LimitEntity, 'id' | 'name'>,
    detail: AuditDetail = {},
  ): Promise<void> {
    await this.audit.record(manager, {
      actorId: actor.id,
      actorRole: actor.role,
      action: `limit.${verb}`,
      targetType: 'limit',
      targetId: limit.id,
      detail: { name: limit.name, ...detail },
    });
  }

  /** After the commit: every process reads the limits again. */
  publish(): Promise<void> {
    return this.revisions.publishChange('limits');
  }
}

/** A new or deleted limit, for the audit log. */
export const describeLimit = (limit: LimitColumns): AuditDetail => ({
  scope: limit.scope,
  subject: limit.subject,
  account_id: limit.accountId,
  model: limit.model,
  measure: limit.measure,
  amount: limit.amount,
  period: limit.period,
  action: limit.action,
  fallback_model: limit.fallbackModel,
  warn_at: limit.warnAt,
  enabled: limit.enabled,
});

/** Old and new of the columns that change. */
export function describeChanges(before: Changeable, changes: Partial<Changeable>): AuditDetail {
  const changed = CHANGEABLE.filter(
    (column) => changes[column] !== undefined && changes[column] !== before[column],
  );
  return Object.fromEntries(
    changed.flatMap((column) => [
      [`${MEMBERS[column]}_before`, before[column]],
      [`${MEMBERS[column]}_after`, changes[column]],
    ]),
  ) as AuditDetail;
}
