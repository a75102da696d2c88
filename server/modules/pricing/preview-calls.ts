import type { DataSource } from 'typeorm';
import { read, toInteger, toText } from '../billing/money-sql.js';

/** All calls settled by one price snapshot, added up by the database. Quota. */
export interface PriceSum {
  readonly snapshotId: string;
  /** Undefined for calls older than named snapshots: each has its own document. */
  readonly document: string | undefined;
  readonly calls: number;
  readonly charged: number;
  readonly writeoff: number;
}

/** One settled call. */
export interface PricedCall {
  readonly userId: number;
  /** Name of its prices, or in older rows those prices themselves. */
  readonly snapshotId: string;
  /** JSON. */
  readonly usage: string;
  /** What it was priced at, whether the balance covered it or not. */
  readonly priced: number;
}

/** A call of a page; without its usage where nobody asked for it. */
type PageRow = Omit<PricedCall, 'usage'> & { readonly usage: string | null };

/** Slices of time the sums are read in: the first, the shortest, and when the next is made longer or shorter. */
const FIRST_SLICE_MS = 3_600_000;
const SHORTEST_SLICE_MS = 60_000;
const FAST_SLICE_MS = 250;
const SLOW_SLICE_MS = 1_000;
/** Rows of one page: a few megabytes at most, and a pause of some ten milliseconds. */
const PAGE_ROWS = 5_000;
/** More snapshots than this are told apart here, not by the database. */
const MAX_LISTED_IDS = 500;
/** Column width of a snapshot's name; longer texts are documents. */
const ID_WIDTH = 64;
const INLINE_MARK = '{';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Call ids are UUIDv7: in the order of time, so that "since" is a range of the primary key. */
export function firstIdSince(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-0000-0000-000000000000`;
}

/** Settled calls as a price preview reads them. */
export class PreviewCalls {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Sums per price snapshot since a moment; calls of the old form come as one sum without a document. Read in slices of time,
   * shorter where there is much: no statement may run long.
   */
  async eachPriceSum(sinceMs: number, untilMs: number, take: (sum: PriceSum) => void): Promise<void> {
    const sums = new Map<string, PriceSum>();
    let sliceMs = FIRST_SLICE_MS;
    for (let fromMs = sinceMs; fromMs < untilMs;) {
      const toMs = Math.min(untilMs, fromMs + sliceMs);
      const startedMs = performance.now();
      for (const sum of await this.sumsBetween(fromMs, toMs)) add(sums, sum);
      const tookMs = performance.now() - startedMs;
      if (tookMs > SLOW_SLICE_MS) sliceMs = Math.max(SHORTEST_SLICE_MS, sliceMs / 4);
      else if (tookMs < FAST_SLICE_MS) sliceMs *= 2;
      fromMs = toMs;
    }
    for (const sum of sums.values()) take(sum);
  }

  private async sumsBetween(fromMs: number, toMs: number): Promise<readonly PriceSum[]> {
    const name = `SUBSTR("price_snapshot", 1, ${ID_WIDTH})`;
    const id = `CASE WHEN ${name} LIKE '${INLINE_MARK}%' THEN '${INLINE_MARK}' ELSE ${name} END`;
    const rows = await read(
      this.dataSource,
      `SELECT "t"."id" AS "id", "p"."document" AS "document", "t"."calls" AS "calls", "t"."charged" AS "charged", "t"."writeoff" AS "writeoff"
       FROM (SELECT ${id} AS "id", COUNT(*) AS "calls", SUM("charged") AS "charged", SUM("writeoff") AS "writeoff"
             FROM "settlements" WHERE "request_id" >= ? AND "request_id" < ? GROUP BY ${id}) "t"
       LEFT JOIN "price_snapshots" "p" ON "p"."id" = "t"."id"`,
      [firstIdSince(fromMs), firstIdSince(toMs)],
    );
    return rows.map((row) => {
      const document = row['document'];
      return {
        snapshotId: toText(row['id']),
        document: document === null || document === undefined ? undefined : toText(document),
        calls: toInteger(row['calls']),
        charged: toInteger(row['charged']),
        writeoff: toInteger(row['writeoff']),
      };
    });
  }

  /**
   * Calls settled by one of the snapshots, newest first, page by page; the next page is read while one is worked on.
   * @param snapshotIds  undefined = all of them
   * @param take  false = enough
   */
  async eachPage(
    sinceMs: number,
    snapshotIds: readonly string[] | undefined,
    take: (rows: readonly PricedCall[]) => Promise<boolean>,
  ): Promise<void> {
    const since = firstIdSince(sinceMs);
    const wanted = snapshotIds === undefined ? undefined : new Set(snapshotIds);
    const listed =
      snapshotIds !== undefined && snapshotIds.length <= MAX_LISTED_IDS ? snapshotIds : undefined;
    let page = this.page(since, LAST_ID, listed);
    for (;;) {
      const { rows, last } = await page;
      const isLast = rows.length < PAGE_ROWS;
      if (!isLast) {
        page = this.page(since, last, listed);
        // A page nobody waits for any more may fail without being heard.
        page.catch(() => undefined);
      }
      const kept = rows.filter(
        (row): row is PricedCall =>
          row.usage !== null && (wanted === undefined || listed !== undefined || wanted.has(nameOf(row))),
      );
      if (!(await take(kept)) || isLast) return;
    }
  }

  private async page(
    since: string,
    before: string,
    listed: readonly string[] | undefined,
  ): Promise<{ readonly rows: readonly PageRow[]; readonly last: string }> {
    // Every page is as many rows as any other, wanted or not: searching for the rare ones could take a statement minutes.
    const usage = listed === undefined ? '"usage"' : `CASE WHEN ${this.isListed(listed)} THEN "usage" END`;
    const parameters = [...(listed ?? []).filter((id) => id !== INLINE_MARK), since, before];
    const rows = await read(
      this.dataSource,
      `SELECT "request_id" AS "request_id", "user_id" AS "user_id", "price_snapshot" AS "price_snapshot", ${usage} AS "usage",
         "charged" + "writeoff" AS "priced"
       FROM "settlements" WHERE "request_id" >= ? AND "request_id" < ?
       ORDER BY "request_id" DESC LIMIT ${PAGE_ROWS}`,
      parameters,
    );
    return {
      rows: rows.map((row) => ({
        userId: toInteger(row['user_id']),
        snapshotId: toText(row['price_snapshot']),
        usage: row['usage'] === null ? null : toText(row['usage']),
        priced: toInteger(row['priced']),
      })),
      last: toText(rows.at(-1)?.['request_id']),
    };
  }

  private isListed(ids: readonly string[]): string {
    const named = ids.filter((id) => id !== INLINE_MARK).length;
    const conditions = [
      ...(named === 0 ? [] : [`"price_snapshot" IN (${Array(named).fill('?').join(', ')})`]),
      ...(named === ids.length ? [] : [`"price_snapshot" LIKE '${INLINE_MARK}%'`]),
    ];
    return `(${conditions.join(' OR ')})`;
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

const nameOf = ({ snapshotId }: PageRow): string =>
  snapshotId.startsWith(INLINE_MARK) ? INLINE_MARK : snapshotId;

function add(sums: Map<string, PriceSum>, sum: PriceSum): void {
  const known = sums.get(sum.snapshotId);
  sums.set(
    sum.snapshotId,
    known === undefined
      ? sum
      : {
          ...sum,
          calls: known.calls + sum.calls,
          charged: known.charged + sum.charged,
          writeoff: known.writeoff + sum.writeoff,
        },
  );
}
