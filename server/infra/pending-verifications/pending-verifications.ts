import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { lockClause, nowExpression } from '../database/database-clock.js';
import { DIALECTS } from '../database/dialect.js';
import { dialectOf } from '../database/dialect-of.js';
import { sessionOf } from '../database/manager-session.js';
import { runInTransaction } from '../database/run-in-transaction.js';
import type { SqlSession } from '../database/sql-store.js';
import type { Json } from '../shared-store/shared-store.js';

/** Expired rows are also removed after this many new ones, besides the hourly sweep. */
const SWEEP_EVERY = 200;
/** Maximum number of rows per sweep: no caller waits for a backlog. */
const MAX_SWEPT = 1_000;

const ROWS = { table: 'steps_under_way', key: ['key'] };

/**
 * Pending verifications that have to be finished within minutes, at any instance: challenges, codes sent by mail, sign-ins at a
 * provider. In the database, on its clock, like the logins they lead to: finishing one does not depend on Redis, single use is a
 * row that one transaction deletes, and there is one way of doing it, used every day. Keys are digests of the client's secret.
 */
@Injectable()
export class PendingVerifications {
  private begun = 0;

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /** Replaces what has the same key. Fails: with the database's error, like everything here. */
  async put(key: string, value: Json, lifeMs: number): Promise<void> {
    this.begun += 1;
    const sweeps = this.begun % SWEEP_EVERY === 0;
    await this.inTransaction(async (session, now) => {
      const again = DIALECTS[session.dialect].orReplace(ROWS, ['value', 'until_ms']);
      await session.run(
        `INSERT INTO "steps_under_way" ("key", "value", "until_ms") VALUES (?, ?, ${now} + ?) ${again}`,
        [key, JSON.stringify(value), Math.ceil(lifeMs)],
      );
    });
    if (sweeps) await this.removeExpired();
  }

  /** Undefined when it is over, used, or never was. */
  look(key: string): Promise<Json | undefined> {
    return this.inTransaction((session, now) => this.read(session, key, { now }));
  }

  /** Like `look`, and removes it: of many concurrent calls one gets it. */
  take(key: string): Promise<Json | undefined> {
    return this.inTransaction(async (session, now) => {
      const value = await this.read(session, key, { now, lock: lockClause(session.dialect) });
      if (value !== undefined) await session.run('DELETE FROM "steps_under_way" WHERE "key" = ?', [key]);
      return value;
    });
  }

  async drop(key: string): Promise<void> {
    await this.inTransaction((session) =>
      session.run('DELETE FROM "steps_under_way" WHERE "key" = ?', [key]),
    );
  }

  /** True for the first caller that claims a key; false for all others, until its time is over. */
  claim(key: string, lifeMs: number): Promise<boolean> {
    return this.inTransaction(async (session, now) => {
      await session.run(`DELETE FROM "steps_under_way" WHERE "key" = ? AND "until_ms" <= ${now}`, [key]);
      const again = DIALECTS[session.dialect].orKeep(ROWS);
      // Databases count a row that was there already differently: the mark in it names its owner.
      const mark = randomUUID();
      await session.run(
        `INSERT INTO "steps_under_way" ("key", "value", "until_ms") VALUES (?, ?, ${now} + ?) ${again}`,
        [key, JSON.stringify(mark), Math.ceil(lifeMs)],
      );
      return (await this.read(session, key, { now })) === mark;
    });
  }

  /** @returns how many rows went */
  async removeExpired(): Promise<number> {
    return this.inTransaction(async (session, now) => {
      const { rows } = await session.run(
        `SELECT "key" AS "key" FROM "steps_under_way" WHERE "until_ms" <= ${now} ORDER BY "until_ms" LIMIT ${MAX_SWEPT}`,
      );
      // One after the other by their keys: a sweep of a range would wait for, and keep waiting, who is finishing a step.
      return session.runEach(
        `DELETE FROM "steps_under_way" WHERE "key" = ? AND "until_ms" <= ${now}`,
        rows.map((row) => [row['key']]),
      );
    });
  }

  private async read(
    session: SqlSession,
    key: string,
    { now, lock = '' }: { readonly now: string; readonly lock?: string },
  ): Promise<Json | undefined> {
    const { rows } = await session.run(
      `SELECT "value" AS "value" FROM "steps_under_way" WHERE "key" = ? AND "until_ms" > ${now}${lock}`,
      [key],
    );
    const [row] = rows;
    return row === undefined ? undefined : (JSON.parse(String(row['value'])) as Json);
  }

  private inTransaction<T>(work: (session: SqlSession, now: string) => Promise<T>): Promise<T> {
    const now = nowExpression(dialectOf(this.dataSource));
    return runInTransaction(this.dataSource, (manager: EntityManager) => work(sessionOf(manager), now));
  }
}
