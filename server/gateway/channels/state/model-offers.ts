import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { escapeLike } from '../../../common/text.js';
import { AbilityEntity } from './ability.entity.js';

/** Which models enabled channels serve, and in which groups. */
@Injectable()
export class ModelOffers {
  constructor(@InjectRepository(AbilityEntity) private readonly rows: Repository<AbilityEntity>) {}

  /** Each pair once, sorted by model. Fails: with the database's error. */
  async all(): Promise<readonly Pick<AbilityEntity, 'model' | 'group'>[]> {
    return this.rows
      .createQueryBuilder('ability')
      .select('ability.model', 'model')
      .addSelect('ability.group', 'group')
      .where('ability.enabled = :enabled', { enabled: true })
      .groupBy('ability.model')
      .addGroupBy('ability.group')
      .orderBy('ability.model', 'ASC')
      .addOrderBy('ability.group', 'ASC')
      .getRawMany();
  }

  /**
   * Models of channels, disabled ones too, whose name contains a text in any case; sorted.
   * @param limit  most names that are returned
   * @param groups  only what these groups may call; all when left out
   */
  async containing(part: string, limit: number, groups?: readonly string[]): Promise<readonly string[]> {
    if (groups?.length === 0) return [];
    const query = this.rows
      .createQueryBuilder('ability')
      .select('ability.model', 'model')
      .where(`LOWER(ability.model) LIKE :part ESCAPE '!'`, { part: `%${escapeLike(part.toLowerCase())}%` });
    if (groups !== undefined) query.andWhere('ability.group IN (:...groups)', { groups });
    const rows = await query
      .groupBy('ability.model')
      .orderBy('ability.model', 'ASC')
      .limit(limit)
      .getRawMany<{ model: string }>();
    return rows.map(({ model }) => model);
  }
}
