import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { MONEY_DATA_SOURCE } from './billing.tokens.js';
import { EVERYBODY } from './everybody.js';
import { integerList, read, toInteger, toText, type Row } from './money-sql.js';

/** Use of one hour. Members that the question does not group by are empty or 0. */
export interface HourlyUse {
  readonly userId: number;
  readonly username: string;
  readonly modelName: string;
  /** Start of the hour, seconds. */
  readonly hour: number;
  readonly tokens: number;
  readonly calls: number;
  readonly quota: number;
}

export interface UseSpan {
  /** Seconds, inclusive. */
  readonly from: number;
  readonly to: number;
}

/** What a token has and had. */
export interface TokenFigures {
  readonly usedQuota: number;
  readonly isUnlimited: boolean;
  /** Seconds; -1 = never. */
  readonly expiresAt: number;
}

const HOUR_SECONDS = 3_600;
/** More accounts are no list that anybody reads. */
const MOST_ACCOUNTS = 100;

/** How many models or accounts fit into so many rows, one row an hour each, beside one for all others. */
const linesWithin = (limit: number, { from, to }: UseSpan): number =>
  Math.max(1, Math.floor(limit / (Math.floor((to - from) / HOUR_SECONDS) + 2)) - 1);

const SUMS = `SUM("q"."token_used") AS "tokens", SUM("q"."count") AS "calls", SUM("q"."quota") AS "quota"`;
const SPAN = `"q"."created_at" >= ? AND "q"."created_at" <= ?`;

