import { readlinkSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { takeSmallPools } from '../../../infra/sockets/buffer-pool-size.js';
import { openThreadStore } from '../../../infra/database/open-thread-store.js';
import { ThreadLock } from '../../../infra/database/thread-lock.js';
import { SpoolProgress } from '../../../infra/spool/spool-progress.js';
import { BatchBooker } from './batch-booker.js';
import {
  BOOKING_LOCK_HOLDER,
  type BookingOrder,
  type BookingReport,
  type BookingTask,
} from './booking-messages.js';
import { quarantineRecord } from './dead-letter.js';
import { SharedBookingOptions } from './shared-booking-options.js';
import { SpoolBooking } from './spool-booking.js';

/**
 * The booking thread of a worker: reads the worker's spool and writes settlements, log rows and balances over a connection of
 * its own, so that no call ever waits for a statement. Started by ThreadFlusher.
 */
const task = workerData as BookingTask;
const say = (report: BookingReport): void => parentPort?.postMessage(report);
const onFault = (message: string, error: unknown): void =>
  say({ kind: 'fault', message, error: error === undefined ? undefined : String(error) });

const NICER_BY = 3;
lowerPriority();
takeSmallPools();
const options = new SharedBookingOptions(task.options);
const store = await openThreadStore(
  task.databaseUrl,
  new ThreadLock(task.lock, BOOKING_LOCK_HOLDER),
  (error) => onFault('a connection of the booking thread broke', error),
);
const logStore =
  task.logDatabaseUrl === undefined
    ? store
    : await openThreadStore(task.logDatabaseUrl, new ThreadLock(task.logLock, BOOKING_LOCK_HOLDER), (error) =>
        onFault('a connection of the booking thread broke', error),
      );
/** Batches are booked one after the other: at most one waits. */
let onDebitsApplied: () => void = () => undefined;
const booking = new SpoolBooking({
  progress: new SpoolProgress(task.progress),
  spoolFolder: task.spoolFolder,
  from: task.from,
  booker: new BatchBooker({
    store,
    logStore,
    onFault,
    nowMs: () => Date.now(),
    options: () => options.read(),
    onWrittenOff: (quota) => say({ kind: 'written-off', quota }),
    applyDebits: (debits) =>
      new Promise((resolve) => {
        onDebitsApplied = resolve;
        say({ kind: 'debits', debits });
      }),
    onBadRecord: (record, error) => quarantineRecord(task.spoolRoot, record, error, onFault),
  }),
  onBooked: (batch) => say({ kind: 'booked', ...batch }),
  onFault,
});

parentPort?.on('message', (order: BookingOrder) => {
  if (order.kind === 'wake') booking.wake();
  else if (order.kind === 'hurry') booking.flushNow();
  else if (order.kind === 'told') onDebitsApplied();
  else if (order.kind === 'recovered') booking.book(order.record);
  else void leave();
});
booking.wake();

async function leave(): Promise<void> {
  booking.stop();
  try {
    await logStore.close();
    if (logStore !== store) await store.close();
  } catch (error) {
    onFault('the booking thread could not close its connections', error);
  }
  parentPort?.close();
}

/**
 * On Linux threads have priorities of their own: calls come first, booking may take its time. To be nicer by 3 leaves it a third of a
 * core that calls would fill, more than booking them takes.
 */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = /\d+$/.exec(readlinkSync('/proc/thread-self'))?.[0];
    if (thread === undefined) return;
    const niceness = getPriority(Number(thread)) + NICER_BY;
    setPriority(Number(thread), Math.min(niceness, constants.priority.PRIORITY_LOW));
  } catch (error) {
    onFault('the booking thread could not lower its priority', error);
  }
}
