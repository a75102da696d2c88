import { quarantine } from '../../../infra/spool/quarantine.js';
import type { BookingRecord } from '../records/spool-documents.js';

/** Keeps a record that can never be booked for an operator to inspect. Never fails. */
export function quarantineRecord(
  spoolRoot: string,
  record: BookingRecord,
  error: unknown,
  onFault: (message: string, error: unknown) => void,
): void {
  const { request_id: callId } = record.document;
  const name = `${callId.replaceAll(/[^0-9A-Za-z-]/g, '_')}.json`;
  try {
    quarantine(spoolRoot, name, JSON.stringify(record));
    onFault(`call ${callId} cannot be booked; its record is in quarantine`, error);
  } catch (fault) {
    onFault(
      `call ${callId} cannot be booked, and its record could not be set aside: ${String(error)}`,
      fault,
    );
  }
}
