import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { MONEY_DATA_SOURCE } from './billing.tokens.js';
import { EVERYBODY } from './everybody.js';
import { read, toInteger, toText, type Row } from './money-sql.js';

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

const SUMS = `SUM("q"."token_used") AS "tokens", SUM("q"."count") AS "calls", SUM("q"."quota") AS "quota"`;
const SPAN = `"q"."created_at" >= ? AND "q"."created_at" <= ?`;

/** Figures of use as dashboards and billing answers show them. Renamed accounts are one account: rows are kept by id (DATA-5). */
@Injectable()
export class UseFigures {
  constructor(@Inject(MONEY_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** One account's use by model and hour, oldest first. */
  async ofUser(userId: number, { from, to }: UseSpan, limit: number): Promise<HourlyUse[]> {
    const rows = await read(
      this.dataSource,
      `SELECT "q"."user_id" AS "user_id", "u"."username" AS "username", "q"."model_name" AS "model", "q"."created_at" AS "hour",
         "q"."token_used" AS "tokens", "q"."count" AS "calls", "q"."quota" AS "quota"
       FROM "quota_data" "q" LEFT JOIN "users" "u" ON "u"."id" = "q"."user_id"
       WHERE "q"."user_id" = ? AND ${SPAN} ORDER BY "q"."created_at", "q"."model_name" LIMIT ${limit}`,
      [userId, from, to],
    );
    return rows.map(toUse);
  }

  /** Everybody's use by model and hour, oldest first. */
  async byModel({ from, to }: UseSpan, limit: number): Promise<HourlyUse[]> {
    const rows = await read(
      this.dataSource,
      `SELECT "q"."model_name" AS "model", "q"."created_at" AS "hour",
         "q"."token_used" AS "tokens", "q"."count" AS "calls", "q"."quota" AS "quota" FROM "quota_data" "q"
       WHERE "q"."user_id" = ${EVERYBODY} AND ${SPAN} ORDER BY "q"."created_at", "q"."model_name" LIMIT ${limit}`,
      [from, to],
    );
    return rows.map(toUse);
  }

  /** Everybody's use by account and hour, oldest first. */
  async byUser({ from, to }: UseSpan, limit: number): Promise<HourlyUse[]> {
    const rows = await read(
      this.dataSource,
      `SELECT "s".*, "u"."username" AS "username" FROM (
         SELECT "q"."user_id" AS "user_id", "q"."created_at" AS "hour", ${SUMS} FROM "quota_data" "q"
         WHERE "q"."user_id" <> ${EVERYBODY} AND ${SPAN} GROUP BY "q"."created_at", "q"."user_id"
         ORDER BY "q"."created_at", "q"."user_id" LIMIT ${limit}) "s"
       LEFT JOIN "users" "u" ON "u"."id" = "s"."user_id" ORDER BY "s"."hour", "s"."user_id"`,
      [from, to],
    );
    return rows.map(toUse);
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
