import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { Actor } from '../../../base/access/current-actor.js';
import { AuditLog } from '../../../base/audit/audit-log.js';
import { assertKept, assertMayUndo, isKept, KEPT_MS } from '../../../base/bin/bin-rules.js';
import { DeletedRows } from '../../../base/bin/deleted-rows.js';
import type { BinItem, BinQuery } from '../../../base/bin/bin-view.js';
import { presentBinRow, readBinPage } from '../../../base/bin/present-bin.js';
import { Clock } from '../../../common/clock.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { Page } from '../../../common/page.js';
import { clearInBatches } from '../../../infra/schedule/clear-in-batches.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../../infra/schedule/leased-interval.js';
import { ChannelStore } from '../state/channel-store.js';
import { ChannelEntity } from '../state/channel.entity.js';
import { ChannelAudit } from './channel-audit.js';

const HOUR_MS = 3_600_000;
const BATCH = 200;

/**
 * Deleted channels: the administrator who deleted one undoes it, root restores and wipes. A restored channel is what it was, its status
 * included; one without a key at its deletion comes back without one.
 */
@Injectable()
export class ChannelBin {
  private readonly logger = new Logger(ChannelBin.name);
  private readonly deleted: DeletedRows<ChannelEntity>;

  constructor(
    @InjectRepository(ChannelEntity) rows: Repository<ChannelEntity>,
    private readonly store: ChannelStore,
    private readonly acts: ChannelAudit,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {
    this.deleted = new DeletedRows(rows, { sealedKey: 'key' });
  }

  /** Fails: DomainError `page_out_of_reach`. */
  list(query: BinQuery): Promise<Page<BinItem>> {
    const nowMs = this.clock.nowMs();
    return readBinPage(query, async (offset, limit) => {
      const { rows, total } = await this.deleted.page(offset, limit);
      const items = rows.map((row) =>
        presentBinRow(row, row.deletedBy === null || !isKept(row, nowMs) ? 'not_kept' : ''),
      );
      return { items, total };
    });
  }

  /**
   * Undoes deletions by the actor: all of them or none.
   * @returns how many. Fails: DomainError `not_found`, `undo_over`, `restore_not_kept`.
   */
  undo(actor: Actor, ids: readonly number[]): Promise<number> {
    return this.bringBack(actor, ids, (row) => assertMayUndo(row, actor, this.clock.nowMs()));
  }

  /** Restores channels: all of them or none. @returns how many. Fails: DomainError `not_found`, `restore_not_kept`. */
  restore(actor: Actor, ids: readonly number[]): Promise<number> {
    return this.bringBack(actor, ids, () => undefined);
  }

  /** Removes sealed keys for good: of all channels named or of none. @returns how many. Fails: DomainError `not_found`. */
  async wipe(actor: Actor, ids: readonly number[]): Promise<number> {
    const wanted = [...new Set(ids)];
    const wiped = await this.store.changeDeleted(async (manager) => {
      const count = await this.deleted.wipe(manager, wanted, this.clock.nowMs());
      if (count !== wanted.length) throw new DomainError('not_found');
      return count;
    });
    await this.acts.note(actor, 'channel.wipe', `Deleted channels ${wanted.join(', ')} for good`, {
      channel_ids: wanted,
    });
    return wiped;
  }

  /** Removes the sealed keys of channels that were deleted 30 days ago. Fails: with the database's error; the next run goes on. */
  @LeasedInterval('deleted-channels', HOUR_MS)
  async sweep(run?: JobRun): Promise<void> {
    const nowMs = this.clock.nowMs();
    const wiped = await clearInBatches(this.clock, run, () =>
      this.store.changeDeleted(async (manager) => {
        await run?.guard(manager);
        const due = await this.deleted.due(manager, nowMs - KEPT_MS, BATCH);
        const count = await this.deleted.wipe(manager, due, nowMs);
        if (count > 0)
          await this.audit.record(manager, {
            actorId: 0,
            actorRole: 0,
            action: 'channel.wipe',
            targetType: 'channel',
            targetId: due.length === 1 ? (due[0] ?? '') : '',
            detail: { channel_ids: due },
          });
        return count;
      }),
    );
    if (wiped > 0) this.logger.log(`removed the keys of ${wiped} deleted channels`);
  }

  private async bringBack(
    actor: Actor,
    ids: readonly number[],
    admit: (row: ChannelEntity) => void,
  ): Promise<number> {
    const wanted = [...new Set(ids)];
    const restored = await this.store.change(async (manager) => {
      const rows = await this.deleted.lock(manager, wanted);
      if (rows.length !== wanted.length) throw new DomainError('not_found');
      for (const row of rows) {
        admit(row);
        // A version that kept no key names no account that deleted the channel.
        if (row.deletedBy === null) throw new DomainError('restore_not_kept');
        assertKept(row, this.clock.nowMs());
      }
      const count = await this.deleted.restore(manager, wanted);
      await this.store.offer(manager, rows);
      return count;
    });
    await this.acts.note(actor, 'channel.restore', `Restored channels ${wanted.join(', ')}`, {
      channel_ids: wanted,
    });
    return restored;
  }
}
