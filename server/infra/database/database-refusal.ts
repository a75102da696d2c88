import { DomainError } from '../../common/errors/domain-error.js';
import { DatabaseBusyError } from './acquire-gate.js';
import { isConnectionLost } from './run-in-transaction.js';

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

/** What the console API answers while the database is away or has no free connection; undefined for any other error. */
export function databaseRefusal(error: unknown): DomainError | undefined {
  const isAway =
    error instanceof DatabaseBusyError ||
    isConnectionLost(error) ||
    UNREACHABLE.has((error as { code?: unknown } | null)?.code) ||
    (error instanceof Error && /timeout exceeded when trying to connect/i.test(error.message));
  return isAway ? new DomainError('database_unavailable', {}, RETRY_AFTER_MS) : undefined;
}
