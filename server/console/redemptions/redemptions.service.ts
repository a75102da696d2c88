import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { fromOne } from '../../common/query.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { MAX_OFFSET, type Page } from '../../common/page.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import { Clock } from '../../common/clock.js';
import type { AuditVerb } from '../../base/audit/audit-actions.js';
import type { Actor } from '../../base/access/current-actor.js';
import { CodeActs } from './code-acts.js';
import type {
  RedemptionCreate,
  RedemptionEdit,
  RedemptionListQuery,
  RedemptionView,
} from './dto/redemption.dto.js';
import { RedemptionKeys } from './redemption-keys.js';
import { REDEMPTION_STATUS } from './redemption.codes.js';
import type { RedemptionEntity } from './redemption.entity.js';
import { type RedemptionChanges, RedemptionsRepository } from './redemptions.repository.js';
import { cleanLine, lengthOf } from '../../common/text.js';

export const MAX_CODES_AT_ONCE = 100;
const MAX_NAME_CHARACTERS = 20;
/** Largest worth of one code. */
export const MAX_CODE_QUOTA = 1_000_000_000_000;

/** Administration of redemption codes. Every action is in the audit log, in the transaction of the action. */
@Injectable()
export class RedemptionsService {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly codes: RedemptionsRepository,
    private readonly keys: RedemptionKeys,
    private readonly acts: CodeActs,
    private readonly clock: Clock,
  ) {}

  /** Fails: page_out_of_reach. */
  async list(query: RedemptionListQuery): Promise<Page<RedemptionView>> {
    const offset = (fromOne(query) - 1) * query.page_size;
    if (offset >= MAX_OFFSET) throw new DomainError('page_out_of_reach', { max: MAX_OFFSET });
    const { rows, total } = await this.codes.page(query.keyword, offset, query.page_size);
    const items = rows.map((row) => this.present(row));
    return { items, total, page: fromOne(query), page_size: query.page_size };
  }

  /** Fails: not_found. */
  async get(id: number): Promise<RedemptionView> {
    return this.present(await this.getRow(id));
  }

  /**
   * @returns the new codes; all of them exist or none. Fails: by the rules of the fields,
   * `redemption_worth_too_large`, `administrator_daily_limit`; none exists then.
   */
  async create(actor: Actor, input: RedemptionCreate): Promise<string[]> {
    const name = checkCodeName(input.name);
    const quota = checkCodeQuota(input.quota);
    const count = checkCodeCount(input.count);
    const expiredTime = checkCodeExpiry(input.expired_time, this.nowSeconds());
    const codes = Array.from({ length: count }, () => this.keys.make());
    const createdTime = this.nowSeconds();
    const rows = codes.map((code) => {
      const keyDigest = this.keys.digest(code);
      const keyEncrypted = this.keys.seal(keyDigest, code);
      return { userId: actor.id, keyDigest, keyEncrypted, name, quota, createdTime, expiredTime };
    });
    await runInTransaction(this.dataSource, async (manager) => {
      await this.codes.insertMany(manager, rows);
      await this.acts.created(manager, actor, { name, quota, count, expired_time: expiredTime });
    });
    return codes;
  }

  /** Changes an unused code. Fails: not_found, redemption_not_unused, and by the rules of the fields. */
  async edit(actor: Actor, input: RedemptionEdit): Promise<RedemptionView> {
    const before = await this.getRow(input.id);
    if (before.status !== REDEMPTION_STATUS.unused) throw new DomainError('redemption_not_unused');
    const { expired_time: expiry } = input;
    const changes = {
      ...(input.name === undefined ? {} : { name: checkCodeName(input.name) }),
      ...(input.quota === undefined ? {} : { quota: checkCodeQuota(input.quota) }),
      // An expiry that passed and is sent back as it was stays; a new one must lie ahead.
      ...(expiry === undefined || expiry === before.expiredTime
        ? {}
        : { expiredTime: checkCodeExpiry(expiry, this.nowSeconds()) }),
    };
    if (Object.keys(changes).length > 0)
      await this.change(actor, input.id, { action: 'edit', from: [REDEMPTION_STATUS.unused], changes });
    return this.get(input.id);
  }

  /** Disables an unused code or enables a disabled one. Fails: not_found, redemption_used, invalid_input. */
  async changeStatus(actor: Actor, id: number, status: number | undefined): Promise<RedemptionView> {
    const { unused, disabled, used } = REDEMPTION_STATUS;
    if (status !== unused && status !== disabled)
      throw new DomainError('invalid_input', {
        field: 'status',
        problem: ' (must be 1, unused, or 2, disabled)',
      });
    const before = await this.getRow(id);
    if (before.status === used) throw new DomainError('redemption_used');
    const action = status === disabled ? 'disable' : 'enable';
    if (before.status !== status)
      await this.change(actor, id, { action, from: [unused, disabled], changes: { status } });
    return this.get(id);
  }

  /** Fails: not_found. */
  async remove(actor: Actor, id: number): Promise<void> {
    await runInTransaction(this.dataSource, async (manager) => {
      if (!(await this.codes.softDelete(manager, id, this.by(actor)))) throw new DomainError('not_found');
      await this.acts.record(manager, actor, 'delete', id);
    });
  }

  /** Removes used, disabled and expired codes. @returns how many, and the ids that an undo may name */
  async removeInvalid(actor: Actor): Promise<{ readonly count: number; readonly ids: readonly number[] }> {
    return runInTransaction(this.dataSource, async (manager) => {
      const hidden = await this.codes.softDeleteInvalid(manager, this.by(actor));
      await this.acts.record(manager, actor, 'delete_invalid', 0, { count: hidden.count });
      return hidden;
    });
  }

  private async change(
    actor: Actor,
    id: number,
    wanted: {
      readonly action: AuditVerb<'redemption'>;
      readonly from: readonly number[];
      readonly changes: RedemptionChanges;
    },
  ): Promise<void> {
    await runInTransaction(this.dataSource, async (manager) => {
      const before = await this.codes.lock(manager, id);
      // It may have been redeemed since it was read.
      if (before === null || !(await this.codes.change(manager, id, wanted.from, wanted.changes)))
        throw new DomainError('redemption_used');
      const { action, changes } = wanted;
      await this.acts.changed(manager, actor, { action, before, changes, nowSeconds: this.nowSeconds() });
    });
  }

  private async getRow(id: number): Promise<RedemptionEntity> {
    const row = await this.codes.find(id);
    if (row === null) throw new DomainError('not_found');
    return row;
  }

  private present(row: RedemptionEntity): RedemptionView {
    return {
      id: row.id,
      user_id: row.userId,
      key: this.keys.show(row.keyDigest, row.keyEncrypted),
      status: row.status,
      name: row.name,
      quota: row.quota,
      created_time: row.createdTime,
      redeemed_time: row.redeemedTime,
      expired_time: row.expiredTime,
      used_user_id: row.usedUserId,
      count: 0,
      DeletedAt: null,
    };
  }

  private by(actor: Actor): { readonly actorId: number; readonly nowMs: number } {
    return { actorId: actor.id, nowMs: this.clock.nowMs() };
  }

  private nowSeconds(): number {
    return Math.floor(this.clock.nowMs() / 1000);
  }
}

