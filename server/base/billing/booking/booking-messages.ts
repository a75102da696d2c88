import type { SpoolPosition } from '../../../infra/spool/spool-progress.js';
import type { PoolChanges } from './book-settlements.js';
import type { PoolDebit } from './batch-totals.js';
import type { BookingRecord } from '../records/spool-documents.js';

/** Start parameters of the booking thread. */
export interface BookingTask {
  readonly databaseUrl: string;
  /** Undefined = the logs are in the main database. */
  readonly logDatabaseUrl: string | undefined;
  /** Shared: see SpoolProgress and ThreadLock. */
  readonly progress: SharedArrayBuffer;
  readonly lock: SharedArrayBuffer;
  readonly logLock: SharedArrayBuffer;
  /** Folder of the worker's own spool, and where to go on reading it. */
  readonly spoolFolder: string;
  readonly from: SpoolPosition;
  /** Folder of all spools: records that can never be booked go into its quarantine. */
  readonly spoolRoot: string;
  /** Shared: see SharedBookingOptions. */
  readonly options: SharedArrayBuffer;
}

/** To the thread. Records of its spool are not posted: it reads them itself. */
export type BookingOrder =
  /** There are new records. */
  | { readonly kind: 'wake' }
  /** A drain waits: book without waiting for more records. */
  | { readonly kind: 'hurry' }
  /** Made by recovery. */
  | { readonly kind: 'recovered'; readonly record: BookingRecord }
  /** The debits are applied in the store, or the store is away: commit. */
  | { readonly kind: 'told' }
  | { readonly kind: 'stop' };

/** From the thread. */
export type BookingReport =
  /** In the database now, in the order they were given: so many of the spool, so many of recovery's. */
  | {
      readonly kind: 'booked';
      readonly followed: number;
      readonly recovered: number;
      readonly position: SpoolPosition;
      readonly news: PoolChanges;
    }
  /** About to be committed, see BatchBooker. The thread waits for the order to commit. */
  | { readonly kind: 'debits'; readonly debits: readonly PoolDebit[] }
  | { readonly kind: 'written-off'; readonly quota: number }
  | { readonly kind: 'fault'; readonly message: string; readonly error: string | undefined };

/** Holder number of the booking thread in a ThreadLock; the main thread is 1. */
export const BOOKING_LOCK_HOLDER = 2;
