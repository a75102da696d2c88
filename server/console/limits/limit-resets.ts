import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Between, DataSource, type EntityManager } from 'typeorm';
import { DomainError } from '../../common/errors/domain-error.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import { StoreUnavailableError } from '../../infra/shared-store/shared-store.js';
import type { Actor } from '../../base/access/current-actor.js';
import { hasEndlessValues } from '../../base/limits/call-limits.js';
import type { LimitEntity } from '../../base/limits/limit.entity.js';
import { LimitUseEntity } from '../../base/limits/limit-use.entity.js';
import { countedSpan } from '../../base/limits/limit-uses.js';
import { LimitStore } from '../../base/limits/limit-store.js';
import { LimitZones } from '../../base/limits/limit-zones.js';
import type { LimitReset } from './dto/limit.dto.js';
import { LimitParts } from './limit-administration.js';
import { checkReason } from './limit-rules.js';

/**
 * Takes the use of the running period off. What settlements added stays as it is: a row of its own kind is beside it, so that a window that is
 * rebuilt has it, too. The period ends when it would have ended.
 */
@Injectable()
export class LimitResets {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly parts: LimitParts,
    private readonly zones: LimitZones,
    private readonly store: LimitStore,
  ) {}

  /**
   * Resets one value of a limit for each, or the whole of another limit. Running calls count when they are settled.
   * Fails: as `LimitParts.assertMayChange`; limit_reason; limit_field, for a value that is missing or too much; limit_reset_nothing.
   */
  async reset(actor: Actor, id: number, { value, reason: typed }: LimitReset): Promise<void> {
    const reason = checkReason(typed);
    const known = await this.parts.assertMayChange(actor, id);
    // Without a value it is that of all other values, of a limit that may have them.
    if (known.each && value === '' && !hasEndlessValues(known))
      throw new DomainError('limit_field', { field: 'value', problem: 'is missing' });
    if (!known.each && value !== '')
      throw new DomainError('limit_field', { field: 'value', problem: 'is only for a limit for each' });
    const { records, cache } = this.parts;
    const zones = await this.zones.changes();
    const taken = await runInTransaction(this.dataSource, async (manager) => {
      await records.begin(manager);
      const limit = await this.parts.locked(manager, id);
      const { fromMs, toMs } = countedSpan(limit, cache.nowMs(), zones);
      const changes = await takeOff(manager, limit, value, { fromMs, toMs });
      const amount = -[...changes.values()].reduce((sum, change) => sum + change, 0);
      if (amount === 0) throw new DomainError('limit_reset_nothing');
      await records.record(manager, actor, 'reset', limit, { value, amount, reason });
      return changes;
    });
    // A store that is away or was emptied fills its windows from the books.
    await this.store.correct(known, value, taken).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailableError)) throw error;
    });
    await records.publish();
  }
}

/** @returns start of the period or bucket → change of its use, below 0 */
async function takeOff(
  manager: EntityManager,
  { id: limitId }: LimitEntity,
  value: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<ReadonlyMap<number, number>> {
  const uses = manager.getRepository(LimitUseEntity);
  const rows = await uses.findBy({ limitId, value, periodStartMs: Between(fromMs, toMs) });
  const changes = new Map<number, number>();
  for (const [periodStartMs, own] of Map.groupBy(rows, (row) => row.periodStartMs)) {
    const used = own.reduce((sum, row) => sum + row.used, 0);
    if (used <= 0) continue;
    const before = own.find(({ kind }) => kind === 'reset');
    const key = { limitId, value, periodStartMs, kind: 'reset' as const };
    if (before === undefined) await uses.insert({ ...key, used: -used, calls: 0 });
    else await uses.update(key, { used: before.used - used });
    changes.set(periodStartMs, -used);
  }
  return changes;
}