/** Figures of use as dashboards and billing answers show them. Renamed accounts are one account: rows are kept by id (DATA-5). */
@Injectable()
export class UseFigures {
  constructor(@Inject(MONEY_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /**
   * One account's use by model and hour, oldest first; with `EVERYBODY` that of all together.
   * @param limit  rows at most: where there are more models than that allows, the smaller ones are one without a name
   */
  async byModel(userId: number, span: UseSpan, limit: number): Promise<HourlyUse[]> {
    const { from, to } = span;
    const rows = await read(
      this.dataSource,
      `SELECT "q"."user_id" AS "user_id", "u"."username" AS "username", "q"."model_name" AS "model", "q"."created_at" AS "hour",
         "q"."token_used" AS "tokens", "q"."count" AS "calls", "q"."quota" AS "quota"
       FROM "quota_data" "q" LEFT JOIN "users" "u" ON "u"."id" = "q"."user_id"
       WHERE "q"."user_id" = ? AND ${SPAN} ORDER BY "q"."created_at", "q"."model_name" LIMIT ${limit + 1}`,
      [userId, from, to],
    );
    return rows.length > limit ? this.byLargeModel(userId, span, limit) : rows.map(toUse);
  }

  private async byLargeModel(userId: number, { from, to }: UseSpan, limit: number): Promise<HourlyUse[]> {
    const largest = await read(
      this.dataSource,
      `SELECT "q"."model_name" AS "model" FROM "quota_data" "q" WHERE "q"."user_id" = ? AND ${SPAN}
       GROUP BY "q"."model_name" ORDER BY SUM("q"."quota") DESC, "q"."model_name" LIMIT ${linesWithin(limit, { from, to })}`,
      [userId, from, to],
    );
    const names = largest.map((row) => toText(row['model']));
    const name = `CASE WHEN "q"."model_name" IN (${names.map(() => '?').join(', ')}) THEN "q"."model_name" ELSE '' END`;
    const rows = await read(
      this.dataSource,
      `SELECT "s".*, "u"."username" AS "username" FROM (
         SELECT "t"."user_id" AS "user_id", "t"."model" AS "model", "t"."hour" AS "hour", SUM("t"."tokens") AS "tokens",
           SUM("t"."calls") AS "calls", SUM("t"."quota") AS "quota"
         FROM (SELECT "q"."user_id" AS "user_id", ${name} AS "model", "q"."created_at" AS "hour", "q"."token_used" AS "tokens",
             "q"."count" AS "calls", "q"."quota" AS "quota" FROM "quota_data" "q" WHERE "q"."user_id" = ? AND ${SPAN}) "t"
         GROUP BY "t"."user_id", "t"."hour", "t"."model") "s"
       LEFT JOIN "users" "u" ON "u"."id" = "s"."user_id" ORDER BY "s"."hour", "s"."model"`,
      [...names, userId, from, to],
    );
    return rows.map(toUse);
  }

  /**
   * Use by account and hour, oldest first: of the accounts that used most, and of all others together as account `EVERYBODY`.
   * @param limit  rows at most
   */
  async byUser(span: UseSpan, limit: number): Promise<HourlyUse[]> {
    const { from, to } = span;
    const shown = Math.min(MOST_ACCOUNTS, linesWithin(limit, span));
    const largest = await read(
      this.dataSource,
      `SELECT "q"."user_id" AS "user_id" FROM "quota_data" "q" WHERE "q"."user_id" <> ${EVERYBODY} AND ${SPAN}
       GROUP BY "q"."user_id" ORDER BY SUM("q"."quota") DESC, "q"."user_id" LIMIT ${shown + 1}`,
      [from, to],
    );
    const ids = largest.slice(0, shown).map((row) => toInteger(row['user_id']));
    if (ids.length === 0) return [];
    const rows = await read(
      this.dataSource,
      `SELECT "s".*, "u"."username" AS "username" FROM (
         SELECT "q"."user_id" AS "user_id", "q"."created_at" AS "hour", ${SUMS} FROM "quota_data" "q"
         WHERE "q"."user_id" IN (${integerList(ids)}) AND ${SPAN} GROUP BY "q"."created_at", "q"."user_id") "s"
       LEFT JOIN "users" "u" ON "u"."id" = "s"."user_id" ORDER BY "s"."hour", "s"."user_id"`,
      [from, to],
    );
    const shownUse = rows.map(toUse);
    return largest.length > shown ? this.withOthers(shownUse, span) : shownUse;
  }

  /** All that was used less what is shown. Read after it: figures only grow, so the difference is never negative. */
  private async withOthers(shown: readonly HourlyUse[], { from, to }: UseSpan): Promise<HourlyUse[]> {
    const rows = await read(
      this.dataSource,
      `SELECT "q"."created_at" AS "hour", ${SUMS} FROM "quota_data" "q" WHERE "q"."user_id" = ${EVERYBODY} AND ${SPAN}
       GROUP BY "q"."created_at"`,
      [from, to],
    );
    const others = new Map(rows.map((row) => [toInteger(row['hour']), toUse(row)]));
    for (const { hour, tokens, calls, quota } of shown) {
      const left = others.get(hour);
      if (left === undefined) continue;
      others.set(hour, {
        ...left,
        tokens: left.tokens - tokens,
        calls: left.calls - calls,
        quota: left.quota - quota,
      });
    }
    const used = [...others.values()].filter(({ calls }) => calls > 0);
    return [...shown, ...used].toSorted((a, b) => a.hour - b.hour || a.userId - b.userId);
  }

  /** Null = nobody has or had this name. Deregistered accounts count: their use is still there. */
  async findUserId(username: string): Promise<number | null> {
    const [row] = await read(this.dataSource, `SELECT "id" AS "id" FROM "users" WHERE "username" = ?`, [
      username,
    ]);
    return row === undefined ? null : toInteger(row['id']);
  }

  /** What all calls of an account were charged. */
  async usedByUser(userId: number): Promise<number> {
    const [row] = await read(this.dataSource, `SELECT "used_quota" AS "used" FROM "users" WHERE "id" = ?`, [
      userId,
    ]);
    return toInteger(row?.['used']);
  }

  /** Null = no such token. */
  async ofToken(tokenId: number): Promise<TokenFigures | null> {
    const [row] = await read(
      this.dataSource,
      `SELECT "used_quota" AS "used", CASE WHEN "unlimited_quota" THEN 1 ELSE 0 END AS "unlimited", "expired_time" AS "expires"
       FROM "tokens" WHERE "id" = ?`,
      [tokenId],
    );
    if (row === undefined) return null;
    return {
      usedQuota: toInteger(row['used']),
      isUnlimited: toInteger(row['unlimited']) === 1,
      expiresAt: toInteger(row['expires']),
    };
  }
}

const toUse = (row: Row): HourlyUse => ({
  userId: toInteger(row['user_id']),
  username: toText(row['username']),
  modelName: toText(row['model']),
  hour: toInteger(row['hour']),
  tokens: toInteger(row['tokens']),
  calls: toInteger(row['calls']),
  quota: toInteger(row['quota']),
});
