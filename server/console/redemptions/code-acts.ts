import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../../base/access/current-actor.js';
import { ROLE } from '../../base/access/user.codes.js';
import type { AuditVerb } from '../../base/audit/audit-actions.js';
import { AuditLog } from '../../base/audit/audit-log.js';
import type { AuditDetail, AuditMember } from '../../base/audit/audit-members.js';
import type { AuditValue } from '../../base/audit/canonical-json.js';
import { AdministratorQuota } from '../../base/users/administrator-quota.js';
import { REDEMPTION_STATUS } from './redemption.codes.js';
import type { RedemptionEntity } from './redemption.entity.js';
import { type RedemptionChanges, RedemptionsRepository } from './redemptions.repository.js';

type Redeemable = Pick<RedemptionEntity, 'quota' | 'status' | 'expiredTime'>;

/** Bounds and records each act on redemption codes, in the transaction of the act. */
@Injectable()
export class CodeActs {
  constructor(
    private readonly allowance: AdministratorQuota,
    private readonly codes: RedemptionsRepository,
    private readonly audit: AuditLog,
  ) {}

  /** Fails: DomainError `redemption_worth_too_large`, `administrator_daily_limit`. */
  async created(
    manager: EntityManager,
    actor: Actor,
    batch: {
      readonly name: string;
      readonly quota: number;
      readonly count: number;
      readonly expired_time: number;
    },
  ): Promise<void> {
    const worth = batch.quota * batch.count;
    this.allowance.assertAtOnce(actor, worth, 'redemption_worth_too_large');
    await this.allowance.count(manager, actor, worth);
    await this.record(manager, actor, 'create', batch.name, batch);
  }

  /**
   * Counts what the change makes redeemable: a raise, and the whole quota of a code that was disabled or expired.
   * @param before  the row, locked, as it was
   * Fails: DomainError `redemption_worth_too_large`, `administrator_daily_limit`.
   */
  async changed(
    manager: EntityManager,
    actor: Actor,
    act: {
      readonly action: AuditVerb<'redemption'>;
      readonly before: RedemptionEntity;
      readonly changes: RedemptionChanges;
      readonly nowSeconds: number;
    },
  ): Promise<void> {
    const { action, before, changes, nowSeconds } = act;
    const worth = redeemableQuota({ ...before, ...changes }, nowSeconds);
    const added = worth - redeemableQuota(before, nowSeconds);
    const raised = (changes.quota ?? before.quota) - before.quota;
    if (added > 0 || raised > 0)
      this.allowance.assertAtOnce(actor, changes.quota ?? before.quota, 'redemption_worth_too_large');
    if (actor.id !== before.userId) await this.codes.addEditor(manager, before.id, actor.id);
    await this.allowance.count(manager, actor, Math.max(added, raised));
    await this.record(manager, actor, action, before.id, differences(before, changes));
  }

  /** One row of the audit log for an act on several codes. */
  async recordMany(
    manager: EntityManager,
    actor: Pick<Actor, 'id' | 'role'>,
    verb: AuditVerb<'redemption'>,
    ids: readonly number[],
  ): Promise<void> {
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) await this.record(manager, actor, verb, only);
    else await this.record(manager, actor, verb, '', { ids: [...ids] });
  }

  async record(
    manager: EntityManager,
    actor: Pick<Actor, 'id' | 'role'>,
    verb: AuditVerb<'redemption'>,
    targetId: number | string,
    detail?: AuditDetail,
  ): Promise<void> {
    await this.audit.record(manager, {
      actorId: actor.id,
      actorRole: actor.role,
      action: `redemption.${verb}` as const,
      targetType: 'redemption' as const,
      targetId,
      ...(detail === undefined ? {} : { detail }),
    });
  }
}

/** Quota an account would get for the code now; 0 for a code that is not unused or has expired. */
export const redeemableQuota = ({ quota, status, expiredTime }: Redeemable, nowSeconds: number): number =>
  status === REDEMPTION_STATUS.unused && (expiredTime === 0 || expiredTime > nowSeconds) ? quota : 0;

/** Old and new of each column that got another value. */
function differences(before: RedemptionEntity, changes: RedemptionChanges) {
  const changed: Partial<Record<AuditMember, { before: AuditValue; now: AuditValue }>> = {};
  for (const column of Object.keys(changes) as (keyof RedemptionChanges)[])
    if (changes[column] !== before[column])
      changed[column] = { before: before[column], now: changes[column] ?? null };
  return changed;
}

/** The maker of a code and the accounts that changed it redeem it only as root. */
export const mayRedeem = (
  actor: Pick<Actor, 'id' | 'role'>,
  code: { readonly makerId: number; readonly isEditor: boolean },
): boolean => actor.role >= ROLE.root || (actor.id !== code.makerId && !code.isEditor);
