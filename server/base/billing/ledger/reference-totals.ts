import { Inject, Injectable } from '@nestjs/common';
import { type DataSource, LessThan } from 'typeorm';
import { toShownSum } from '../../../common/quota.js';
import { ALL_USERS } from './all-users.js';
import { MONEY_DATA_SOURCE } from './billing.tokens.js';
import { read, toInteger, toText } from './money-sql.js';
import type { ReferenceKind } from './reference-kinds.js';
import { ReferenceTotalEntity } from './reference-total.entity.js';
import type { UsageQuery } from './usage-totals.js';

/** Charges of one token or channel in one bucket of time. */
export interface ReferenceUse {
  /** Id of the token or channel; 0 = all others together. */
  readonly reference: number;
  /** Owner of the token; empty for channels and for all others together. */
  readonly username: string;
  /** Start of the bucket, seconds. */
  readonly start: number;
  readonly tokens: number;
  readonly calls: number;
  readonly quota: number;
}

/** Most tokens or channels of one answer; the others are one. */
const MOST_LINES = 50;
const DELETE_BATCH = 5_000;

/** Reads charges by token and by channel. */
@Injectable()
export class ReferenceTotals {
  constructor(@Inject(MONEY_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /**
   * Charges by token or channel, oldest first: of the 50 that cost most, and of all others together.
   * @param ownerId  only tokens of this account; of every account when left out. Fails: with the database's error.
   */
  async by(
    kind: ReferenceKind,
    { span, buckets, limit }: UsageQuery,
    ownerId?: number,
  ): Promise<ReferenceUse[]> {
    const owner = kind === 'channel' ? ALL_USERS : ownerId;
    const where = `"q"."kind" = ? AND "q"."created_at" >= ? AND "q"."created_at" <= ?${owner === undefined ? '' : ' AND "q"."user_id" = ?'}`;
    const asked = [kind, span.from, span.to, ...(owner === undefined ? [] : [owner])];
    const shown = Math.min(MOST_LINES, buckets.linesWithin(limit, span));
    const largest = await read(
      this.dataSource,
      `SELECT "q"."reference" AS "reference" FROM "reference_totals" "q" WHERE ${where}
       GROUP BY "q"."reference" ORDER BY SUM("q"."quota") DESC, "q"."reference" LIMIT ${shown}`,
      asked,
    );
    const names = largest.map((row) => toText(row['reference']));
    if (names.length === 0) return [];
    const isShown = `"q"."reference" IN (${names.map(() => '?').join(', ')})`;
    const rows = await read(
      this.dataSource,
      `SELECT "s".*, "u"."username" AS "username" FROM (
       SELECT "t"."reference" AS "reference", "t"."user_id" AS "user_id", "t"."start" AS "start", SUM("t"."tokens") AS "tokens",
         SUM("t"."calls") AS "calls", SUM("t"."quota") AS "quota"
       FROM (SELECT CASE WHEN ${isShown} THEN "q"."reference" ELSE '0' END AS "reference",
           CASE WHEN ${isShown} THEN "q"."user_id" ELSE 0 END AS "user_id", ${buckets.sqlFor(span)} AS "start",
           "q"."token_used" AS "tokens", "q"."count" AS "calls", "q"."quota" AS "quota"
         FROM "reference_totals" "q" WHERE ${where}) "t"
       GROUP BY "t"."start", "t"."reference", "t"."user_id") "s"
       LEFT JOIN "users" "u" ON "u"."id" = "s"."user_id" ORDER BY "s"."start", "s"."reference"`,
      [...names, ...names, ...asked],
    );
    return rows.map((row) => ({
      reference: toInteger(row['reference']),
      username: toText(row['username']),
      start: buckets.startOf(toInteger(row['start'])),
      tokens: toShownSum(row['tokens']),
      calls: toShownSum(row['calls']),
      quota: toShownSum(row['quota']),
    }));
  }

  /** Start of the oldest sum, seconds; null = there is none yet. */
  async since(kind: ReferenceKind): Promise<number | null> {
    const [row] = await read(
      this.dataSource,
      `SELECT MIN("created_at") AS "since" FROM "reference_totals" WHERE "kind" = ?`,
      [kind],
    );
    return row?.['since'] === null || row?.['since'] === undefined ? null : toInteger(row['since']);
  }

  /**
   * Deletes a portion of what is older than a moment: at least a quarter of an hour of it.
   * @returns how many rows; 0 = nothing is left. Fails: with the database's error.
   */
  async deletePortion(beforeSeconds: number): Promise<number> {
    const [oldest] = await read(
      this.dataSource,
      `SELECT "created_at" AS "start" FROM "reference_totals" WHERE "created_at" < ? ORDER BY "created_at" LIMIT 1 OFFSET ${DELETE_BATCH}`,
      [beforeSeconds],
    );
    const bound =
      oldest === undefined ? beforeSeconds : Math.min(beforeSeconds, toInteger(oldest['start']) + 1);
    const deleted = await this.dataSource
      .createQueryBuilder()
      .delete()
      .from(ReferenceTotalEntity)
      .where({ createdAt: LessThan(bound) })
      .execute();
    return deleted.affected ?? 0;
  }
}
