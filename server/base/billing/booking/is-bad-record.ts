import { driverFault, isDuplicateKey } from '../../../infra/database/database-faults.js';
import { BookingError } from '../ledger/record-owner.js';

/** MySQL and MariaDB: value too long, out of range, wrong type, null, failed check, broken reference. */
const MYSQL_DATA_FAULTS = new Set([1048, 1264, 1265, 1292, 1366, 1406, 1452, 1690, 3140, 3819, 4025, 4038]);

/**
 * True when the record itself is at fault, so that trying again cannot help. A duplicate key is not: another worker booked the
 * call in the same moment, and the next try sees it.
 */
export function isBadRecord(error: unknown): boolean {
  if (error instanceof BookingError || error instanceof RangeError) return true;
  if (isDuplicateKey(error)) return false;
  const { code, errno } = driverFault(error);
  if (typeof errno === 'number' && MYSQL_DATA_FAULTS.has(errno)) return true;
  if (typeof code !== 'string') return false;
  // PostgreSQL classes 22 (data) and 23 (constraints); SQLite's own names.
  return (
    /^2[23][0-9A-Z]{3}$/.test(code) || code.startsWith('SQLITE_CONSTRAINT') || code === 'SQLITE_MISMATCH'
  );
}
