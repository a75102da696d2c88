import type { DataSource } from 'typeorm';
import { read, textList, toInteger, toText } from '../ledger/money-sql.js';
import { BookingError } from '../ledger/record-owner.js';
import type { BookingRecord } from '../records/spool-documents.js';

const IDS_PER_QUERY = 500;

/**
 * Of the records of a dead worker those that are this installation's. Segments of older versions do not name their installation: they
 * are ours when this database knows the worker that wrote them, by its heartbeat or by what it had set aside; else each record is
 * when its reservation is here, and its account's.
 * @param onUnknownCall  keeps the others for a person
 */
export async function ownRecords(
  dataSource: DataSource,
  bootId: string,
  records: readonly BookingRecord[],
  onUnknownCall: (record: BookingRecord, error: BookingError) => void,
): Promise<BookingRecord[]> {
  const unnamed = records.filter(({ isUnnamed }) => isUnnamed === true);
  if (unnamed.length === 0 || (await isWorkerKnown(dataSource, bootId))) return [...records];
  const reserved = await withReservation(dataSource, unnamed);
  return records.filter((record) => {
    if (record.isUnnamed !== true || reserved.has(record)) return true;
    const { request_id: callId } = record.document;
    onUnknownCall(record, new BookingError(`${callId}: nothing says that it is a call of this installation`));
    return false;
  });
}

/** Records whose reservation is in this database, and of the same account. */
export async function withReservation(
  dataSource: DataSource,
  records: readonly BookingRecord[],
): Promise<Set<BookingRecord>> {
  const owners = new Map<string, number>();
  const ids = [...new Set(records.map(({ document }) => document.hold.userReservationId))].filter(Boolean);
  for (let from = 0; from < ids.length; from += IDS_PER_QUERY) {
    const rows = await read(
      dataSource,
      `SELECT "id" AS "id", "user_id" AS "user_id" FROM "reservations"
         WHERE "id" IN (${textList(ids.slice(from, from + IDS_PER_QUERY))})`,
    );
    for (const row of rows) owners.set(toText(row['id']), toInteger(row['user_id']));
  }
  return new Set(
    records.filter(({ document }) => owners.get(document.hold.userReservationId) === document.user_id),
  );
}

async function isWorkerKnown(dataSource: DataSource, bootId: string): Promise<boolean> {
  const rows = await read(
    dataSource,
    `SELECT "boot_id" AS "id" FROM "instances" WHERE "boot_id" = ?
       UNION SELECT "owner" AS "id" FROM "reservations"
         WHERE "state" IN ('open', 'settled', 'released') AND "owner" = ?`,
    [bootId, bootId],
  );
  return rows.length > 0;
}
