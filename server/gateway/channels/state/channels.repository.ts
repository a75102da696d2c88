import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Brackets, type EntityManager, In, IsNull, type SelectQueryBuilder, Repository } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { escapeLike } from '../../../common/text.js';
import { withRowLock } from '../../../infra/database/dialect-of.js';
import { AbilityEntity } from './ability.entity.js';
import { ChannelEntity } from './channel.entity.js';

/** A channel without its key. */
export type ChannelRow = Omit<ChannelEntity, 'key'>;
export type ChannelChanges = Partial<Omit<ChannelEntity, 'id' | 'usedQuota'>>;

export interface ChannelOrder {
  /** Newest id first; otherwise highest priority first. */
  readonly byId: boolean;
}

export interface ChannelSearch extends ChannelOrder {
  /** Id, or part of name or base address. */
  readonly keyword: string;
  readonly group: string;
  /** Part of the model list. */
  readonly model: string;
}

/** The only user of `channels` beside the snapshot the relay reads. Deleted channels do not exist here. */
@Injectable()
export class ChannelsRepository {
  constructor(@InjectRepository(ChannelEntity) private readonly rows: Repository<ChannelEntity>) {}

  async page(
    order: ChannelOrder,
    offset: number,
    limit: number,
  ): Promise<{ rows: ChannelRow[]; total: number }> {
    const [rows, total] = await ordered(this.query(), order).offset(offset).limit(limit).getManyAndCount();
    return { rows, total };
  }

  /** Distinct tags in alphabetical order. */
  async tags(offset: number, limit: number): Promise<{ tags: string[]; total: number }> {
    const tagged = this.query().andWhere("channel.tag <> ''");
    const counted = await tagged
      .clone()
      .select('COUNT(DISTINCT channel.tag)', 'count')
      .getRawOne<{ count: string | number }>();
    const rows = await tagged
      .select('channel.tag', 'tag')
      .groupBy('channel.tag')
      .orderBy('channel.tag', 'ASC')
      .offset(offset)
      .limit(limit)
      .getRawMany<{ tag: string }>();
    return { tags: rows.map((row) => row.tag), total: Number(counted?.count ?? 0) };
  }

  async ofTags(tags: readonly string[], order: ChannelOrder): Promise<ChannelRow[]> {
    if (tags.length === 0) return [];
    return ordered(this.query().andWhere('channel.tag IN (:...tags)', { tags }), order).getMany();
  }

  async search(
    search: ChannelSearch,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ rows: ChannelRow[]; total: number }> {
    const query = ordered(this.query(), search).offset(page.offset).limit(page.limit);
    if (search.keyword !== '') query.andWhere(matchesKeyword(search.keyword));
    if (search.model !== '') {
      query.andWhere(`LOWER(channel.models) LIKE LOWER(:model) ESCAPE '!'`, {
        model: `%${escapeLike(search.model)}%`,
      });
    }
    if (search.group !== '') {
      const ability = query
        .subQuery()
        .select('1')
        .from(AbilityEntity, 'ability')
        .where('ability.channelId = channel.id AND ability.group = :group')
        .getQuery();
      query.andWhere(`EXISTS ${ability}`, { group: search.group });
    }
    const [rows, total] = await query.getManyAndCount();
    return { rows, total };
  }

  async find(id: number): Promise<ChannelRow | null> {
    return this.rows.findOneBy({ id, deletedAtMs: IsNull() });
  }

  async findWithKey(manager: EntityManager, id: number): Promise<ChannelEntity | null> {
    return this.query(manager).addSelect('channel.key').andWhere('channel.id = :id', { id }).getOne();
  }

  /** Reads a channel and keeps others from changing it until the transaction ends. */
  async lock(manager: EntityManager, id: number): Promise<ChannelRow | null> {
    const query = this.query(manager).andWhere('channel.id = :id', { id });
    return withRowLock(query).getOne();
  }

