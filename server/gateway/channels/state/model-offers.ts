import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
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
}
