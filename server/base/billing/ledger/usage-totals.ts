import { Inject, Injectable } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { MONEY_DATA_SOURCE } from './billing.tokens.js';
import { ALL_USERS } from './all-users.js';
import { toShownSum } from '../../../common/quota.js';
import { integerList, read, toInteger, toText, type Row } from './money-sql.js';
import type { UsageBuckets, UsageSpan } from './usage-buckets.js';

/** Use of one bucket. Members that the question does not group by are empty or 0. */
export interface UsageTotal {
  readonly userId: number;
  readonly username: string;
  readonly modelName: string;
  /** Start of the bucket, seconds. */
  readonly start: number;
  readonly tokens: number;
  readonly calls: number;
  readonly quota: number;
}

/** Buckets that begin within a span, summed. */
export interface UsageQuery {
  readonly span: UsageSpan;
  readonly buckets: UsageBuckets;
  /** Rows at most: where there are more models or accounts than that allows, the smaller ones are one without a name. */
  readonly limit: number;
}

/** Limit and use of a token. */
export interface TokenFigures {
  /** Charges of its calls less their refunds. */
  readonly usedQuota: number;
  readonly isUnlimited: boolean;
  /** Seconds; -1 = never. */
  readonly expiresAt: number;
}

/** A longer list of accounts has no reader. */
const MAX_ACCOUNTS = 100;

const SUMS = `SUM("q"."token_used") AS "tokens", SUM("q"."count") AS "calls", SUM("q"."quota") AS "quota"`;
const SPAN = `"q"."created_at" >= ? AND "q"."created_at" <= ?`;

