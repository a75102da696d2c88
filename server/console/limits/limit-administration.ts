import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { cleanLine } from '../../common/text.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import type { Actor } from '../../base/access/current-actor.js';
import { LimitCache } from '../../base/limits/limit-cache.js';
import { LimitOpenings } from '../../base/limits/limit-openings.js';
import type { LimitEntity } from '../../base/limits/limit.entity.js';
import type { LimitCreate, LimitEdit, LimitPreview } from './dto/limit.dto.js';
import { LimitPermissions } from './limit-permissions.js';
import { describeChanges, describeLimit, LimitRecords } from './limit-records.js';
import {
  checkAction,
  checkAmount,
  checkCountedCalls,
  checkFallback,
  checkLimitName,
  checkWarnAt,
  type CountedCalls,
  type FallbackRule,
  narrowestAbove,
} from './limit-rules.js';
import { LimitSubjects } from './limit-subjects.js';
import { type LimitColumns, LimitsRepository } from './limits.repository.js';

/** Most limits of an installation, and most that an account sets for itself. */
export const MAX_LIMITS = 2_000;
export const MAX_OWN_LIMITS = 100;

/** Rows, rights and records of limits. */
@Injectable()
export class LimitParts {
  constructor(
    readonly limits: LimitsRepository,
    readonly permissions: LimitPermissions,
    readonly subjects: LimitSubjects,
    readonly records: LimitRecords,
    readonly cache: LimitCache,
  ) {}

  /** Fails: not_found. */
  async locked(manager: EntityManager, id: number): Promise<LimitEntity> {
    const limit = await this.limits.lock(manager, id);
    if (limit === null) throw new DomainError('not_found');
    return limit;
  }

  /** Before a transaction. Fails: not_found; limit_not_yours, not_permitted, user_out_of_reach; too_many_requests. */
  async assertMayChange(actor: Actor, id: number): Promise<LimitEntity> {
    await this.records.admit(actor);
    const limit = await this.limits.find(id);
    if (limit === null) throw new DomainError('not_found');
    await this.permissions.assertMayChange(actor, limit);
    return limit;
  }

  /** Fails: limit_above_others. */
  async assertNotAbove(
    limit: CountedCalls & { readonly byUser: boolean },
    accountId: number,
    amount: number,
  ): Promise<void> {
    if (!limit.byUser) return;
    const above = narrowestAbove(limit, accountId, await this.limits.all());
    if (above !== undefined && amount > above.amount)
      throw new DomainError('limit_above_others', { name: above.name, amount: above.amount });
  }

  /** Fails: limit_field, for a model that calls at the limit cannot go on with. */
  async assertFallback(limit: FallbackRule): Promise<void> {
    if (limit.action === 'cheaper_model') checkFallback(limit, await this.limits.all());
    else if (limit.fallbackModel !== '') checkFallback(limit, []);
  }
}

