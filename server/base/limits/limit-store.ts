import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, In } from 'typeorm';
import { dialectOf } from '../../infra/database/dialect-of.js';
import { renderSql } from '../../infra/database/sql-store.js';
import { SharedStore, StoreUnavailableError } from '../../infra/shared-store/shared-store.js';
import { windowKey } from './call-limits.js';
import { isShared, type LimitDefinition } from './limit-definition.js';
import { readMarks } from './limit-marks.js';
import { LimitEntity } from './limit.entity.js';
import { fieldOfBooked } from './window-moments.js';

/** Windows of limits as admission counts them. */
@Injectable()
export class LimitStore {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly store: SharedStore,
  ) {}

  /**
   * Use and holds by start of the period or bucket; undefined = no call has asked yet, or the shared store lost its data. Fails:
   * StoreUnavailableError; with the database's error.
   * @param value  empty, or the value of a limit for each
   */
  async sums(limit: LimitDefinition, value: string): Promise<ReadonlyMap<number, number> | undefined> {
    const userId = await this.ownerOf(limit, value);
    return this.store.limits.read({ key: windowKey(limit, value), isShared: isShared(limit), userId });
  }

  /**
   * Adds corrections that are committed in `limit_use` to the window, so that the next call sees them.
   * @param changes  start of the period or bucket → change. Fails: as `sums`.
   */
  async correct(limit: LimitDefinition, value: string, changes: ReadonlyMap<number, number>): Promise<void> {
    const userId = await this.ownerOf(limit, value);
    const place = { key: windowKey(limit, value), isShared: isShared(limit), userId };
    for (const [startsAtMs, by] of changes) {
      // A refund leaves the window of a rolling minute first, so that it never makes room for more.
      const field = by < 0 ? startsAtMs : fieldOfBooked(limit, startsAtMs);
      await this.store.limits.correct({ ...place, field, by });
    }
  }

  /**
   * Takes what was given back of a booked call off the windows of its money limits. A store that is away fills its windows from the books.
   * @param amount  quota. Fails: with the database's error.
   */
  async giveBack(callId: string, amount: number): Promise<void> {
    const rows: { limits: string | null }[] = await this.dataSource.query(
      renderSql(
        dialectOf(this.dataSource),
        'SELECT "limits" AS "limits" FROM "settlements" WHERE "request_id" = ?',
      ),
      [callId],
    );
    const marks = readMarks(rows[0]?.limits).filter(({ measure }) => measure === 'quota');
    if (marks.length === 0 || amount === 0) return;
    const limits = await this.dataSource
      .getRepository(LimitEntity)
      .findBy({ id: In(marks.map(({ limitId }) => limitId)) });
    const byId = new Map(limits.map((limit) => [limit.id, limit]));
    try {
      for (const { limitId, value, periodStartMs } of marks) {
        const limit = byId.get(limitId);
        if (limit !== undefined) await this.correct(limit, value, new Map([[periodStartMs, -amount]]));
      }
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  /** Account whose keys the window lies with; 0 = accounts share it. */
  private async ownerOf(limit: LimitDefinition, value: string): Promise<number> {
    if (isShared(limit)) return 0;
    const subject = limit.each ? value : limit.subject;
    if (limit.scope === 'account') return Number(subject);
    if (limit.scope !== 'token') return limit.accountId ?? 0;
    const rows: { user_id: unknown }[] = await this.dataSource.query(
      renderSql(dialectOf(this.dataSource), 'SELECT "user_id" AS "user_id" FROM "tokens" WHERE "id" = ?'),
      [Number(subject)],
    );
    return Number(rows[0]?.user_id ?? 0);
  }
}
