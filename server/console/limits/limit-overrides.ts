import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import type { Actor } from '../../base/access/current-actor.js';
import { periodAt, ROLLING_MS } from '../../base/limits/calendar-periods.js';
import type { LimitEntity } from '../../base/limits/limit.entity.js';
import { LimitZones } from '../../base/limits/limit-zones.js';
import type { LimitOverrideInput } from './dto/limit.dto.js';
import { LimitParts } from './limit-administration.js';
import { checkAmount, checkReason } from './limit-rules.js';

/** Another amount for the running period. Audited. */
@Injectable()
export class LimitOverrides {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly parts: LimitParts,
    private readonly zones: LimitZones,
  ) {}

  /**
   * Sets another amount until the period ends; a rolling limit has it for the length of its period.
   * Fails: as `LimitParts.assertMayChange`; limit_amount_range; limit_reason; limit_override_endless; limit_above_others.
   */
  async set(actor: Actor, id: number, input: LimitOverrideInput): Promise<void> {
    const amount = checkAmount(input.amount);
    const reason = checkReason(input.reason);
    const known = await this.parts.assertMayChange(actor, id);
    await this.parts.assertNotAbove(known, actor.id, amount);
    const { limits, records, cache } = this.parts;
    const untilMs = await this.endOf(known, cache.nowMs());
    await runInTransaction(this.dataSource, async (manager) => {
      await records.begin(manager);
      const before = await this.parts.locked(manager, id);
      await limits.update(manager, id, {
        overrideAmount: amount,
        overrideUntilMs: untilMs,
        overrideBy: actor.id,
        overrideReason: reason,
        updatedAtMs: cache.nowMs(),
        version: before.version + 1,
      });
      await records.record(manager, actor, 'override', before, {
        amount_before: before.overrideAmount ?? before.amount,
        amount_after: amount,
        until: Math.floor(untilMs / 1_000),
        reason,
      });
    });
    await records.publish();
  }

  /** Ends an override early; nothing happens without one. Fails: as `LimitParts.assertMayChange`. */
  async end(actor: Actor, id: number): Promise<void> {
    await this.parts.assertMayChange(actor, id);
    const { limits, records, cache } = this.parts;
    await runInTransaction(this.dataSource, async (manager) => {
      await records.begin(manager);
      const before = await this.parts.locked(manager, id);
      if (before.overrideAmount === null) return;
      await limits.update(manager, id, {
        overrideAmount: null,
        overrideUntilMs: null,
        overrideBy: 0,
        overrideReason: '',
        updatedAtMs: cache.nowMs(),
        version: before.version + 1,
      });
      await records.record(manager, actor, 'override_end', before, {
        amount_before: before.overrideAmount,
        amount_after: before.amount,
      });
    });
    await records.publish();
  }

  /** Milliseconds. Fails: limit_override_endless. */
  private async endOf({ period, rolling }: LimitEntity, nowMs: number): Promise<number> {
    if (period === '' || period === 'ever') throw new DomainError('limit_override_endless');
    if (rolling) return nowMs + ROLLING_MS[period];
    const { resetsAtMs } = periodAt(period, nowMs, await this.zones.changes());
    if (resetsAtMs === null) throw new DomainError('limit_override_endless');
    return resetsAtMs;
  }
}
