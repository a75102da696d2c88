import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Brackets, type EntityManager, In, IsNull, Repository, type SelectQueryBuilder } from 'typeorm';
import { escapeLike } from '../../common/text.js';
import { LimitEntity } from '../../base/limits/limit.entity.js';
import { LimitUseEntity } from '../../base/limits/limit-use.entity.js';
import { withRowLock } from '../../infra/database/dialect-of.js';

export type LimitColumns = Omit<LimitEntity, 'id'>;

/** Filter of a list; empty and 0 = no filter. */
export interface LimitFilter {
  readonly keyword: string;
  readonly scope: string;
  readonly subject: string;
  readonly accountId: number;
  readonly ids?: readonly number[];
}

/** Group of an account, and those its calls run in. */
interface CallerGroups {
  readonly group: string;
  readonly callGroups: readonly string[];
}

/** No limit has an empty subject and the scope of a group. */
const NO_GROUPS: CallerGroups = { group: '', callGroups: [] };

/** Rows of limits. */
@Injectable()
export class LimitsRepository {
  constructor(
    @InjectRepository(LimitEntity) private readonly limits: Repository<LimitEntity>,
    @InjectRepository(LimitUseEntity) private readonly uses: Repository<LimitUseEntity>,
  ) {}

  /** A page, newest first. */
  async page(
    filter: LimitFilter,
    offset: number,
    limit: number,
  ): Promise<{ readonly rows: LimitEntity[]; readonly total: number }> {
    const [rows, total] = await this.narrow(filter)
      .orderBy('l.id', 'DESC')
      .skip(offset)
      .take(limit)
      .getManyAndCount();
    return { rows, total };
  }

  /** Every limit, oldest first. */
  all(): Promise<LimitEntity[]> {
    return this.limits.find({ order: { id: 'ASC' } });
  }

  count(): Promise<number> {
    return this.limits.count();
  }

  countOfUser(accountId: number): Promise<number> {
    return this.limits.countBy({ byUser: true, createdBy: accountId });
  }

  find(id: number): Promise<LimitEntity | null> {
    return this.limits.findOneBy({ id });
  }

  /** The row, locked until the transaction ends; null = there is none. */
  lock(manager: EntityManager, id: number): Promise<LimitEntity | null> {
    const query = manager.getRepository(LimitEntity).createQueryBuilder('l').where('l.id = :id', { id });
    return withRowLock(query).getOne();
  }

  /** A limit that counts the same calls with the same action; null = none. */
  async twin(
    manager: EntityManager,
    { scope, subject, accountId, each, model, measure, period, rolling, action, byUser }: LimitColumns,
  ): Promise<LimitEntity | null> {
    const counted = { scope, subject, each, model, measure, period, rolling, action, byUser };
    return manager.getRepository(LimitEntity).findOneBy({ ...counted, accountId: accountId ?? IsNull() });
  }

  async insert(manager: EntityManager, columns: LimitColumns): Promise<LimitEntity> {
    const rows = manager.getRepository(LimitEntity);
    return rows.save(rows.create(columns));
  }

  async update(manager: EntityManager, id: number, columns: Partial<LimitColumns>): Promise<void> {
    await manager.getRepository(LimitEntity).update({ id }, columns);
  }

  /** With its use. */
  async remove(manager: EntityManager, id: number): Promise<void> {
    await manager.getRepository(LimitUseEntity).delete({ limitId: id });
    await manager.getRepository(LimitEntity).delete({ id });
  }

  /** Limits that can apply to calls of an account: of its tokens, itself, its end users and tags, everyone, and the named groups. */
  ofAccount(
    accountId: number,
    tokenIds: readonly number[],
    groups: CallerGroups = NO_GROUPS,
  ): Promise<LimitEntity[]> {
    const id = String(accountId);
    return this.limits.find({
      where: [
        { scope: 'token', subject: In(tokenIds.map(String)) },
        { scope: 'token', each: true },
        { scope: 'account', subject: id },
        { scope: 'account', each: true },
        { scope: 'group', subject: groups.group },
        { scope: 'call_group', subject: In([...groups.callGroups]) },
        { scope: In(['end_user', 'tag']), accountId },
        { scope: In(['end_user', 'tag']), accountId: IsNull() },
        { scope: 'everyone' },
      ],
      order: { id: 'ASC' },
    });
  }

  /** Use of a limit by period or bucket, all values together, newest first. Fails: with the database's error. */
  async periods(
    limitId: number,
    count: number,
  ): Promise<readonly { readonly startsAtMs: number; readonly used: number; readonly calls: number }[]> {
    const rows = await this.uses
      .createQueryBuilder('u')
      .select('u.periodStartMs', 'start')
      .addSelect('SUM(u.used)', 'used')
      .addSelect('SUM(u.calls)', 'calls')
      .where('u.limitId = :limitId', { limitId })
      .groupBy('u.periodStartMs')
      .orderBy('u.periodStartMs', 'DESC')
      .limit(count)
      .getRawMany<Record<'start' | 'used' | 'calls', string | number>>();
    return rows.map(({ start, used, calls }) => ({
      startsAtMs: Number(start),
      used: Math.max(0, Number(used)),
      calls: Number(calls),
    }));
  }

  private narrow({ keyword, scope, subject, accountId, ids }: LimitFilter): SelectQueryBuilder<LimitEntity> {
    const query = this.limits.createQueryBuilder('l').where('1 = 1');
    if (keyword !== '') {
      const part = `%${escapeLike(keyword.toLowerCase())}%`;
      query.andWhere(
        new Brackets((either) =>
          either
            .where(`LOWER(l.name) LIKE :part ESCAPE '!'`, { part })
            .orWhere(`LOWER(l.subject) LIKE :part ESCAPE '!'`, { part }),
        ),
      );
    }
    if (scope !== '') query.andWhere('l.scope = :scope', { scope });
    if (subject !== '') query.andWhere('l.subject = :subject', { subject });
    if (accountId !== 0) query.andWhere('l.accountId = :accountId', { accountId });
    if (ids !== undefined)
      query.andWhere(ids.length === 0 ? '1 = 0' : 'l.id IN (:...ids)', { ids: [...ids] });
    return query;
  }
}