/** Figures of use as dashboards and billing answers show them. Renamed accounts are one account: rows are kept by id. */
@Injectable()
export class UsageTotals {
  constructor(@Inject(MONEY_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /** One account's use by model, oldest first; with `ALL_USERS` that of all together. */
  async byModel(userId: number, question: UsageQuery): Promise<UsageTotal[]> {
    const { span, buckets, limit } = question;
    const rows = await read(
      this.dataSource,
      `SELECT "s".*, "u"."username" AS "username" FROM (
         SELECT "q"."user_id" AS "user_id", "q"."model_name" AS "model", ${buckets.sqlFor(span)} AS "start", ${SUMS}
         FROM "quota_data" "q" WHERE "q"."user_id" = ? AND ${SPAN} GROUP BY "q"."user_id", "q"."model_name", ${buckets.sqlFor(span)}) "s"
       LEFT JOIN "users" "u" ON "u"."id" = "s"."user_id" ORDER BY "s"."start", "s"."model" LIMIT ${limit + 1}`,
      [userId, span.from, span.to],
    );
    if (rows.length <= limit) return rows.map((row) => toUse(row, buckets));
    const coarser = buckets.coarser();
    return coarser === undefined
      ? this.byLargeModel(userId, question)
      : this.byModel(userId, { ...question, buckets: coarser });
  }

  private async byLargeModel(userId: number, { span, buckets, limit }: UsageQuery): Promise<UsageTotal[]> {
    const { from, to } = span;
    const largest = await read(
      this.dataSource,
      `SELECT "q"."model_name" AS "model" FROM "quota_data" "q" WHERE "q"."user_id" = ? AND ${SPAN}
       GROUP BY "q"."model_name" ORDER BY SUM("q"."quota") DESC, "q"."model_name" LIMIT ${buckets.linesWithin(limit, span)}`,
      [userId, from, to],
    );
    const names = largest.map((row) => toText(row['model']));
    const name = `CASE WHEN "q"."model_name" IN (${names.map(() => '?').join(', ')}) THEN "q"."model_name" ELSE '' END`;
    const rows = await read(
      this.dataSource,
      `SELECT "s".*, "u"."username" AS "username" FROM (
         SELECT "t"."user_id" AS "user_id", "t"."model" AS "model", "t"."start" AS "start", SUM("t"."tokens") AS "tokens",
           SUM("t"."calls") AS "calls", SUM("t"."quota") AS "quota"
         FROM (SELECT "q"."user_id" AS "user_id", ${name} AS "model", ${buckets.sqlFor(span)} AS "start", "q"."token_used" AS "tokens",
             "q"."count" AS "calls", "q"."quota" AS "quota" FROM "quota_data" "q" WHERE "q"."user_id" = ? AND ${SPAN}) "t"
         GROUP BY "t"."user_id", "t"."start", "t"."model") "s"
       LEFT JOIN "users" "u" ON "u"."id" = "s"."user_id" ORDER BY "s"."start", "s"."model"`,
      [...names, userId, from, to],
    );
    return rows.map((row) => toUse(row, buckets));
  }

  /** Use by account, oldest first: of the accounts that used most, and of all others together as account `ALL_USERS`. */
  async byUser(question: UsageQuery): Promise<UsageTotal[]> {
    const { span, limit } = question;
    const { from, to } = span;
    const buckets = this.bucketsForUsers(question);
    const shown = Math.min(MAX_ACCOUNTS, buckets.linesWithin(limit, span));
    const largest = await read(
      this.dataSource,
      `SELECT "q"."user_id" AS "user_id" FROM "quota_data" "q" WHERE "q"."user_id" <> ${ALL_USERS} AND ${SPAN}
       GROUP BY "q"."user_id" ORDER BY SUM("q"."quota") DESC, "q"."user_id" LIMIT ${shown + 1}`,
      [from, to],
    );
    const ids = largest.slice(0, shown).map((row) => toInteger(row['user_id']));
    if (ids.length === 0) return [];
    const rows = await read(
      this.dataSource,
      `SELECT "s".*, "u"."username" AS "username" FROM (
         SELECT "q"."user_id" AS "user_id", ${buckets.sqlFor(span)} AS "start", ${SUMS} FROM "quota_data" "q"
         WHERE "q"."user_id" IN (${integerList(ids)}) AND ${SPAN} GROUP BY ${buckets.sqlFor(span)}, "q"."user_id") "s"
       LEFT JOIN "users" "u" ON "u"."id" = "s"."user_id" ORDER BY "s"."start", "s"."user_id"`,
      [from, to],
    );
    const shownUse = rows.map((row) => toUse(row, buckets));
    return largest.length > shown ? this.withOthers(shownUse, { ...question, buckets }) : shownUse;
  }

  /** Quarters only where the usual number of accounts fits. */
  private bucketsForUsers({ span, buckets, limit }: UsageQuery): UsageBuckets {
    return buckets.linesWithin(limit, span) >= MAX_ACCOUNTS ? buckets : (buckets.coarser() ?? buckets);
  }

  /** All that was used less what is shown. Read after it: figures only grow, so the difference is never negative. */
  private async withOthers(
    shown: readonly UsageTotal[],
    { span, buckets }: UsageQuery,
  ): Promise<UsageTotal[]> {
    const rows = await read(
      this.dataSource,
      `SELECT ${buckets.sqlFor(span)} AS "start", ${SUMS} FROM "quota_data" "q" WHERE "q"."user_id" = ${ALL_USERS} AND ${SPAN}
       GROUP BY ${buckets.sqlFor(span)}`,
      [span.from, span.to],
    );
    const others = new Map(rows.map((row) => toUse(row, buckets)).map((use) => [use.start, use]));
    for (const { start, tokens, calls, quota } of shown) {
      const left = others.get(start);
      if (left === undefined) continue;
      others.set(start, {
        ...left,
        tokens: left.tokens - tokens,
        calls: left.calls - calls,
        quota: left.quota - quota,
      });
    }
    const used = [...others.values()].filter(({ calls }) => calls > 0);
    return [...shown, ...used].toSorted((a, b) => a.start - b.start || a.userId - b.userId);
  }

  /** Null = no account has or had this name. Deregistered accounts count: their use is still there. */
  async findUserId(username: string): Promise<number | null> {
    const [row] = await read(this.dataSource, `SELECT "id" AS "id" FROM "users" WHERE "username" = ?`, [
      username,
    ]);
    return row === undefined ? null : toInteger(row['id']);
  }

  /** Sum of an account's charges, and of its refunds, in quota. Both are 0 for an unknown account. */
  async ofUser(userId: number): Promise<{ readonly charged: number; readonly refunded: number }> {
    const [row] = await read(
      this.dataSource,
      `SELECT "used_quota" AS "charged", "refunded_quota" AS "refunded" FROM "users" WHERE "id" = ?`,
      [userId],
    );
    return { charged: toShownSum(row?.['charged']), refunded: toShownSum(row?.['refunded']) };
  }

  /** Null = no such token. */
  async ofToken(tokenId: number): Promise<TokenFigures | null> {
    const [row] = await read(
      this.dataSource,
      `SELECT "used_quota" - "refunded_quota" AS "used", CASE WHEN "unlimited_quota" THEN 1 ELSE 0 END AS "unlimited", "expired_time" AS "expires"
       FROM "tokens" WHERE "id" = ?`,
      [tokenId],
    );
    if (row === undefined) return null;
    return {
      usedQuota: toShownSum(row['used']),
      isUnlimited: toInteger(row['unlimited']) === 1,
      expiresAt: toInteger(row['expires']),
    };
  }
}

const toUse = (row: Row, buckets: UsageBuckets): UsageTotal => ({
  userId: toInteger(row['user_id']),
  username: toText(row['username']),
  modelName: toText(row['model']),
  start: buckets.startOf(toInteger(row['start'])),
  tokens: toShownSum(row['tokens']),
  calls: toShownSum(row['calls']),
  quota: toShownSum(row['quota']),
});
