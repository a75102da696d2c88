import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In, IsNull, Not } from 'typeorm';
import { escapeLike } from '../../common/text.js';
import { TokenEntity } from './token.entity.js';

/** Names of tokens, for searches of the usage log; deleted tokens keep theirs, since the log has their calls. */
@Injectable()
export class TokenNames {
  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Names of tokens by id, deleted ones too. Ids that no token has or had are missing. Fails: with the database's error. */
  async of(ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
    const wanted = [...new Set(ids)].filter((id) => id > 0);
    if (wanted.length === 0) return new Map();
    const rows = await this.dataSource.getRepository(TokenEntity).find({
      select: { id: true, name: true },
      where: { id: In(wanted) },
    });
    return new Map(rows.map((row) => [row.id, row.name]));
  }

  /** Name and owner of tokens by id; deleted ones are missing. Fails: with the database's error. */
  async live(
    ids: readonly number[],
  ): Promise<ReadonlyMap<number, { readonly name: string; readonly ownerId: number }>> {
    const wanted = [...new Set(ids)].filter((id) => id > 0);
    if (wanted.length === 0) return new Map();
    const rows = await this.dataSource.getRepository(TokenEntity).find({
      select: { id: true, name: true, userId: true },
      where: { id: In(wanted), deletedAtMs: IsNull() },
    });
    return new Map(rows.map(({ id, name, userId }) => [id, { name, ownerId: userId }]));
  }

  /** Ids of the tokens of an account that are not deleted. Fails: with the database's error. */
  async idsOf(ownerId: number): Promise<readonly number[]> {
    const rows = await this.dataSource.getRepository(TokenEntity).find({
      select: { id: true },
      where: { userId: ownerId, deletedAtMs: IsNull() },
    });
    return rows.map(({ id }) => id);
  }

  /** Groups that tokens run in; tokens that run in their owner's group have none. Fails: with the database's error. */
  async groupsOf(ids: readonly number[]): Promise<readonly string[]> {
    if (ids.length === 0) return [];
    const rows = await this.dataSource.getRepository(TokenEntity).find({
      select: { group: true },
      where: { id: In([...ids]), group: Not('') },
    });
    return [...new Set(rows.map(({ group }) => group))];
  }

  /**
   * Names that contain a text in any case, sorted, each once.
   * @param limit  most names that are returned
   * @param ownerId  only tokens of this account; of every account when left out
   */
  async containing(part: string, limit: number, ownerId?: number): Promise<readonly string[]> {
    const query = this.dataSource
      .getRepository(TokenEntity)
      .createQueryBuilder('token')
      .select('token.name', 'name')
      .where(`LOWER(token.name) LIKE :part ESCAPE '!'`, { part: `%${escapeLike(part.toLowerCase())}%` });
    if (ownerId !== undefined) query.andWhere('token.userId = :ownerId', { ownerId });
    const rows = await query
      .groupBy('token.name')
      .orderBy('token.name', 'ASC')
      .limit(limit)
      .getRawMany<{ name: string }>();
    return rows.map(({ name }) => name);
  }
}
