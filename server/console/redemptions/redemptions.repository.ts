import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, type SelectQueryBuilder, Repository } from 'typeorm';
import { escapeLike } from '../../common/text.js';
import { toShownSum } from '../../common/quota.js';
import { dialectOf } from '../../infra/database/data-source.js';
import { sessionOf } from '../../infra/database/manager-session.js';
import { REDEMPTION_STATUS } from './redemption.codes.js';
import { RedemptionEditorEntity } from './redemption-editor.entity.js';
import { RedemptionEntity } from './redemption.entity.js';

export type NewRedemption = Pick<
  RedemptionEntity,
  'userId' | 'keyDigest' | 'keyEncrypted' | 'name' | 'quota' | 'createdTime' | 'expiredTime'
>;

/** What an administrator may change. */
export type RedemptionChanges = Partial<Pick<RedemptionEntity, 'name' | 'quota' | 'expiredTime' | 'status'>>;

/** What codes one person made are worth. */
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

  /** Without a lock: whoever wants to change it does so by a condition. */
  async findByDigest(keyDigest: string): Promise<RedemptionEntity | null> {
    return this.rows.findOneBy({ keyDigest, deletedAtMs: IsNull() });
  }

  /** As `find`; nobody changes or redeems the code until the transaction ends. */
  async lock(manager: EntityManager, id: number): Promise<RedemptionEntity | null> {
    if (id > MAX_ID) return null;
    const query = this.alive(manager).andWhere('code.id = :id', { id });
    if (dialectOf(manager.connection) !== 'sqlite') query.setLock('pessimistic_write');
    return query.getOne();
  }

  async insertMany(manager: EntityManager, rows: readonly NewRedemption[]): Promise<void> {
    await manager
      .createQueryBuilder()
      .insert()
      .into(RedemptionEntity)
      .values(rows.map((row) => ({ ...row, deletedAtMs: null })))
      .updateEntity(false)
      .execute();
  }

  /**
   * Takes an unused code for somebody.
   * @returns what it is worth; null when it is not unused (any more), expired or deleted: then nothing changed
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

  /** Notes an account that changed a code; once is enough. */
  async addEditor(manager: EntityManager, codeId: number, userId: number): Promise<void> {
    const { dialect, run } = sessionOf(manager);
    const again =
      dialect === 'mysql'
        ? 'ON DUPLICATE KEY UPDATE "user_id" = "user_id"'
        : 'ON CONFLICT ("code_id", "user_id") DO NOTHING';
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
  async softDelete(manager: EntityManager, id: number, nowMs: number): Promise<boolean> {
    if (id > MAX_ID) return false;
    const result = await manager
      .getRepository(RedemptionEntity)
      .update({ id, deletedAtMs: IsNull() }, { deletedAtMs: nowMs });
    return result.affected === 1;
  }

  /** Hides everything that can no longer be redeemed: used, disabled, expired. @returns how many */
  async softDeleteInvalid(manager: EntityManager, nowMs: number): Promise<number> {
    const result = await manager
      .createQueryBuilder()
      .update(RedemptionEntity)
      .set({ deletedAtMs: nowMs })
      .where('deleted_at_ms IS NULL')
      .andWhere('(status <> :unused OR (expired_time > 0 AND expired_time <= :nowSeconds))', {
        unused: REDEMPTION_STATUS.unused,
        nowSeconds: Math.floor(nowMs / 1000),
      })
      .execute();
    return result.affected ?? 0;
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

  /** What everybody who made codes made, and what became of them; deleted codes count. */
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
