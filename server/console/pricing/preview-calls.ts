import type { DataSource } from 'typeorm';
import { firstIdSince } from '../../infra/ids/ids-by-time.js';
import { read, toInteger, toText } from '../../base/billing/ledger/money-sql.js';

/** One settled call. */
export interface PricedCall {
  readonly userId: number;
  /** Name of its prices, or in older rows those prices themselves. */
  readonly snapshotId: string;
  /** JSON; null when it was not selected. */
  readonly usage: string | null;
  /** Price it was settled at, covered by the balance or not. */
  readonly priced: number;
  /** The part of it the balance did not cover. */
  readonly writeoff: number;
}

/** Rows of one page: two of them are at hand, which the youngest part of the heap has room for. */
const PAGE_ROWS = 2_000;
/** The usage of calls by more snapshots than this is read whether it is needed or not. */
const MAX_LISTED_IDS = 500;
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Settled calls as a price preview reads them. */
export class PreviewCalls {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Calls since a moment, newest first, page by page; the next page is read while one is worked on.
   * @param withoutUsage  names of prices whose calls need no usage; asked before each page
   * @param take  false = enough
   */
  async eachPage(
    sinceMs: number,
    withoutUsage: () => readonly string[],
    take: (rows: readonly PricedCall[]) => Promise<boolean>,
  ): Promise<void> {
    const since = firstIdSince(sinceMs);
    let page = this.page(since, LAST_ID, withoutUsage());
    for (;;) {
      const { rows, last } = await page;
      const isLast = rows.length < PAGE_ROWS;
      if (!isLast) {
        page = this.page(since, last, withoutUsage());
        // A page without a waiting reader may fail silently.
        page.catch(() => undefined);
      }
      if (!(await take(rows)) || isLast) return;
    }
  }

  private async page(
    since: string,
    before: string,
    withoutUsage: readonly string[],
  ): Promise<{ readonly rows: readonly PricedCall[]; readonly last: string }> {
    const listed = withoutUsage.slice(0, MAX_LISTED_IDS);
    const marks = listed.map(() => '?').join(', ');
    // One pass over a range of the key, wanted or not: neither sums made before nor a search for the rare ones costs a second one.
    const usage =
      listed.length === 0 ? '"usage"' : `CASE WHEN "price_snapshot" IN (${marks}) THEN NULL ELSE "usage" END`;
    const rows = await read(
      this.dataSource,
      `SELECT "request_id" AS "request_id", "user_id" AS "user_id", "price_snapshot" AS "price_snapshot", ${usage} AS "usage",
         "charged" AS "charged", "writeoff" AS "writeoff"
       FROM "settlements" WHERE "request_id" >= ? AND "request_id" < ?
       ORDER BY "request_id" DESC LIMIT ${PAGE_ROWS}`,
      [...listed, since, before],
    );
    return {
      rows: rows.map((row) => {
        const writeoff = toInteger(row['writeoff']);
        return {
          userId: toInteger(row['user_id']),
          snapshotId: toText(row['price_snapshot']),
          usage: row['usage'] === null ? null : toText(row['usage']),
          priced: toInteger(row['charged']) + writeoff,
          writeoff,
        };
      }),
      last: toText(rows.at(-1)?.['request_id']),
    };
  }

  /** Prices by their names; unknown names are left out. */
  async documentsOf(snapshotIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const documents = new Map<string, string>();
    for (let from = 0; from < snapshotIds.length; from += MAX_LISTED_IDS) {
      const part = snapshotIds.slice(from, from + MAX_LISTED_IDS);
      const rows = await read(
        this.dataSource,
        `SELECT "id" AS "id", "document" AS "document" FROM "price_snapshots" WHERE "id" IN (${part.map(() => '?').join(', ')})`,
        part,
      );
      for (const row of rows) documents.set(toText(row['id']), toText(row['document']));
    }
    return documents;
  }

  /** Group of every account. */
  async groupsOfUsers(): Promise<ReadonlyMap<number, string>> {
    const rows = await read(this.dataSource, `SELECT "id" AS "id", "group" AS "name" FROM "users"`);
    return new Map(rows.map((row) => [toInteger(row['id']), toText(row['name'])]));
  }

  async namesOf(userIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
    if (userIds.length === 0) return new Map();
    const marks = userIds.map(() => '?').join(', ');
    const rows = await read(
      this.dataSource,
      `SELECT "id" AS "id", "username" AS "name" FROM "users" WHERE "id" IN (${marks})`,
      userIds,
    );
    return new Map(rows.map((row) => [toInteger(row['id']), toText(row['name'])]));
  }
}
