import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager, LessThanOrEqual, MoreThanOrEqual } from 'typeorm';
import { runInTransaction } from '../../infra/database/run-in-transaction.js';
import type { JobRun } from '../../infra/schedule/job-run.js';
import { Clock } from '../../common/clock.js';
import { AuditChainEntity } from './audit-chain.entity.js';
import { AuditEventEntity } from './audit-event.entity.js';
import { AuditLog, lockChain } from './audit-log.js';
import { AuditService } from './audit.service.js';
import { PRUNE_ACTION } from './verify-chain.js';

const DAY_MS = 24 * 3_600_000;
/** Minimum retention, in days, whatever the option is set to. */
export const MIN_DAYS = 400;
/** Rows removed under one lock. */
const BATCH = 2_000;

/** Maintains the chain: logs its end and whether it is intact, and removes rows past their retention. */
@Injectable()
export class AuditMaintenance {
  private readonly logger = new Logger('Audit');

  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly audit: AuditService,
    private readonly log: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** @param days  how long rows are kept; 0 = for ever */
  async run(days: number, run?: JobRun): Promise<void> {
    const { fault, headSequence, headHash } = await this.audit.verify();
    if (fault === null) this.logger.log(`audit log intact up to ${headSequence}:${headHash}`);
    else
      this.logger.error(
        `audit log does not fit at row ${fault.sequence} (${fault.kind}); nothing is removed`,
      );
    // A broken chain is evidence: nothing is removed.
    if (fault === null) await this.prune(days, run);
  }

  /** @returns how many rows were removed */
  async prune(days: number, run?: JobRun): Promise<number> {
    if (days === 0) return 0;
    const beforeMs = this.clock.nowMs() - Math.max(days, MIN_DAYS) * DAY_MS;
    let removed = 0;
    for (;;) {
      const count = await runInTransaction(this.dataSource, async (manager) => {
        await run?.guard(manager);
        return this.pruneBatch(manager, beforeMs);
      });
      removed += count;
      if (count < BATCH) return removed;
    }
  }

  /** The oldest rows, and a row about the removal, which makes the new start of the chain believable. */
  private async pruneBatch(manager: EntityManager, beforeMs: number): Promise<number> {
    const chain = await lockChain(manager);
    const events = manager.getRepository(AuditEventEntity);
    const kept = await events.find({
      where: { createdAtMs: MoreThanOrEqual(beforeMs) },
      order: { sequence: 'ASC' },
      take: 1,
      select: { sequence: true },
    });
    const through = Math.min((kept[0]?.sequence ?? chain.headSequence) - 1, chain.baseSequence + BATCH);
    const last = await events.findOneBy({ sequence: through });
    if (last === null || through <= chain.baseSequence) return 0;
    const count = through - chain.baseSequence;
    await events.delete({ sequence: LessThanOrEqual(through) });
    await manager
      .getRepository(AuditChainEntity)
      .update({ id: chain.id }, { baseSequence: through, baseHash: last.hash });
    await this.log.record(manager, {
      actorId: 0,
      actorRole: 0,
      action: PRUNE_ACTION,
      targetType: 'audit',
      targetId: '',
      detail: { through_sequence: through, through_hash: last.hash, count },
    });
    return count;
  }
}
