import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, LessThanOrEqual, Repository } from 'typeorm';
import { isDuplicateKey } from '../../infra/database/run-in-transaction.js';
import { PersonalDataTables } from '../../base/users/personal-data-tables.js';
import { WeeklyEmailEntity } from './weekly-email.entity.js';

/** Which accounts have a weekly summary, and when it is due. Every change of a row names the state it was read in. */
@Injectable()
export class WeeklyEmailsRepository {
  constructor(
    @InjectRepository(WeeklyEmailEntity) private readonly rows: Repository<WeeklyEmailEntity>,
    personal: PersonalDataTables,
  ) {
    personal.register(WeeklyEmailEntity);
  }

  find(userId: number): Promise<WeeklyEmailEntity | null> {
    return this.rows.findOneBy({ userId });
  }

  /** Rows that are due, the longest waiting first. */
  listDue(nowMs: number, limit: number): Promise<WeeklyEmailEntity[]> {
    return this.rows.find({
      where: { dueAtMs: LessThanOrEqual(nowMs) },
      order: { dueAtMs: 'ASC', userId: 'ASC' },
      take: limit,
    });
  }

  /** Takes the place of the row a switch changes, so that two switches at once do not both count. */
  async ensure(userId: number): Promise<void> {
    try {
      await this.rows.insert({ userId, dueAtMs: null, lastWeek: 0, failures: 0 });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }

  /** @returns false when the summary was switched on or off already */
  async switch(manager: EntityManager, userId: number, dueAtMs: number | null): Promise<boolean> {
    const update = manager
      .getRepository(WeeklyEmailEntity)
      .createQueryBuilder()
      .update()
      .set({ dueAtMs, failures: 0 })
      .where({ userId })
      .andWhere(dueAtMs === null ? 'due_at_ms IS NOT NULL' : 'due_at_ms IS NULL');
    return (await update.execute()).affected === 1;
  }

  /** @returns false when another instance changed the row first */
  async change(
    { userId, dueAtMs, lastWeek }: WeeklyEmailEntity,
    to: Pick<WeeklyEmailEntity, 'dueAtMs' | 'lastWeek' | 'failures'>,
  ): Promise<boolean> {
    if (dueAtMs === null) return false;
    const result = await this.rows.update({ userId, dueAtMs, lastWeek }, to);
    return result.affected === 1;
  }
}
