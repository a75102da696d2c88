import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, Not, type SelectQueryBuilder, Repository } from 'typeorm';
import { escapeLike } from '../../common/text.js';
import { toShownSum } from '../../common/quota.js';
import { withRowLock } from '../../infra/database/dialect-of.js';
import { DIALECTS } from '../../infra/database/dialect.js';
import { sessionOf } from '../../infra/database/manager-session.js';
import { REDEMPTION_STATUS } from './redemption.codes.js';
import { RedemptionEditorEntity } from './redemption-editor.entity.js';
import { RedemptionEntity } from './redemption.entity.js';

export type NewRedemption = Pick<
  RedemptionEntity,
  'userId' | 'keyDigest' | 'keyEncrypted' | 'name' | 'quota' | 'createdTime' | 'expiredTime'
>;

/** Columns an administrator may change. */
export type RedemptionChanges = Partial<Pick<RedemptionEntity, 'name' | 'quota' | 'expiredTime' | 'status'>>;

/** Sums of one creator's codes. */
export interface CreatorSum {
  readonly userId: number;
  readonly created: number;
  readonly createdQuota: number;
  readonly used: number;
  readonly usedQuota: number;
  /** Codes redeemed by their own maker. */
  readonly usedByCreator: number;
}

/** A log line to be written for a code that was redeemed. */
export type RedeemedCode = Pick<RedemptionEntity, 'id' | 'userId' | 'quota' | 'usedUserId'>;

const MAX_ID = 2 ** 31 - 1;
/** Codes that one undo may name; see `bodyIds`. */
const MAX_UNDO = 500;

/** The only reader and writer of `redemptions`. Every change of state is a conditional update. */
@Injectable()
export class RedemptionsRepository {
  constructor(@InjectRepository(RedemptionEntity) private readonly rows: Repository<RedemptionEntity>) {}

  /** Newest first, deleted ones left out. @param keyword  an id, or the beginning of a name; empty = all */
  async page(
    keyword: string,
    offset: number,
    limit: number,
  ): Promise<{ rows: RedemptionEntity[]; total: number }> {
    const query = this.alive();
    if (keyword !== '') {
      const id = /^\d{1,10}$/.test(keyword) && Number(keyword) <= MAX_ID ? Number(keyword) : 0;
      query.andWhere(`(code.id = :id OR code.name LIKE :start ESCAPE '!')`, {
        id,
        start: `${escapeLike(keyword)}%`,
      });
    }
    const [rows, total] = await query
      .orderBy('code.id', 'DESC')
      .offset(offset)
      .limit(limit)
      .getManyAndCount();
    return { rows, total };
  }

  async find(id: number): Promise<RedemptionEntity | null> {
    if (id > MAX_ID) return null;
    return this.alive().andWhere('code.id = :id', { id }).getOne();
  }

  /** Without a lock: changes are conditional updates. */
  async findByDigest(keyDigest: string): Promise<RedemptionEntity | null> {
    return this.rows.findOneBy({ keyDigest, deletedAtMs: IsNull() });
  }

  /** Like `find`; the code cannot be changed or redeemed until the transaction ends. */
  async lock(manager: EntityManager, id: number): Promise<RedemptionEntity | null> {
    if (id > MAX_ID) return null;
    const query = this.alive(manager).andWhere('code.id = :id', { id });
    return withRowLock(query).getOne();
  }

  async insertMany(manager: EntityManager, rows: readonly NewRedemption[]): Promise<void> {
    await manager
      .createQueryBuilder()
      .insert()
      .into(RedemptionEntity)
      .values(rows.map((row) => ({ ...row, deletedAtMs: null, deletedBy: null, wipedAtMs: null })))
      .updateEntity(false)
      .execute();
  }

  /**
   * Redeems an unused code for an account.
   * @returns its quota; null when it is not unused (any more), expired or deleted: then nothing changed
   */
  async use(
    manager: EntityManager,
    id: number,
    by: { readonly userId: number; readonly nowSeconds: number },
  ): Promise<number | null> {
    const result = await manager
      .createQueryBuilder()
      .update(RedemptionEntity)
      .set({
        status: REDEMPTION_STATUS.used,
        redeemedTime: by.nowSeconds,
        usedUserId: by.userId,
        logPending: 1,
      })
      .where('id = :id AND status = :unused AND deleted_at_ms IS NULL', {
        id,
        unused: REDEMPTION_STATUS.unused,
      })
      .andWhere('(expired_time = 0 OR expired_time > :nowSeconds)', { nowSeconds: by.nowSeconds })
      .execute();
    if (result.affected !== 1) return null;
    // Read behind the lock: an unused code may have been edited until this moment.
    const { quota } = await manager.getRepository(RedemptionEntity).findOneByOrFail({ id });
    return quota;
  }

