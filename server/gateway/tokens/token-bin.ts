import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import type { Actor } from '../../base/access/current-actor.js';
import { assertKept, assertMayUndo, isKept, KEPT_MS } from '../../base/bin/bin-rules.js';
import { DeletedRows, type ListedRow } from '../../base/bin/deleted-rows.js';
import type { BinItem, BinQuery } from '../../base/bin/bin-view.js';
import { presentBinRow, readBinPage } from '../../base/bin/present-bin.js';
import { Clock } from '../../common/clock.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { Page } from '../../common/page.js';
import { clearInBatches } from '../../infra/schedule/clear-in-batches.js';
import type { JobRun } from '../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';
import { TokenPolicy } from './token-policy.js';
import { TokenStore } from './token-store.js';
import { TokenEntity } from './token.entity.js';
import { TokensRepository } from './tokens.repository.js';

const HOUR_MS = 3_600_000;
const BATCH = 200;

/**
 * Deleted API tokens: their owner undoes a deletion, root restores and wipes. A restored token is what it was: limits, expiry, what it
 * may still spend. Calls with its key are refused until then, and answered from then on.
 */
@Injectable()
export class TokenBin {
  private readonly logger = new Logger(TokenBin.name);
  private readonly deleted: DeletedRows<TokenEntity>;

  constructor(
    @InjectRepository(TokenEntity) rows: Repository<TokenEntity>,
    private readonly tokens: TokensRepository,
    private readonly store: TokenStore,
    private readonly policy: TokenPolicy,
    private readonly clock: Clock,
  ) {
    this.deleted = new DeletedRows(rows, { sealedKey: 'keyEncrypted', owner: 'userId' });
  }

  /** Fails: DomainError `page_out_of_reach`. */
  list(query: BinQuery): Promise<Page<BinItem>> {
    const nowMs = this.clock.nowMs();
    return readBinPage(query, async (offset, limit) => {
      const { rows, total } = await this.deleted.page(offset, limit);
      return { items: rows.map((row) => presentBinRow(row, hindranceOf(row, nowMs))), total };
    });
  }

  /**
   * Undoes deletions of the actor's own tokens: all of them or none.
   * @returns how many. Fails: DomainError `not_found`, `undo_over`, `restore_not_kept`, `token_limit_reached`.
   */
  undo(actor: Actor, ids: readonly number[]): Promise<number> {
    return this.bringBack(actor, ids, (row) => {
      if (row.userId !== actor.id) throw new DomainError('not_found');
      assertMayUndo(row, actor, this.clock.nowMs());
    });
  }

  /**
   * Restores tokens of any account: all of them or none.
   * @returns how many. Fails: DomainError `not_found`, `restore_not_kept`, `restore_owner_deregistered`, `token_limit_reached`.
   */
  restore(actor: Actor, ids: readonly number[]): Promise<number> {
    return this.bringBack(actor, ids, () => undefined);
  }

  /** Removes sealed keys for good: of all tokens named or of none. @returns how many. Fails: DomainError `not_found`. */
  wipe(actor: Actor, ids: readonly number[]): Promise<number> {
    const wanted = [...new Set(ids)];
    return this.store.change([], async (manager) => {
      const wiped = await this.deleted.wipe(manager, wanted, this.clock.nowMs());
      if (wiped !== wanted.length) throw new DomainError('not_found');
      await this.store.record(manager, actor, { verb: 'wipe', ids: wanted });
      return wiped;
    });
  }

  /** Removes the sealed keys of tokens that were deleted 30 days ago. Fails: with the database's error; the next run goes on. */
  @LeasedInterval('deleted-tokens', HOUR_MS)
  async sweep(run?: JobRun): Promise<void> {
    const nowMs = this.clock.nowMs();
    const wiped = await clearInBatches(this.clock, run, () =>
      this.store.change([], async (manager) => {
        await run?.guard(manager);
        const due = await this.deleted.due(manager, nowMs - KEPT_MS, BATCH);
        const count = await this.deleted.wipe(manager, due, nowMs);
        if (count > 0) await this.store.record(manager, SYSTEM, { verb: 'wipe', ids: due });
        return count;
      }),
    );
    if (wiped > 0) this.logger.log(`removed the keys of ${wiped} deleted tokens`);
  }

  private bringBack(
    actor: Actor,
    ids: readonly number[],
    admit: (row: TokenEntity) => void,
  ): Promise<number> {
    const wanted = [...new Set(ids)];
    return this.store.change(wanted, async (manager) => {
      const found = await this.deleted.find(manager, wanted);
      if (found.length !== wanted.length) throw new DomainError('not_found');
      found.forEach(admit);
      // Accounts before tokens, in order: the order in which everything locks them.
      const owners = Map.groupBy(found, ({ userId }) => userId);
      for (const [owner, rows] of [...owners].toSorted(([a], [b]) => a - b))
        await this.policy.assertRoom(manager, owner, {
          wanted: rows.length,
          countOwned: () => this.tokens.count(manager, owner),
        });
      await this.assertRestorable(manager, wanted);
      const restored = await this.deleted.restore(manager, wanted);
      await this.store.record(manager, actor, { verb: 'restore', ids: wanted });
      return restored;
    });
  }

  private async assertRestorable(manager: EntityManager, ids: readonly number[]): Promise<void> {
    const locked = await this.deleted.lock(manager, ids);
    if (locked.length !== ids.length) throw new DomainError('not_found');
    for (const row of locked) {
      // A version that kept no key names no account that deleted the token.
      if (row.deletedBy === null) throw new DomainError('restore_not_kept');
      assertKept(row, this.clock.nowMs());
    }
  }
}

const SYSTEM = { id: 0, role: 0 };

const hindranceOf = (row: ListedRow, nowMs: number) =>
  row.deletedBy === null || !isKept(row, nowMs)
    ? 'not_kept'
    : row.isOwnerDeregistered
      ? 'owner_deregistered'
      : '';
