import { type EntityManager, type ObjectLiteral, type Repository, type SelectQueryBuilder } from 'typeorm';
import type { QueryDeepPartialEntity } from 'typeorm/query-builder/QueryPartialEntity.js';
import { withRowLock } from '../../infra/database/dialect-of.js';
import type { Deletion } from './bin-rules.js';
import type { BinRow } from './present-bin.js';

/** A row of a table whose deletions are soft. */
export interface DeletableRow extends Deletion, ObjectLiteral {
  readonly id: number;
  readonly name: string;
}

/** A page of the bin with the account each row belongs to. */
export interface ListedRow extends BinRow {
  /** Returns true when the account of the row is deregistered. */
  readonly isOwnerDeregistered: boolean;
}

interface Table {
  /** Property of the sealed key. */
  readonly sealedKey: string;
  /** Property of the account a row belongs to; absent = none. */
  readonly owner?: string;
  /** SQL condition on `item` for rows that the bin holds; absent = all deleted rows. */
  readonly only?: string;
}

/** Deleted rows of one table: lists, restores and wipes them. Every change is a conditional update. */
export class DeletedRows<Row extends DeletableRow> {
  constructor(
    private readonly rows: Repository<Row>,
    private readonly table: Table,
  ) {}

  /** Rows whose key was not removed, the last deleted one first. */
  async page(offset: number, limit: number): Promise<{ rows: ListedRow[]; total: number }> {
    const { owner } = this.table;
    const total = await this.held().getCount();
    const query = this.held()
      .leftJoin('users', 'deleter', 'deleter.id = item.deletedBy')
      .addSelect('deleter.username', 'deleter_name')
      .orderBy('item.deletedAtMs', 'DESC')
      .addOrderBy('item.id', 'DESC')
      .offset(offset)
      .limit(limit);
    if (owner !== undefined)
      query
        .leftJoin('users', 'holder', `holder.id = item.${owner}`)
        .addSelect('holder.username', 'holder_name')
        .addSelect('holder.deleted_at_ms', 'holder_deleted');
    const { entities, raw } = await query.getRawAndEntities<Record<string, unknown>>();
    const rows = entities.map((row, index) => ({
      id: row.id,
      name: row.name,
      deletedAtMs: row.deletedAtMs,
      deletedBy: row.deletedBy,
      wipedAtMs: row.wipedAtMs,
      deletedByName: textIn(raw[index]?.['deleter_name']),
      ownerId: owner === undefined ? 0 : Number(row[owner]),
      ownerName: textIn(raw[index]?.['holder_name']),
      isOwnerDeregistered: (raw[index]?.['holder_deleted'] ?? null) !== null,
    }));
    return { rows, total };
  }

  /** Reads deleted rows without a lock, in order of their ids. Rows that are not deleted are left out. */
  async find(manager: EntityManager, ids: readonly number[]): Promise<Row[]> {
    return this.deleted(manager, ids).getMany();
  }

  /** Same as `find`; the rows stay as they are until the transaction ends. */
  async lock(manager: EntityManager, ids: readonly number[]): Promise<Row[]> {
    const query = this.deleted(manager, ids);
    return withRowLock(query).getMany();
  }

  /** Takes rows out of the bin. @returns how many were in it */
  async restore(manager: EntityManager, ids: readonly number[]): Promise<number> {
    return this.change(manager, ids, { deletedAtMs: null, deletedBy: null });
  }

  /** Removes the sealed keys for good; the rows stay for the records that name them. @returns how many had not been wiped */
  async wipe(manager: EntityManager, ids: readonly number[], nowMs: number): Promise<number> {
    return this.change(manager, ids, { [this.table.sealedKey]: '', wipedAtMs: nowMs });
  }

  /** Ids of at most `limit` rows that were deleted before `beforeMs`, oldest first. */
  async due(manager: EntityManager, beforeMs: number, limit: number): Promise<number[]> {
    const rows = await this.held(manager)
      .select(['item.id'])
      .andWhere('item.deletedAtMs <= :beforeMs', { beforeMs })
      .orderBy('item.deletedAtMs', 'ASC')
      .limit(limit)
      .getMany();
    return rows.map(({ id }) => id);
  }

  private async change(manager: EntityManager, ids: readonly number[], changes: object): Promise<number> {
    if (ids.length === 0) return 0;
    const result = await manager
      .createQueryBuilder()
      .update(this.rows.target)
      .set(changes as QueryDeepPartialEntity<Row>)
      .where('id IN (:...ids) AND deleted_at_ms IS NOT NULL AND wiped_at_ms IS NULL', { ids: [...ids] })
      .execute();
    return result.affected ?? 0;
  }

  private held(manager: EntityManager = this.rows.manager): SelectQueryBuilder<Row> {
    const query = manager
      .getRepository(this.rows.target)
      .createQueryBuilder('item')
      .where('item.deletedAtMs IS NOT NULL')
      .andWhere('item.wipedAtMs IS NULL');
    return this.table.only === undefined ? query : query.andWhere(this.table.only);
  }

  private deleted(manager: EntityManager, ids: readonly number[]): SelectQueryBuilder<Row> {
    return manager
      .getRepository(this.rows.target)
      .createQueryBuilder('item')
      .where('item.id IN (:...ids)', { ids: [...ids] })
      .andWhere('item.deletedAtMs IS NOT NULL')
      .orderBy('item.id', 'ASC');
  }
}

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');
