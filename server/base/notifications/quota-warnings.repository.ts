import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { isDuplicateKey } from '../../infra/database/run-in-transaction.js';
import { Clock } from '../../common/clock.js';
import { QuotaWarningEntity } from './quota-warning.entity.js';

/** Which accounts were warned, when, and at which balance. */
@Injectable()
export class QuotaWarningsRepository {
  constructor(
    @InjectRepository(QuotaWarningEntity) private readonly warnings: Repository<QuotaWarningEntity>,
    private readonly clock: Clock,
  ) {}

  async listOf(userIds: readonly number[]): Promise<ReadonlyMap<number, QuotaWarningEntity>> {
    const rows = await this.warnings.findBy({ userId: In([...userIds]) });
    return new Map(rows.map((row) => [row.userId, row]));
  }

  /** @returns false when another instance wrote it first */
  async insert(userId: number, balance: number): Promise<boolean> {
    try {
      await this.warnings.insert({ userId, warnedAtMs: this.clock.nowMs(), balance });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /** @returns false when another instance wrote a later warning first */
  async renew({ userId, warnedAtMs }: QuotaWarningEntity, balance: number): Promise<boolean> {
    const change = { warnedAtMs: this.clock.nowMs(), balance };
    const result = await this.warnings.update({ userId, warnedAtMs }, change);
    return result.affected === 1;
  }

  async delete(userId: number): Promise<void> {
    await this.warnings.delete({ userId });
  }
}
