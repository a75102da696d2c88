import type { DataSource, EntityManager } from 'typeorm';
import { ConnectionAcquireLimit } from '../database/connection-acquire-limit.js';
import { lockClause, nowExpression } from '../database/database-clock.js';
import { DIALECTS } from '../database/dialect.js';
import { dialectOf } from '../database/dialect-of.js';
import { sessionOf } from '../database/manager-session.js';
import { runInTransaction } from '../database/run-in-transaction.js';
import type { SharedWindows, WindowVerdict } from '../shared-store/shared-store.js';

/** Moments kept of one key: far more than any limit that is counted here. */
const MAX_MOMENTS = 2_500;
/** An attacker who guesses must not make all connections wait for the row of one key. */
const GATE = { permits: 2, queueLimit: 200, deadlineMs: 2_000 };
/** Every so many counts, rows of limits that are over go. */
const SWEEP_EVERY = 500;

/**
 * Windows in the database, on its clock: for the few limits that must hold across all instances even while the shared store is away
 * (login, codes, redemptions). A row per key, locked while it is counted: counts are exact, and slow.
 */
export class SqlWindows implements SharedWindows {
  private counts = 0;
  private readonly gate = new ConnectionAcquireLimit(GATE);

  constructor(private readonly dataSource: DataSource) {}

  async admit(key: string, limit: number, windowMs: number): Promise<WindowVerdict> {
    return this.change<WindowVerdict>(key, windowMs, (moments, nowMs) => {
      const fresh = moments.filter((moment) => moment > nowMs - windowMs);
      if (fresh.length < limit) return { answer: { admitted: true }, moments: [...moments, nowMs] };
      const blocking = limit > 0 ? fresh[fresh.length - limit] : undefined;
      const retryAfterMs = blocking === undefined ? windowMs : Math.max(1, blocking + windowMs - nowMs);
      return { answer: { admitted: false, retryAfterMs }, moments };
    });
  }

  async record(key: string, windowMs: number): Promise<void> {
    await this.change(key, windowMs, (moments, nowMs) => ({ answer: null, moments: [...moments, nowMs] }));
  }

  async count(key: string, windowMs: number): Promise<number> {
    return this.change(key, windowMs, (moments, nowMs) => ({
      answer: moments.filter((moment) => moment > nowMs - windowMs).length,
      moments,
    }));
  }

  async reset(key: string): Promise<void> {
    await this.inTurn(async (manager) => {
      await sessionOf(manager).run('DELETE FROM "limit_counters" WHERE "key" = ?', [keyOf(key)]);
    });
  }

  private async change<T>(
    key: string,
    windowMs: number,
    work: (
      moments: readonly number[],
      nowMs: number,
    ) => { readonly answer: T; readonly moments: readonly number[] },
  ): Promise<T> {
    this.counts += 1;
    const sweeps = this.counts % SWEEP_EVERY === 0;
    return this.inTurn(async (manager) => {
      const { nowMs, moments, untilMs } = await this.lock(manager, keyOf(key));
      const { answer, moments: next } = work(moments, nowMs);
      const session = sessionOf(manager);
      if (next !== moments)
        await session.run('UPDATE "limit_counters" SET "moments" = ?, "until_ms" = ? WHERE "key" = ?', [
          JSON.stringify(next.slice(-MAX_MOMENTS)),
          Math.max(untilMs, nowMs + windowMs),
          keyOf(key),
        ]);
      if (sweeps) await session.run('DELETE FROM "limit_counters" WHERE "until_ms" < ?', [nowMs]);
      return answer;
    });
  }

  private async inTurn<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    await this.gate.enter();
    try {
      return await runInTransaction(this.dataSource, work);
    } finally {
      this.gate.release();
    }
  }

  /** The row of a key, made when it is not there, locked until the transaction ends. */
  private async lock(
    manager: EntityManager,
    key: string,
  ): Promise<{ readonly nowMs: number; readonly moments: readonly number[]; readonly untilMs: number }> {
    const dialect = dialectOf(this.dataSource);
    const session = sessionOf(manager);
    const again = DIALECTS[dialect].orKeep({ table: 'limit_counters', key: ['key'] });
    await session.run(
      `INSERT INTO "limit_counters" ("key", "moments", "until_ms") VALUES (?, '[]', 0) ${again}`,
      [key],
    );
    const { rows } = await session.run(
      `SELECT "moments" AS "moments", "until_ms" AS "until_ms", ${nowExpression(dialect)} AS "now_ms"
         FROM "limit_counters" WHERE "key" = ?${lockClause(dialect)}`,
      [key],
    );
    const row = rows[0];
    const nowMs = Number(row?.['now_ms']);
    const untilMs = Number(row?.['until_ms']);
    // Over for every length of window it was ever used with.
    const moments = untilMs < nowMs ? [] : readMoments(row?.['moments']);
    return { nowMs, moments, untilMs };
  }
}

/** Keys carry what people typed: the column has an end. */
const keyOf = (key: string): string => key.slice(0, 191);

function readMoments(value: unknown): readonly number[] {
  const parsed: unknown = JSON.parse(String(value));
  return Array.isArray(parsed) ? parsed.map(Number) : [];
}