  async lockMany(
    manager: EntityManager,
    by: { readonly ids: readonly number[] } | { readonly tag: string },
  ): Promise<ChannelRow[]> {
    const query = this.query(manager).orderBy('channel.id', 'ASC');
    if ('tag' in by) query.andWhere('channel.tag = :tag', { tag: by.tag });
    else query.andWhere('channel.id IN (:...ids)', { ids: by.ids });
    return withRowLock(query).getMany();
  }

  async lockByStatus(manager: EntityManager, statuses: readonly number[]): Promise<ChannelRow[]> {
    const query = this.query(manager).andWhere('channel.status IN (:...statuses)', { statuses });
    return withRowLock(query.orderBy('channel.id', 'ASC')).getMany();
  }

  async all(manager?: EntityManager): Promise<ChannelRow[]> {
    return this.query(manager).orderBy('channel.id', 'ASC').getMany();
  }

  async byStatus(statuses: readonly number[]): Promise<ChannelRow[]> {
    return this.query()
      .andWhere('channel.status IN (:...statuses)', { statuses })
      .orderBy('channel.id', 'ASC')
      .getMany();
  }

  /** @returns the new id */
  async insert(manager: EntityManager, channel: Omit<ChannelEntity, 'id'>): Promise<number> {
    const inserted = await manager.getRepository(ChannelEntity).insert(channel);
    const id: unknown = inserted.identifiers[0]?.['id'];
    if (typeof id !== 'number') throw new Error('the database gave no id for a new channel');
    return id;
  }

  /** Writes the named columns of one channel. @returns false when it does not exist (any more) */
  async update(manager: EntityManager, id: number, changes: ChannelChanges): Promise<boolean> {
    const named: QueryDeepPartialEntity<ChannelEntity> = { ...changes };
    if (Object.keys(named).length === 0) return true;
    const result = await manager.getRepository(ChannelEntity).update({ id, deletedAtMs: IsNull() }, named);
    return result.affected === 1;
  }

  /** Soft: settlements keep pointing to the row. Its sealed key stays, for a restore. */
  async softDelete(
    manager: EntityManager,
    ids: readonly number[],
    by: { readonly actorId: number; readonly nowMs: number },
  ): Promise<number> {
    if (ids.length === 0) return 0;
    const result = await manager
      .getRepository(ChannelEntity)
      .update({ id: In(ids), deletedAtMs: IsNull() }, { deletedAtMs: by.nowMs, deletedBy: by.actorId });
    return result.affected ?? 0;
  }

  /** Writes counters of probes outside a transaction: response time, balance. */
  async record(
    id: number,
    changes: Pick<
      ChannelChanges,
      'responseTime' | 'testTime' | 'testFailure' | 'balance' | 'balanceUpdatedTime'
    >,
  ): Promise<void> {
    await this.update(this.rows.manager, id, changes);
  }

  private query(manager: EntityManager = this.rows.manager): SelectQueryBuilder<ChannelEntity> {
    return manager
      .getRepository(ChannelEntity)
      .createQueryBuilder('channel')
      .where('channel.deletedAtMs IS NULL');
  }
}

function ordered(
  query: SelectQueryBuilder<ChannelEntity>,
  order: ChannelOrder,
): SelectQueryBuilder<ChannelEntity> {
  if (!order.byId) query.addOrderBy('channel.priority', 'DESC');
  return query.addOrderBy('channel.id', 'DESC');
}

function matchesKeyword(keyword: string): Brackets {
  return new Brackets((where) => {
    const pattern = `%${escapeLike(keyword)}%`;
    where
      .where(`LOWER(channel.name) LIKE LOWER(:keyword) ESCAPE '!'`, { keyword: pattern })
      .orWhere(`LOWER(channel.baseUrl) LIKE LOWER(:keyword) ESCAPE '!'`);
    const id = /^[1-9]\d{0,8}$/.test(keyword) ? Number(keyword) : null;
    if (id !== null) where.orWhere('channel.id = :id', { id });
  });
}