/** @returns the name as it is stored. Fails: redemption_name_length; characters are counted, not bytes. */
export function checkCodeName(typed: string): string {
  const name = cleanLine(typed);
  const length = lengthOf(name);
  if (length < 1 || length > MAX_NAME_CHARACTERS)
    throw new DomainError('redemption_name_length', { max: MAX_NAME_CHARACTERS });
  return name;
}

/** Fails: redemption_quota_range. */
export function checkCodeQuota(quota: number): number {
  if (!Number.isSafeInteger(quota) || quota < 1 || quota > MAX_CODE_QUOTA)
    throw new DomainError('redemption_quota_range', { max: MAX_CODE_QUOTA });
  return quota;
}

/** Fails: redemption_count_range. */
export function checkCodeCount(count: number): number {
  if (!Number.isSafeInteger(count) || count < 1 || count > MAX_CODES_AT_ONCE)
    throw new DomainError('redemption_count_range', { max: MAX_CODES_AT_ONCE });
  return count;
}

/** @param expiry  seconds; 0 = never. Fails: redemption_expiry_past. */
export function checkCodeExpiry(expiry: number, nowSeconds: number): number {
  if (!Number.isSafeInteger(expiry) || expiry < 0 || (expiry > 0 && expiry <= nowSeconds))
    throw new DomainError('redemption_expiry_past');
  return expiry;
}
