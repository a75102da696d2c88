import type { DataSource, EntityManager } from 'typeorm';
import { nowExpression } from '../database/database-clock.js';
import { DIALECTS } from '../database/dialect.js';
import { dialectOf } from '../database/dialect-of.js';
import { sessionOf } from '../database/manager-session.js';
import { runInTransaction } from '../database/run-in-transaction.js';
import { renderSql } from '../database/sql-store.js';
import type { JobEntity, JobOutcome } from './job.entity.js';

/** A job as the database has it. Moments in milliseconds of the database's clock; 0 = never. */
export type JobState = Readonly<JobEntity>;

export interface JobLook {
  readonly nowMs: number;
  readonly jobs: ReadonlyMap<string, JobState>;
}

/**
 * Leases of jobs, in SQL: the fencing number lives where the effects are, survives a store that lost its data, and can be held by
 * the very transaction that makes an effect.
 */
export class JobLeases {
  constructor(
    private readonly dataSource: DataSource,
    private readonly owner: string,
    private readonly leaseMs: number,
    /** Shown to operators (instance-place.ts). */
    private readonly place: string,
  ) {}

  async look(): Promise<JobLook> {
    const dialect = dialectOf(this.dataSource);
    const rows: readonly Readonly<Record<string, unknown>>[] = await this.dataSource.query(
      renderSql(
        dialect,
        // A row comes even when there is no job yet: it brings the time.
        `SELECT "clock"."now_ms" AS "now_ms", "jobs".* FROM (SELECT ${nowExpression(dialect)} AS "now_ms") "clock"
           LEFT JOIN "jobs" ON 1 = 1`,
      ),
    );
    const nowMs = Number(rows[0]?.['now_ms']);
    const known = rows.filter((row) => row['name'] !== null);
    const jobs = known.map((row): [string, JobState] => [String(row['name']), stateOf(row, nowMs)]);
    return { nowMs, jobs: new Map(jobs) };
  }

  /** Makes a job known that never ran. @param dueAfterMs  when it is first due */
  async register(name: string, dueAfterMs: number): Promise<void> {
    const dialect = dialectOf(this.dataSource);
    const { now } = DIALECTS[dialect];
    const again = DIALECTS[dialect].orKeep({ table: 'jobs', key: ['name'] });
    await runInTransaction(this.dataSource, async (manager) => {
      await sessionOf(manager).run(
        `INSERT INTO "jobs" ("name", "due_at_ms", "started_at_ms") VALUES (?, ${now} + ?, ${now}) ${again}`,
        [name, Math.round(dueAfterMs)],
      );
    });
  }

  /**
   * Takes a free job.
   * @param seenFence  number at the last reading; another one there now = it ran meanwhile. Undefined = any
   * @returns the fencing number, null when another worker has it
   */
  async take(name: string, seenFence?: number): Promise<number | null> {
    const now = nowExpression(dialectOf(this.dataSource));
    const unchanged = seenFence === undefined ? '' : ' AND "fence" = ?';
    return runInTransaction(this.dataSource, async (manager) => {
      const session = sessionOf(manager);
      const { affected } = await session.run(
        `UPDATE "jobs" SET "fence" = "fence" + 1, "owner" = ?, "host" = ?, "lease_until_ms" = ${now} + ${this.leaseMs},
           "started_at_ms" = ${now}, "outcome" = 'running', "message" = ''
         WHERE "name" = ? AND "lease_until_ms" <= ${now}${unchanged}`,
        [this.owner, this.place, name, ...(seenFence === undefined ? [] : [seenFence])],
      );
      if (affected === 0) return null;
      const { rows } = await session.run('SELECT "fence" AS "fence" FROM "jobs" WHERE "name" = ?', [name]);
      return Number(rows[0]?.['fence']);
    });
  }

  /**
   * Checks that the job is still ours, and keeps it so until the transaction ends.
   * @returns false when another worker has it
   */
  async hold(manager: EntityManager, name: string, fence: number): Promise<boolean> {
    const now = nowExpression(dialectOf(this.dataSource));
    const { affected } = await sessionOf(manager).run(
      `UPDATE "jobs" SET "lease_until_ms" = ${now} + ${this.leaseMs} WHERE "name" = ? AND "fence" = ? AND "outcome" = 'running'`,
      [name, fence],
    );
    return affected > 0;
  }

  async renew(name: string, fence: number): Promise<boolean> {
    return runInTransaction(this.dataSource, (manager) => this.hold(manager, name, fence));
  }

  /** @param dueAfterMs  after its start it is due again; 0 = at once. Null = as before */
  async end(
    name: string,
    fence: number,
    end: { readonly outcome: JobOutcome; readonly message: string; readonly dueAfterMs: number },
  ): Promise<void> {
    const now = nowExpression(dialectOf(this.dataSource));
    await runInTransaction(this.dataSource, async (manager) => {
      await sessionOf(manager).run(
        `UPDATE "jobs" SET "lease_until_ms" = 0, "ended_at_ms" = ${now}, "due_at_ms" = "started_at_ms" + ?, "outcome" = ?, "message" = ?
           WHERE "name" = ? AND "fence" = ?`,
        [Math.round(end.dueAfterMs), end.outcome, end.message.slice(0, 500), name, fence],
      );
    });
  }
}

function stateOf(row: Readonly<Record<string, unknown>>, nowMs: number): JobState {
  const number = (column: string): number => Number(row[column]);
  const outcome = String(row['outcome']) as JobOutcome;
  const leaseUntilMs = number('lease_until_ms');
  return {
    name: String(row['name']),
    fence: number('fence'),
    owner: String(row['owner']),
    host: String(row['host']),
    startedAtMs: number('started_at_ms'),
    endedAtMs: number('ended_at_ms'),
    dueAtMs: number('due_at_ms'),
    leaseUntilMs,
    outcome: outcome === 'running' && leaseUntilMs <= nowMs ? 'lost' : outcome,
    message: String(row['message']),
  };
}
