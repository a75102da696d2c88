import { getOrRemember } from '../../../common/get-or-add.js';
import { hash } from 'node:crypto';
import { insertRows, sqlIn, type SqlTarget } from './money-sql.js';

/** Settlements `s` with the prices they were charged by; older rows hold the document itself. */
export const SETTLEMENTS_WITH_PRICES = `"settlements" "s" LEFT JOIN "price_snapshots" "p" ON "p"."id" = "s"."price_snapshot"`;
export const PRICES_OF_SETTLEMENT = `COALESCE("p"."document", "s"."price_snapshot")`;

const ids = new Map<string, string>();
const MAX_IDS = 1_000;
const ID_CHARACTERS = 32;

/** Name of a price snapshot: 192 bits of the hash of its document. */
export function snapshotId(document: string): string {
  const id = getOrRemember(ids, MAX_IDS, document, () =>
    hash('sha256', document, 'base64url').slice(0, ID_CHARACTERS),
  );
  return id;
}

/** Writes the documents that are not there yet. */
export async function keepSnapshots(
  target: SqlTarget,
  documents: ReadonlySet<string>,
  nowMs: number,
): Promise<void> {
  const again = sqlIn(target).orKeep({ table: 'price_snapshots', key: ['id'] });
  const rows = [...documents].map((document) => [snapshotId(document), document, nowMs]);
  // In one order everywhere: two workers that write the same rows must not wait for each other crosswise.
  rows.sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
  await insertRows(target, 'price_snapshots', ['id', 'document', 'created_at_ms'], rows, again);
}
