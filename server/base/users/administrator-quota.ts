import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import { DIALECTS } from '../../infra/database/dialect.js';
import { sessionOf } from '../../infra/database/manager-session.js';
import { ROLE } from '../access/user.codes.js';
import { OptionsService } from '../options/options.service.js';

const DAY_MS = 86_400_000;
/** Largest sum of a day; further quota leaves it as it is where there is no limit. */
const LARGEST = Number.MAX_SAFE_INTEGER;

interface Administrator {
  readonly id: number;
  readonly role: number;
}

/** Bounds the quota that administrators below root add: at once, and within a day (UTC). Both limits are root's options. */
@Injectable()
export class AdministratorQuota {
  constructor(
    private readonly options: OptionsService,
    private readonly clock: Clock,
  ) {}

  /**
   * @param amount  quota of one act; below 0 = taken away
   * Fails: DomainError `refusal` with `limit`.
   */
  assertAtOnce(
    actor: Administrator,
    amount: number,
    refusal: 'adjustment_too_large' | 'redemption_worth_too_large',
  ): void {
    const { AdministratorAdjustmentLimit: limit } = this.options.values();
    if (limit > 0 && Math.abs(amount) > limit && actor.role < ROLE.root)
      throw new DomainError(refusal, { limit });
  }

  /**
   * Counts quota that an administrator adds, in the transaction that adds it, after its other locks and before its audit row. Root is
   * not counted; nothing lowers the sum of a day.
   * @param amount  quota added; 0 or less counts nothing
   * Fails: DomainError `administrator_daily_limit` with `limit` and `rest`; the transaction must end then.
   */
  async count(manager: EntityManager, actor: Administrator, amount: number): Promise<void> {
    if (actor.role >= ROLE.root || amount <= 0) return;
    const { AdministratorDailyQuotaLimit: limit } = this.options.values();
    const session = sessionOf(manager);
    const row = [actor.id, Math.floor(this.clock.nowMs() / DAY_MS)];
    const again = DIALECTS[session.dialect].orKeep({
      table: 'administrator_quota_days',
      key: ['user_id', 'day'],
    });
    await session.run(
      `INSERT INTO "administrator_quota_days" ("user_id", "day", "added_quota") VALUES (?, ?, 0) ${again}`,
      row,
    );
    const { affected } = await session.run(
      `UPDATE "administrator_quota_days"
          SET "added_quota" = CASE WHEN "added_quota" > ? THEN ${LARGEST} ELSE "added_quota" + ? END
        WHERE "user_id" = ? AND "day" = ? AND "added_quota" <= ?`,
      [LARGEST - amount, amount, ...row, limit === 0 ? LARGEST : limit - amount],
    );
    if (affected === 1) return;
    const { rows } = await session.run(
      'SELECT "added_quota" AS "added" FROM "administrator_quota_days" WHERE "user_id" = ? AND "day" = ?',
      row,
    );
    const rest = Math.max(0, limit - Number(rows[0]?.['added'] ?? 0));
    throw new DomainError('administrator_daily_limit', { limit, rest });
  }
}
