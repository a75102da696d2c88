import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, Repository, type SelectQueryBuilder } from 'typeorm';
import { escapeLike } from '../../common/text.js';
import { withRowLock } from '../../infra/database/dialect-of.js';
import { TokenEntity } from './token.entity.js';

/** A token with its sealed key. */
export type TokenRow = TokenEntity;

/** Columns this module writes; the money columns belong to billing. */
export type TokenColumns = Pick<
  TokenEntity,
  | 'name'
  | 'status'
  | 'expiredTime'
  | 'unlimitedQuota'
  | 'modelLimitsEnabled'
  | 'modelLimits'
  | 'allowIps'
  | 'group'
  | 'tags'
  | 'needsEndUser'
>;

/** The last refused call of a token. */
export type TokenRefusal = { readonly refusedAtMs: number } & Readonly<
  Pick<TokenEntity, 'refusedKind' | 'refusedText'>
>;

export type NewToken = TokenColumns &
  Pick<TokenEntity, 'userId' | 'keyDigest' | 'createdTime' | 'accessedTime'>;

/** The only user of `tokens` beside billing and the caller directory. The owner is part of every question. */
@Injectable()
export class TokensRepository {
  constructor(@InjectRepository(TokenEntity) private readonly rows: Repository<TokenEntity>) {}

  /** Newest first. */
  async page(userId: number, offset: number, limit: number): Promise<{ rows: TokenRow[]; total: number }> {
    const [rows, total] = await this.ofOwner(userId)
      .orderBy('token.id', 'DESC')
      .offset(offset)
      .limit(limit)
      .getManyAndCount();
    return { rows, total };
  }

  /** A page of those whose name contains a text, newest first. */
  async named(
    userId: number,
    namePart: string,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ rows: TokenRow[]; total: number }> {
    const [rows, total] = await this.whereNameContains(userId, namePart)
      .offset(page.offset)
      .limit(page.limit)
      .getManyAndCount();
    return { rows, total };
  }

  /** The newest of those whose name contains a text and whose id is below `beforeId`: reads all of them in bounded steps. */
  async namedBefore(
    userId: number,
    namePart: string,
    { beforeId, limit }: { readonly beforeId: number; readonly limit: number },
  ): Promise<TokenRow[]> {
    return this.whereNameContains(userId, namePart)
      .andWhere('token.id < :beforeId', { beforeId })
      .limit(limit)
      .getMany();
  }

  async find(userId: number, id: number): Promise<TokenRow | null> {
    return this.ofOwner(userId).andWhere('token.id = :id', { id }).getOne();
  }

  /** Reads a token and keeps others from changing it until the transaction ends. */
  async lock(manager: EntityManager, userId: number, id: number): Promise<TokenRow | null> {
    const query = this.ofOwner(userId, manager).andWhere('token.id = :id', { id });
    return withRowLock(query).getOne();
  }

  async count(manager: EntityManager, userId: number): Promise<number> {
    return manager.getRepository(TokenEntity).countBy({ userId, deletedAtMs: IsNull() });
  }

  /** Starts without quota and without a stored key. @returns the new id */
  async insert(manager: EntityManager, token: NewToken): Promise<number> {
    const inserted = await manager
      .getRepository(TokenEntity)
      .insert({ ...token, keyEncrypted: '', deletedAtMs: null, deletedBy: null, wipedAtMs: null });
    const id: unknown = inserted.identifiers[0]?.['id'];
    if (typeof id !== 'number') throw new Error('the database gave no id for a new token');
    return id;
  }

  async storeKey(manager: EntityManager, id: number, keyEncrypted: string): Promise<void> {
    await manager.getRepository(TokenEntity).update({ id }, { keyEncrypted });
  }

  /** @returns false when the token is not (any more) the owner's */
  async update(
    manager: EntityManager,
    { userId, id }: { readonly userId: number; readonly id: number },
    changes: Partial<TokenColumns>,
  ): Promise<boolean> {
    if (Object.keys(changes).length === 0) return true;
    const result = await manager
      .getRepository(TokenEntity)
      .update({ id, userId, deletedAtMs: IsNull() }, { ...changes });
    return result.affected === 1;
  }

  /** Keeps a refusal unless a later one is stored. */
  async noteRefusal(id: number, refusal: TokenRefusal): Promise<void> {
    await this.rows
      .createQueryBuilder()
      .update()
      .set(refusal)
      .where({ id })
      .andWhere('(refused_at_ms IS NULL OR refused_at_ms <= :refusedAtMs)', {
        refusedAtMs: refusal.refusedAtMs,
      })
      .execute();
  }

  /** Which of these ids are the owner's. */
  async owned(userId: number, ids: readonly number[]): Promise<number[]> {
    const rows = await this.rows.find({
      select: { id: true },
      where: { id: In(ids), userId, deletedAtMs: IsNull() },
    });
    return rows.map((row) => row.id);
  }

  /** The sealed key stays, for a restore. @returns how many were the owner's */
  async softDelete(
    manager: EntityManager,
    userId: number,
    ids: readonly number[],
    deletedAtMs: number,
  ): Promise<number> {
    const result = await manager
      .getRepository(TokenEntity)
      .update({ id: In(ids), userId, deletedAtMs: IsNull() }, { deletedAtMs, deletedBy: userId });
    return result.affected ?? 0;
  }

  private whereNameContains(userId: number, namePart: string): SelectQueryBuilder<TokenEntity> {
    const query = this.ofOwner(userId).orderBy('token.id', 'DESC');
    if (namePart === '') return query;
    return query.andWhere(`LOWER(token.name) LIKE LOWER(:name) ESCAPE '!'`, {
      name: `%${escapeLike(namePart)}%`,
    });
  }

  private ofOwner(
    userId: number,
    manager: EntityManager = this.rows.manager,
  ): SelectQueryBuilder<TokenEntity> {
    return manager
      .getRepository(TokenEntity)
      .createQueryBuilder('token')
      .addSelect('token.keyEncrypted')
      .where('token.userId = :userId', { userId })
      .andWhere('token.deletedAtMs IS NULL');
  }
}
