import { DomainError } from '../../common/errors/domain-error.js';
import { DatabaseBusyError } from './connection-acquire-limit.js';
import { isConnectionLost, isReadOnly } from './database-faults.js';

const RETRY_AFTER_MS = 2_000;

/** The host cannot be found or reached; the server takes no more connections (MySQL, PostgreSQL). */
const UNREACHABLE = new Set<unknown>([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ER_CON_COUNT_ERROR',
  '53300',
]);

/** A statement took longer than it may: MariaDB, MySQL, PostgreSQL. */
const TOO_SLOW = new Set<unknown>(['ER_STATEMENT_TIMEOUT', 'ER_QUERY_TIMEOUT', '57014']);
/** What MariaDB's error is called by its number where the driver has no name for it. */
const TOO_SLOW_NUMBERS = new Set<unknown>([1_969, 3_024]);

/** What the console API answers while the database is away, takes no changes, has no free connection or takes too long; undefined for any other error. */
export function databaseRefusal(error: unknown): DomainError | undefined {
  const { code, errno } = (error ?? {}) as { readonly code?: unknown; readonly errno?: unknown };
  if (TOO_SLOW.has(code) || TOO_SLOW_NUMBERS.has(errno)) return new DomainError('database_too_slow');
  if (isReadOnly(error)) return new DomainError('database_read_only', {}, RETRY_AFTER_MS);
  const isAway =
    error instanceof DatabaseBusyError ||
    isConnectionLost(error) ||
    UNREACHABLE.has(code) ||
    (error instanceof Error && /timeout exceeded when trying to connect/i.test(error.message));
  return isAway ? new DomainError('database_unavailable', {}, RETRY_AFTER_MS) : undefined;
}
