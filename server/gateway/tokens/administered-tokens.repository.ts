import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Repository, type SelectQueryBuilder } from 'typeorm';
import { escapeLike } from '../../common/text.js';
import { ROLE } from '../../base/access/user.codes.js';
import { withRowLock } from '../../infra/database/dialect-of.js';
import { TokenEntity } from './token.entity.js';

/** A token with its owner, and the name of the administrator who locked it. */
export interface OwnedTokenRow {
  readonly token: TokenEntity;
  readonly owner: { readonly id: number; readonly username: string; readonly role: number };
  /** Empty = not locked, or the account is gone. */
  readonly lockedBy: string;
}

export interface TokenFilter {
  /** The administrator who looks. */
  readonly actor: { readonly id: number; readonly role: number };
  /** 0 = every account. */
  readonly userId: number;
  /** Part of the owner's name; empty = every account. */
  readonly ownerPart: string;
}

/** The columns of a lock. */
export type LockColumns = Pick<
  TokenEntity,
  'status' | 'lockedAtMs' | 'lockedById' | 'lockReason' | 'statusBeforeLock'
>;

/**
 * Tokens of live accounts as administrators look them up. A list holds those of the accounts within reach: the query has the same bounds as
 * `refusalFor('read', …)`.
 */
@Injectable()
export class AdministeredTokensRepository {
  constructor(@InjectRepository(TokenEntity) private readonly rows: Repository<TokenEntity>) {}

  /** A page, newest first. */
  async page(
    filter: TokenFilter,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ rows: OwnedTokenRow[]; total: number }> {
    const total = await this.within(filter).getCount();
    const rows = await this.read(
      this.within(filter).orderBy('token.id', 'DESC').offset(page.offset).limit(page.limit),
    );
    return { rows, total };
  }

  /** The newest of those with an id below `beforeId`: reads all of them in bounded steps. */
  async before(filter: TokenFilter, beforeId: number, limit: number): Promise<OwnedTokenRow[]> {
    const query = this.within(filter).andWhere('token.id < :beforeId', { beforeId });
    return this.read(query.orderBy('token.id', 'DESC').limit(limit));
  }

  /** The token with its owner, of any role: the caller decides who may read it. */
  async findByDigest(keyDigest: string): Promise<OwnedTokenRow | null> {
    const [row] = await this.read(this.query().andWhere('token.keyDigest = :keyDigest', { keyDigest }));
    return row ?? null;
  }

  /** The token with its owner, of any role: the caller decides who may read it. */
  async find(id: number): Promise<OwnedTokenRow | null> {
    const [row] = await this.read(this.query().andWhere('token.id = :id', { id }));
    return row ?? null;
  }

  /** Reads a token and keeps others from changing it until the transaction ends. */
  async lock(manager: EntityManager, id: number): Promise<TokenEntity | null> {
    const query = manager
      .getRepository(TokenEntity)
      .createQueryBuilder('token')
      .where('token.id = :id', { id })
      .andWhere('token.deletedAtMs IS NULL');
    return withRowLock(query).getOne();
  }

  async update(manager: EntityManager, id: number, columns: LockColumns): Promise<void> {
    await manager.getRepository(TokenEntity).update({ id, deletedAtMs: IsNull() }, { ...columns });
  }

  private within({ actor, userId, ownerPart }: TokenFilter): SelectQueryBuilder<TokenEntity> {
    const query = this.query();
    if (actor.role < ROLE.root)
      query.andWhere('(account.role < :role OR account.id = :actorId)', {
        role: actor.role,
        actorId: actor.id,
      });
    if (userId !== 0) query.andWhere('token.userId = :userId', { userId });
    if (ownerPart !== '')
      query.andWhere(`LOWER(account.username) LIKE LOWER(:owner) ESCAPE '!'`, {
        owner: `%${escapeLike(ownerPart)}%`,
      });
    return query;
  }

  private query(): SelectQueryBuilder<TokenEntity> {
    return this.rows
      .createQueryBuilder('token')
      .addSelect('token.keyEncrypted')
      .innerJoin('users', 'account', 'account.id = token.user_id')
      .leftJoin('users', 'locker', 'locker.id = token.locked_by_id AND token.locked_at_ms IS NOT NULL')
      .where('token.deletedAtMs IS NULL')
      .andWhere('account.deleted_at_ms IS NULL');
  }

  private async read(query: SelectQueryBuilder<TokenEntity>): Promise<OwnedTokenRow[]> {
    const { entities, raw } = await query
      .addSelect('account.username', 'owner_name')
      .addSelect('account.role', 'owner_role')
      .addSelect('locker.username', 'locker_name')
      .getRawAndEntities<Record<'owner_name' | 'owner_role' | 'locker_name', unknown>>();
    return entities.map((token, index) => ({
      token,
      owner: {
        id: token.userId,
        username: String(raw[index]?.owner_name ?? ''),
        role: Number(raw[index]?.owner_role),
      },
      lockedBy: String(raw[index]?.locker_name ?? ''),
    }));
  }
}