  /** Records an account that changed a code; once is enough. */
  async addEditor(manager: EntityManager, codeId: number, userId: number): Promise<void> {
    const { dialect, run } = sessionOf(manager);
    const again = DIALECTS[dialect].orKeep({ table: 'redemption_editors', key: ['code_id', 'user_id'] });
    await run(`INSERT INTO "redemption_editors" ("code_id", "user_id") VALUES (?, ?) ${again}`, [
      codeId,
      userId,
    ]);
  }

  /** Returns true when an account changed a code. Call it behind the lock of the code. */
  async isEditor(manager: EntityManager, codeId: number, userId: number): Promise<boolean> {
    return manager.getRepository(RedemptionEditorEntity).existsBy({ codeId, userId });
  }

  /** @returns false when the code does not have one of these states */
  async change(
    manager: EntityManager,
    id: number,
    from: readonly number[],
    changes: RedemptionChanges,
  ): Promise<boolean> {
    const result = await manager
      .getRepository(RedemptionEntity)
      .update({ id, status: In([...from]), deletedAtMs: IsNull() }, changes);
    return result.affected === 1;
  }

  /** Hides a code. @returns false when there is none */
  async softDelete(
    manager: EntityManager,
    id: number,
    by: { readonly actorId: number; readonly nowMs: number },
  ): Promise<boolean> {
    if (id > MAX_ID) return false;
    const result = await manager
      .getRepository(RedemptionEntity)
      .update({ id, deletedAtMs: IsNull() }, { deletedAtMs: by.nowMs, deletedBy: by.actorId });
    return result.affected === 1;
  }

  /**
   * Hides everything that can no longer be redeemed: used, disabled, expired.
   * @returns how many, and the ids of those that can be restored, none when there are more than `MAX_UNDO`
   */
  async softDeleteInvalid(
    manager: EntityManager,
    { actorId, nowMs }: { readonly actorId: number; readonly nowMs: number },
  ): Promise<{ readonly count: number; readonly ids: readonly number[] }> {
    const result = await manager
      .createQueryBuilder()
      .update(RedemptionEntity)
      .set({ deletedAtMs: nowMs, deletedBy: actorId })
      .where('deleted_at_ms IS NULL')
      .andWhere('(status <> :unused OR (expired_time > 0 AND expired_time <= :nowSeconds))', {
        unused: REDEMPTION_STATUS.unused,
        nowSeconds: Math.floor(nowMs / 1000),
      })
      .execute();
    const hidden = await manager.getRepository(RedemptionEntity).find({
      select: { id: true },
      where: { deletedAtMs: nowMs, deletedBy: actorId, status: Not(REDEMPTION_STATUS.used) },
      order: { id: 'ASC' },
      take: MAX_UNDO + 1,
    });
    const ids = hidden.length > MAX_UNDO ? [] : hidden.map(({ id }) => id);
    return { count: result.affected ?? 0, ids };
  }

  /** Redeemed codes whose log line is still to be written, oldest first. */
  async withoutLog(redeemedBefore: number, limit: number): Promise<RedeemedCode[]> {
    return this.rows
      .createQueryBuilder('code')
      .where('code.logPending = 1 AND code.redeemedTime <= :redeemedBefore', { redeemedBefore })
      .orderBy('code.id', 'ASC')
      .limit(limit)
      .getMany();
  }

  async markLogged(id: number): Promise<void> {
    await this.rows.update({ id }, { logPending: 0 });
  }

  /** Codes of every creator, by state; deleted codes count. */
  async sumsByCreator(): Promise<CreatorSum[]> {
    const used = `CASE WHEN code.status = ${REDEMPTION_STATUS.used} THEN`;
    const rows = await this.rows
      .createQueryBuilder('code')
      .select('code.userId', 'creator')
      .addSelect('COUNT(*)', 'created')
      .addSelect('SUM(code.quota)', 'created_quota')
      .addSelect(`SUM(${used} 1 ELSE 0 END)`, 'used')
      .addSelect(`SUM(${used} code.quota ELSE 0 END)`, 'used_quota')
      .addSelect('SUM(CASE WHEN code.usedUserId = code.userId THEN 1 ELSE 0 END)', 'own')
      .groupBy('code.userId')
      .orderBy('code.userId', 'ASC')
      .getRawMany<Record<string, string | number>>();
    return rows.map((row) => ({
      userId: Number(row['creator']),
      created: Number(row['created']),
      createdQuota: toShownSum(row['created_quota']),
      used: Number(row['used']),
      usedQuota: toShownSum(row['used_quota']),
      usedByCreator: Number(row['own']),
    }));
  }

  private alive(manager: EntityManager = this.rows.manager): SelectQueryBuilder<RedemptionEntity> {
    return manager
      .getRepository(RedemptionEntity)
      .createQueryBuilder('code')
      .addSelect('code.keyEncrypted')
      .where('code.deletedAtMs IS NULL');
  }
}
