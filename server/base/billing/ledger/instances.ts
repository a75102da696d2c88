import type { DataSource } from 'typeorm';
import { dialectOf } from '../../../infra/database/data-source.js';
import { instancePlace } from '../../../common/instance-place.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import { execute, nowExpression, read, toInteger, toText } from './money-sql.js';
import { ABANDONED_AFTER_MS } from './reservation-sql.js';

/** A worker whose heartbeat is older than this, by the database's clock, is dead. */
export const HEARTBEAT_LEASE_MS = 60_000;

export interface DeadInstance {
  readonly bootId: string;
  /** Its spool was read: of its calls those have a cost that have a settlement. */
  readonly isBooked: boolean;
  /** No worker that can read its spool has recovered its slices for so long that none will. */
  readonly isAbandoned: boolean;
}

/** A worker on the same database with another shared store. */
export interface OtherStoreInstance {
  readonly bootId: string;
  readonly host: string;
  readonly storeId: string;
  readonly lastSeenMs: number;
}

/** True when every living worker admits calls under limits; workers of versions before limits do not. Fails: with the database's error. */
export async function areLimitsCountedByAll(dataSource: DataSource): Promise<boolean> {
  const now = nowExpression(dialectOf(dataSource));
  const [row] = await read(
    dataSource,
    `SELECT COUNT(*) AS "earlier" FROM "instances" WHERE "counts_limits" = 0 AND "last_seen_ms" > ${now} - ${HEARTBEAT_LEASE_MS}`,
  );
  return toInteger(row?.['earlier'] ?? 0) === 0;
}

/** This worker among the living: its heartbeat, and what it sees of the others'. */
export class Instances {
  private others = true;
  private reportedStore: string | null = null;

  /** @param storeId  name of the shared store this worker works with; null = not known */
  constructor(
    private readonly dataSource: DataSource,
    private readonly bootId: string,
    private readonly storeId: () => string | null = () => null,
    private readonly place: string = instancePlace(),
  ) {}

  /** True when, at the last check, no other worker had a heartbeat for a lease. */
  get isOnlyInstance(): boolean {
    return !this.others;
  }

  /** Registers this worker, or renews its heartbeat. */
  async heartbeat(): Promise<void> {
    const now = nowExpression(dialectOf(this.dataSource));
    const store = this.storeId();
    await runInTransaction(this.dataSource, async (manager) => {
      const { affected } = await execute(
        manager,
        `UPDATE "instances" SET "last_seen_ms" = ${now}, "store_id" = ?, "counts_limits" = 1 WHERE "boot_id" = ?`,
        [store, this.bootId],
      );
      if (affected > 0) return;
      await execute(
        manager,
        `INSERT INTO "instances" ("boot_id", "host", "started_at_ms", "last_seen_ms", "store_id", "counts_limits") VALUES (?, ?, ${now}, ${now}, ?, 1)`,
        [this.bootId, this.place, store],
      );
    });
    this.reportedStore = store;
  }

  /** True when the store has another name than this worker wrote down last. */
  get hasNewStore(): boolean {
    return this.reportedStore !== this.storeId();
  }

  /** Living workers with another shared store than this one's, oldest heartbeat first; none while ours is not known. */
  async listWithOtherStore(): Promise<readonly OtherStoreInstance[]> {
    const store = this.storeId();
    if (store === null) return [];
    const now = nowExpression(dialectOf(this.dataSource));
    const rows = await read(
      this.dataSource,
      `SELECT "boot_id" AS "boot_id", "host" AS "host", "store_id" AS "store", "last_seen_ms" AS "seen" FROM "instances"
         WHERE "boot_id" <> ? AND "store_id" <> ? AND "last_seen_ms" > ${now} - ${HEARTBEAT_LEASE_MS} ORDER BY "last_seen_ms"`,
      [this.bootId, store],
    );
    return rows.map((row) => ({
      bootId: toText(row['boot_id']),
      host: toText(row['host']),
      storeId: toText(row['store']),
      lastSeenMs: toInteger(row['seen']),
    }));
  }

  /** Workers, living or not in order yet, that admit calls under limits. */
  async listCountingLimits(): Promise<readonly string[]> {
    const rows = await read(
      this.dataSource,
      `SELECT "boot_id" AS "boot_id" FROM "instances" WHERE "counts_limits" = 1`,
    );
    return rows.map((row) => toText(row['boot_id']));
  }

  /** Looks for other living workers. */
  async look(): Promise<void> {
    const now = nowExpression(dialectOf(this.dataSource));
    const [row] = await read(
      this.dataSource,
      `SELECT COUNT(*) AS "others" FROM "instances" WHERE "boot_id" <> ? AND "last_seen_ms" > ${now} - ${HEARTBEAT_LEASE_MS}`,
      [this.bootId],
    );
    this.others = toInteger(row?.['others']) > 0;
  }

  /** True when this worker is the one of the living that acts for all while leases cannot be granted. */
  async isFirst(): Promise<boolean> {
    const now = nowExpression(dialectOf(this.dataSource));
    const [row] = await read(
      this.dataSource,
      `SELECT MIN("boot_id") AS "first" FROM "instances" WHERE "last_seen_ms" > ${now} - ${HEARTBEAT_LEASE_MS}`,
      [],
    );
    return row !== undefined && row['first'] === this.bootId;
  }

  /** True when a worker had no heartbeat for a lease, or never existed. */
  async isDead(bootId: string): Promise<boolean> {
    const now = nowExpression(dialectOf(this.dataSource));
    const rows = await read(
      this.dataSource,
      `SELECT "boot_id" FROM "instances" WHERE "boot_id" = ? AND "last_seen_ms" > ${now} - ${HEARTBEAT_LEASE_MS}`,
      [bootId],
    );
    return rows.length === 0;
  }

  /** Dead workers that are not in order yet. */
  async listDead(): Promise<DeadInstance[]> {
    const now = nowExpression(dialectOf(this.dataSource));
    const rows = await read(
      this.dataSource,
      `SELECT "boot_id" AS "boot_id", "started_at_ms" AS "started", ${now} - "last_seen_ms" AS "silent_ms" FROM "instances"
         WHERE "boot_id" <> ? AND "last_seen_ms" <= ${now} - ${HEARTBEAT_LEASE_MS}`,
      [this.bootId],
    );
    return rows.map((row) => ({
      bootId: toText(row['boot_id']),
      isBooked: toInteger(row['started']) === 0,
      isAbandoned: toInteger(row['silent_ms']) > ABANDONED_AFTER_MS,
    }));
  }

  /** A dead worker whose spool is booked; only its holds are still to be given back. Its start is removed as the mark of that. */
  async markBooked(bootId: string): Promise<void> {
    await runInTransaction(this.dataSource, (manager) =>
      execute(manager, `UPDATE "instances" SET "started_at_ms" = 0 WHERE "boot_id" = ?`, [bootId]),
    );
  }

  /** A worker that is gone and in order. */
  async forget(bootId: string): Promise<void> {
    await runInTransaction(this.dataSource, (manager) =>
      execute(manager, `DELETE FROM "instances" WHERE "boot_id" = ?`, [bootId]),
    );
  }
}
