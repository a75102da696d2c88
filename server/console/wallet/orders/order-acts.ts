import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../../../base/access/current-actor.js';
import { AuditLog } from '../../../base/audit/audit-log.js';
import type { AuditDetail } from '../../../base/audit/audit-members.js';
import { AdministratorQuota } from '../../../base/users/administrator-quota.js';
import type { TopUpEntity } from './top-up.entity.js';

/** Bounds and records what administrators do with orders, in the transaction of the act. */
@Injectable()
export class OrderActs {
  constructor(
    private readonly allowance: AdministratorQuota,
    private readonly audit: AuditLog,
  ) {}

  /** Fails: DomainError `administrator_daily_limit`. */
  async completed(
    manager: EntityManager,
    actor: Actor,
    order: TopUpEntity,
    detail: AuditDetail,
  ): Promise<void> {
    await this.allowance.count(manager, actor, order.quotaToCredit);
    await this.record(manager, actor, order, 'complete', detail);
  }

  async refunded(
    manager: EntityManager,
    actor: Actor,
    order: TopUpEntity,
    detail: AuditDetail,
  ): Promise<void> {
    await this.record(manager, actor, order, 'refund', detail);
  }

  private async record(
    manager: EntityManager,
    actor: Actor,
    order: TopUpEntity,
    verb: 'complete' | 'refund',
    detail: AuditDetail,
  ): Promise<void> {
    await this.audit.record(manager, {
      actorId: actor.id,
      actorRole: actor.role,
      action: `order.${verb}` as const,
      targetType: 'order' as const,
      targetId: order.tradeNo,
      detail,
    });
  }
}
