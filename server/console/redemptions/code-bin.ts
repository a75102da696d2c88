import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Actor } from '../../base/access/current-actor.js';
import { assertKept, assertMayUndo, isKept, KEPT_MS } from '../../base/bin/bin-rules.js';
import { DeletedRows } from '../../base/bin/deleted-rows.js';
import type { BinItem, BinQuery } from '../../base/bin/bin-view.js';
import { presentBinRow, readBinPage } from '../../base/bin/present-bin.js';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Page } from '../../common/page.js';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import { clearInBatches } from '../../infra/schedule/clear-in-batches.js';
import type { JobRun } from '../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';
import { CodeActs } from './code-acts.js';
import { REDEMPTION_STATUS } from './redemption.codes.js';
import { RedemptionEntity } from './redemption.entity.js';

const HOUR_MS = 3_600_000;
const BATCH = 200;

/**
 * Deleted redemption codes that were not used: the administrator who deleted one undoes it, root restores and wipes. A restored code is
 * what it was: a disabled one stays disabled, an expired one expired.
 */
@Injectable()
export class CodeBin {
  private readonly logger = new Logger(CodeBin.name);
  private readonly deleted: DeletedRows<RedemptionEntity>;

  constructor(
    @InjectRepository(RedemptionEntity) private readonly rows: Repository<RedemptionEntity>,
    private readonly acts: CodeActs,
    private readonly clock: Clock,
  ) {
    const only = `item.status <> ${REDEMPTION_STATUS.used}`;
    this.deleted = new DeletedRows(rows, { sealedKey: 'keyEncrypted', owner: 'userId', only });
  }

  /** Used codes are left out. Fails: DomainError `page_out_of_reach`. */
  list(query: BinQuery): Promise<Page<BinItem>> {
    const nowMs = this.clock.nowMs();
    return readBinPage(query, async (offset, limit) => {
      const { rows, total } = await this.deleted.page(offset, limit);
      return { items: rows.map((row) => presentBinRow(row, isKept(row, nowMs) ? '' : 'not_kept')), total };
    });
  }

  /**
   * Undoes deletions by the actor: all of them or none.
   * @returns how many. Fails: DomainError `not_found`, `undo_over`, `restore_code_used`, `restore_not_kept`.
   */
  undo(actor: Actor, ids: readonly number[]): Promise<number> {
    return this.bringBack(actor, ids, (row) => assertMayUndo(row, actor, this.clock.nowMs()));
  }

  /**
   * Restores codes: all of them or none.
   * @returns how many. Fails: DomainError `not_found`, `restore_code_used`, `restore_not_kept`.
   */
  restore(actor: Actor, ids: readonly number[]): Promise<number> {
    return this.bringBack(actor, ids, () => undefined);
  }

  /**
   * Removes sealed codes for good: of all rows named or of none.
   * @returns how many. Fails: DomainError `not_found`, `restore_code_used`.
   */
  wipe(actor: Actor, ids: readonly number[]): Promise<number> {
    const wanted = [...new Set(ids)];
    return this.transaction(async (manager) => {
      await this.lockUnused(manager, wanted);
      const wiped = await this.deleted.wipe(manager, wanted, this.clock.nowMs());
      if (wiped !== wanted.length) throw new DomainError('not_found');
      await this.acts.recordMany(manager, actor, 'wipe', wanted);
      return wiped;
    });
  }

  /** Removes unused codes that were deleted 30 days ago. Fails: with the database's error; the next run goes on. */
  @LeasedInterval('deleted-codes', HOUR_MS)
  async sweep(run?: JobRun): Promise<void> {
    const nowMs = this.clock.nowMs();
    const wiped = await clearInBatches(this.clock, run, () =>
      this.transaction(async (manager) => {
        await run?.guard(manager);
        const due = await this.deleted.due(manager, nowMs - KEPT_MS, BATCH);
        const count = await this.deleted.wipe(manager, due, nowMs);
        if (count > 0) await this.acts.recordMany(manager, { id: 0, role: 0 }, 'wipe', due);
        return count;
      }),
    );
    if (wiped > 0) this.logger.log(`removed ${wiped} deleted redemption codes`);
  }

  private bringBack(
    actor: Actor,
    ids: readonly number[],
    admit: (row: RedemptionEntity) => void,
  ): Promise<number> {
    const wanted = [...new Set(ids)];
    return this.transaction(async (manager) => {
      for (const row of await this.lockUnused(manager, wanted)) {
        admit(row);
        assertKept(row, this.clock.nowMs());
      }
      const restored = await this.deleted.restore(manager, wanted);
      await this.acts.recordMany(manager, actor, 'restore', wanted);
      return restored;
    });
  }

  private async lockUnused(manager: EntityManager, ids: readonly number[]): Promise<RedemptionEntity[]> {
    const rows = await this.deleted.lock(manager, ids);
    if (rows.length !== ids.length) throw new DomainError('not_found');
    if (rows.some(({ status }) => status === REDEMPTION_STATUS.used))
      throw new DomainError('restore_code_used');
    return rows;
  }

  private transaction<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return runInTransaction(this.rows.manager.connection, work);
  }
}
