import type { DataSource } from 'typeorm';
import { runInTransaction } from '../../../../server/infra/database/run-in-transaction.js';
import { calculateQuota } from '../../../../server/base/pricing/calculate-quota.js';
import { SETTLEMENT_COLUMNS } from '../../../../server/base/billing/booking/book-settlements.js';
import { insertRows } from '../../../../server/base/billing/ledger/money-sql.js';
import { keepSnapshots, snapshotId } from '../../../../server/base/billing/ledger/price-snapshots.js';
import type { PriceSnapshot } from '../../../../server/relay-core/model/price-snapshot.js';
import type { Usage } from '../../../../server/relay-core/model/usage.js';

/** A settled call, as a test wants it stored. */
export interface StoredCall {
  readonly userId: number;
  readonly snapshot: PriceSnapshot;
  readonly usage: Usage;
  readonly atMs: number;
  /** The document itself in the row, as older programs wrote it. */
  readonly isInline?: boolean;
}

/** UUIDv7 of a moment; `index` distinguishes calls of one moment. */
export function callIdAt(ms: number, index: number): string {
  const hex = Math.floor(ms).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${index.toString(16).padStart(12, '0')}`;
}

/** Writes settlements as the booking does. @returns their call ids, in order */
export async function storeCalls(dataSource: DataSource, calls: readonly StoredCall[]): Promise<string[]> {
  const ids = calls.map((call, index) => callIdAt(call.atMs, index));
  const documents = calls.map(({ snapshot }) => JSON.stringify(snapshot));
  const rows = calls.map((call, index) => {
    const document = documents[index] as string;
    return [
      ids[index],
      call.userId,
      null,
      0,
      1,
      call.snapshot.model,
      JSON.stringify(call.usage),
      'reported',
      calculateQuota(call.usage, call.snapshot),
      0,
      'ok',
      call.isInline === true ? document : snapshotId(document),
      call.atMs,
      null,
    ];
  });
  await runInTransaction(dataSource, async (manager) => {
    await keepSnapshots(manager, new Set(documents), 0);
    for (let from = 0; from < rows.length; from += 500)
      await insertRows(manager, 'settlements', SETTLEMENT_COLUMNS, rows.slice(from, from + 500));
  });
  return ids;
}