/** Creates, changes and deletes limits. Every act is in the audit log, in its transaction. */
@Injectable()
export class LimitAdministration {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly parts: LimitParts,
    private readonly openings: LimitOpenings,
  ) {}

  /**
   * @returns the id. Fails: limit_field, limit_name_length, limit_amount_range, limit_warn_at; limit_subject_unknown; not_permitted,
   * user_out_of_reach; limit_twice; limit_too_many; limit_above_others; too_many_requests.
   */
  async create(actor: Actor, input: LimitCreate): Promise<number> {
    const { limits, records } = this.parts;
    await records.admit(actor);
    const row = await this.rowOf(actor, input);
    const { byUser, createdAtMs: nowMs } = row;
    if ((await limits.count()) >= MAX_LIMITS) throw new DomainError('limit_too_many', { max: MAX_LIMITS });
    if (byUser && (await limits.countOfUser(actor.id)) >= MAX_OWN_LIMITS)
      throw new DomainError('limit_too_many', { max: MAX_OWN_LIMITS });
    const id = await runInTransaction(this.dataSource, async (manager) => {
      await records.begin(manager);
      const twin = await limits.twin(manager, row);
      if (twin !== null) throw new DomainError('limit_twice', { name: twin.name, id: twin.id });
      const made = await limits.insert(manager, row);
      await this.openings.write(manager, made, nowMs);
      await records.record(manager, actor, 'create', made, describeLimit(row));
      return made.id;
    });
    await records.publish();
    return id;
  }

  /**
   * Use in the running period that a limit would start with: its largest value, and how many values have some. Fails: as `create`, but for
   * limit_twice and limit_too_many.
   */
  async preview(actor: Actor, input: LimitCreate): Promise<LimitPreview> {
    await this.parts.records.admit(actor);
    const row = await this.rowOf(actor, input);
    const uses = await this.openings.of(this.dataSource.manager, row, row.createdAtMs);
    const byValue = new Map<string, number>();
    for (const { value, used } of uses) byValue.set(value, (byValue.get(value) ?? 0) + used);
    return {
      used: Math.max(0, ...byValue.values()),
      values: [...byValue.values()].filter((used) => used > 0).length,
    };
  }

  private async rowOf(actor: Actor, input: LimitCreate): Promise<LimitColumns> {
    const { permissions, subjects } = this.parts;
    const counted = checkCountedCalls({ ...input, accountId: input.account_id });
    const columns = {
      name: checkLimitName(input.name),
      amount: checkAmount(input.amount),
      action: checkAction(counted.scope, input.action),
      warnAt: checkWarnAt(input.warn_at),
    };
    // Before the subject is looked up: an account that may not set a limit does not learn what exists.
    if (!permissions.scopesOf(actor).includes(counted.scope)) throw new DomainError('not_permitted');
    const ownId = permissions.isAdministrator(actor) ? undefined : actor.id;
    const target = { ...counted, ...ownAccount(counted, ownId) };
    const byUser = await permissions.assertMaySet(actor, target);
    const placed = { ...target, subject: await subjects.check(target) };
    await this.parts.assertNotAbove({ ...placed, byUser }, actor.id, columns.amount);
    const fallbackModel = cleanLine(input.fallback_model);
    await this.parts.assertFallback({ id: 0, ...placed, action: columns.action, fallbackModel });
    const nowMs = this.parts.cache.nowMs();
    return {
      ...placed,
      ...columns,
      fallbackModel,
      admitUnknown: input.admit_unknown,
      enabled: input.enabled,
      overrideAmount: null,
      overrideUntilMs: null,
      overrideBy: 0,
      overrideReason: '',
      createdBy: actor.id,
      byUser,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      version: 1,
    };
  }

  /** Fails: as `LimitParts.assertMayChange`; limit_changed; limit_above_others; as the rules of the changed fields. */
  async edit(actor: Actor, id: number, input: LimitEdit): Promise<void> {
    const known = await this.parts.assertMayChange(actor, id);
    if (input.amount !== undefined)
      await this.parts.assertNotAbove(known, actor.id, checkAmount(input.amount));
    if (input.action !== undefined || input.fallback_model !== undefined)
      await this.parts.assertFallback({ ...known, ...actionOf(known, input) });
    const { limits, records, cache } = this.parts;
    await runInTransaction(this.dataSource, async (manager) => {
      await records.begin(manager);
      const before = await this.parts.locked(manager, id);
      if (input.version !== undefined && input.version !== before.version)
        throw new DomainError('limit_changed');
      const changes = {
        ...(input.name === undefined ? {} : { name: checkLimitName(input.name) }),
        ...(input.amount === undefined ? {} : { amount: checkAmount(input.amount) }),
        ...(input.action === undefined ? {} : { action: checkAction(before.scope, input.action) }),
        ...(input.action === undefined && input.fallback_model === undefined
          ? {}
          : { fallbackModel: actionOf(before, input).fallbackModel }),
        ...(input.warn_at === undefined ? {} : { warnAt: checkWarnAt(input.warn_at) }),
        ...(input.admit_unknown === undefined ? {} : { admitUnknown: input.admit_unknown }),
        ...(input.enabled === undefined ? {} : { enabled: input.enabled }),
      };
      const detail = describeChanges(before, changes);
      if (Object.keys(detail).length === 0) return;
      await limits.update(manager, id, {
        ...changes,
        updatedAtMs: cache.nowMs(),
        version: before.version + 1,
      });
      await records.record(manager, actor, 'update', { id, name: changes.name ?? before.name }, detail);
    });
    await records.publish();
  }

  /** With its use. Fails: as `LimitParts.assertMayChange`. */
  async remove(actor: Actor, id: number): Promise<void> {
    await this.parts.assertMayChange(actor, id);
    const { limits, records } = this.parts;
    await runInTransaction(this.dataSource, async (manager) => {
      await records.begin(manager);
      const limit = await this.parts.locked(manager, id);
      await limits.remove(manager, id);
      await records.record(manager, actor, 'delete', limit, describeLimit(limit));
    });
    await records.publish();
  }
}

/** Action and model of a changed limit: with another action than `cheaper_model` its model goes. */
function actionOf(
  known: Pick<LimitEntity, 'action' | 'fallbackModel'>,
  input: Pick<LimitEdit, 'action' | 'fallback_model'>,
): Pick<LimitEntity, 'action' | 'fallbackModel'> {
  const action = input.action ?? known.action;
  const kept = action === 'cheaper_model' ? known.fallbackModel : '';
  return { action, fallbackModel: cleanLine(input.fallback_model ?? kept) };
}

/** End users of an account that sets a limit for itself are its own. */
const ownAccount = (
  { scope, accountId }: Pick<CountedCalls, 'scope' | 'accountId'>,
  ownId: number | undefined,
): Pick<CountedCalls, 'accountId'> => ({
  accountId: scope === 'end_user' && ownId !== undefined ? (accountId ?? ownId) : accountId,
});
