import { Inject, Injectable } from '@nestjs/common';
import { type DataSource, In, LessThanOrEqual } from 'typeorm';
import { toShownSum } from '../../../common/quota.js';
import { ALL_USERS } from './all-users.js';
import { MONEY_DATA_SOURCE } from './billing.tokens.js';
import { integerList, read, type Row, toInteger, toText } from './money-sql.js';
import type { TagKind } from '../../../relay-core/model/tag-text.js';
import { TagTotalEntity } from './tag-total.entity.js';
import type { UsageSpan } from './usage-buckets.js';

/** Charges of one tag or end user of an account on one day. */
export interface TagUse {
  /** Account of the tag; `ALL_USERS` = all others together. */
  readonly userId: number;
  /** Name of the account; empty for all others together. */
  readonly username: string;
  /** Empty = all others together. */
  readonly value: string;
  /** Start of the day in UTC, seconds. */
  readonly start: number;
  readonly tokens: number;
  readonly calls: number;
  readonly quota: number;
}

/** Most tags of one answer; the others are one. */
const MOST_VALUES = 50;
/** Accounts whose tags are looked through for those of every account. */
const MOST_ACCOUNTS = 100;
const DAY_SECONDS = 86_400;
/** Accounts whose sums of one day are deleted at once. */
const DELETED_ACCOUNTS = 20;

const SUMS = `SUM("q"."token_used") AS "tokens", SUM("q"."count") AS "calls", SUM("q"."quota") AS "quota"`;

/** Reads charges by tag and by end user. */
@Injectable()
export class TagTotals {
  /** Sums of single accounts: personal data of their account. */
  static readonly personalRows = TagTotalEntity;

  constructor(@Inject(MONEY_DATA_SOURCE) private readonly dataSource: DataSource) {}

  /**
   * Charges by tag or end user, oldest first: of the 50 that cost most, and of all others together. A tag of two accounts is two.
   * @param span     days that it touches count whole
   * @param ownerId  only tags of this account. When left out, those of every account: the 50 are found among the 100 accounts with the
   *                 largest sums. Fails: with the database's error.
   */
  async by(kind: TagKind, span: UsageSpan, ownerId?: number): Promise<TagUse[]> {
    const from = span.from - (span.from % DAY_SECONDS);
    const asked = [kind, from, span.to];
    const accounts = ownerId === undefined ? await this.largestAccounts(asked) : [ownerId];
    if (accounts.length === 0) return [];
    const largest = await read(
      this.dataSource,
      `SELECT "q"."user_id" AS "user_id", "q"."value" AS "value" FROM "tag_totals" "q" WHERE ${ofAccounts(accounts)} AND "q"."value" <> ''
       GROUP BY "q"."user_id", "q"."value" ORDER BY SUM("q"."quota") DESC, "q"."user_id", "q"."value" LIMIT ${MOST_VALUES}`,
      asked,
    );
    const shown = await this.shown(kind, { from, to: span.to }, largest);
    const days = await read(
      this.dataSource,
      `SELECT "q"."created_at" AS "start", ${SUMS} FROM "tag_totals" "q" WHERE ${ofAccounts([ownerId ?? ALL_USERS])}
       GROUP BY "q"."created_at"`,
      asked,
    );
    return withOthers(shown, days);
  }

  private async largestAccounts(asked: readonly unknown[]): Promise<number[]> {
    const rows = await read(
      this.dataSource,
      `SELECT "q"."value" AS "id" FROM "tag_totals" "q" WHERE ${ofAccounts([ALL_USERS])}
       GROUP BY "q"."value" ORDER BY SUM("q"."quota") DESC, "q"."value" LIMIT ${MOST_ACCOUNTS}`,
      asked,
    );
    return rows.map((row) => toInteger(row['id']));
  }

  private async shown(kind: TagKind, { from, to }: UsageSpan, largest: readonly Row[]): Promise<TagUse[]> {
    if (largest.length === 0) return [];
    const wanted = new Set(largest.map(nameOf));
    const users = new Set(largest.map((row) => toInteger(row['user_id'])));
    const values = [...new Set(largest.map((row) => toText(row['value'])))];
    const rows = await read(
      this.dataSource,
      `SELECT "q"."user_id" AS "user_id", "u"."username" AS "username", "q"."value" AS "value", "q"."created_at" AS "start",
         "q"."token_used" AS "tokens", "q"."count" AS "calls", "q"."quota" AS "quota"
       FROM "tag_totals" "q" LEFT JOIN "users" "u" ON "u"."id" = "q"."user_id"
       WHERE ${ofAccounts([...users])} AND "q"."value" IN (${values.map(() => '?').join(', ')})
       ORDER BY "q"."created_at", "q"."user_id", "q"."value"`,
      [kind, from, to, ...values],
    );
    return rows.filter((row) => wanted.has(nameOf(row))).map(toUse);
  }

  /** Start of the oldest sum, seconds; null = there is none yet. */
  async since(): Promise<number | null> {
    const [row] = await read(this.dataSource, `SELECT MIN("created_at") AS "since" FROM "tag_totals"`);
    return row?.['since'] === null || row?.['since'] === undefined ? null : toInteger(row['since']);
  }

  /**
   * Deletes a portion of the days that ended before a moment.
   * @returns how many rows; 0 = nothing is left. Fails: with the database's error.
   */
  async deletePortion(beforeSeconds: number): Promise<number> {
    const lastDay = beforeSeconds - DAY_SECONDS;
    const sums = this.dataSource.getRepository(TagTotalEntity);
    const oldest = await sums.findOne({
      where: { createdAt: LessThanOrEqual(lastDay) },
      order: { createdAt: 'ASC' },
      select: { createdAt: true, userId: true, kind: true, value: true },
    });
    if (oldest === null) return 0;
    const { createdAt } = oldest;
    const owners = await read(
      this.dataSource,
      `SELECT DISTINCT "user_id" AS "user_id" FROM "tag_totals" WHERE "created_at" = ? LIMIT ${DELETED_ACCOUNTS}`,
      [createdAt],
    );
    const ids = owners.map((row) => toInteger(row['user_id']));
    const deleted = await sums.delete({ createdAt, userId: In(ids) });
    return deleted.affected ?? ids.length;
  }
}

/** Takes the kind, and the start of the first and the last day. */
const ofAccounts = (ids: readonly number[]): string =>
  `"q"."user_id" IN (${integerList(ids)}) AND "q"."kind" = ? AND "q"."created_at" >= ? AND "q"."created_at" <= ?`;

const nameOf = (row: Row): string => JSON.stringify([toInteger(row['user_id']), toText(row['value'])]);

const toUse = (row: Row): TagUse => ({
  userId: toInteger(row['user_id']),
  username: toText(row['username']),
  value: toText(row['value']),
  start: toInteger(row['start']),
  tokens: toShownSum(row['tokens']),
  calls: toShownSum(row['calls']),
  quota: toShownSum(row['quota']),
});

/** Sums of whole days less what is shown. They are read after it: sums only grow, so no difference is below 0. */
function withOthers(shown: readonly TagUse[], days: readonly Row[]): TagUse[] {
  const others = new Map(
    days.map((row) => {
      const use = toUse({ ...row, user_id: ALL_USERS, username: '', value: '' });
      return [use.start, use] as const;
    }),
  );
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
  return [...shown, ...[...others.values()].filter(({ calls }) => calls > 0)].toSorted(
    (left, right) => left.start - right.start,
  );
}
