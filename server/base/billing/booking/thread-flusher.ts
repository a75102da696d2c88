import { Worker } from 'node:worker_threads';
import type { ThreadLock } from '../../../infra/database/thread-lock.js';
import { SPOOL_START, type SpoolPosition, type SpoolProgress } from '../../../infra/spool/spool-progress.js';
import type { SharedStore } from '../../../infra/shared-store/shared-store.js';
import type { Clock } from '../../../common/clock.js';
import type { BookingOptions } from './booking-options.js';
import {
  BOOKING_LOCK_HOLDER,
  type BookingOrder,
  type BookingReport,
  type BookingTask,
} from './booking-messages.js';
import { SharedBookingOptions } from './shared-booking-options.js';
import { type BookedCall, callOf, applyToPools, SettlementFlusher } from './settlement-flusher.js';
import type { BookingRecord } from '../records/spool-documents.js';

/** Databases of the booking thread. */
export interface BookingPlace {
  readonly databaseUrl: string;
  /** Undefined = the logs are in the main database. */
  readonly logDatabaseUrl: string | undefined;
  readonly lock: ThreadLock;
  readonly logLock: ThreadLock;
  /** Node's flags of the thread, beside the process's own. */
  readonly execArgv?: readonly string[];
}

const FIRST_RESTART_MS = 100;
const MAX_RESTART_MS = 5_000;
/** A thread that does not end by then is ended. */
const STOP_MS = 5_000;
/** Objects of a batch live until its transaction ends: with less room they would move to the old generation and cost full collections. */
const THREAD_LIMITS = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 256 };

/**
 * Has the spool booked by a thread that reads it itself: per call nothing is posted and nothing is written here. The thread
 * reports its progress; a thread that died is started again from there.
 */
export class ThreadFlusher extends SettlementFlusher {
  /** On the spool and not known to be booked, in its order; the first `done` of them are. */
  private followed: BookedCall[] = [];
  private done = 0;
  /** Made by recovery and not known to be booked. */
  private recovered: BookingRecord[] = [];
  private position: SpoolPosition = SPOOL_START;
  private thread: Worker | undefined;
  private cancelRestart: (() => void) | undefined;
  private restartMs = FIRST_RESTART_MS;
  private isStopped = false;
  private readonly options = new SharedBookingOptions();
  /** Reports are handled one after the other. */
  private hearing: Promise<void> = Promise.resolve();

  constructor(
    private readonly ports: {
      readonly place: BookingPlace;
      readonly progress: SpoolProgress;
      readonly spoolFolder: string;
      readonly spoolRoot: string;
      readonly store: SharedStore;
      readonly clock: Clock;
      readonly options: () => BookingOptions;
      readonly onBooked: (calls: readonly BookedCall[]) => void;
      readonly onFault: (message: string, error: unknown) => void;
    },
  ) {
    super();
    // The first record starts the thread: an idle process saves its memory.
    ports.progress.fallAsleep();
    ports.progress.onWake = () => this.order({ kind: 'wake' });
    ports.progress.onPublish = () => this.noteOptions();
  }

  get backlog(): number {
    return this.followed.length - this.done + this.recovered.length;
  }

  get oldestSettledAtMs(): number | undefined {
    return this.followed[this.done]?.settledAtMs;
  }

  enqueue(record: BookingRecord): void {
    if (record.isRecovered !== true) {
      // The thread reads the record itself: nothing of it is kept here but what must be known when it is booked.
      this.followed.push(callOf(record));
      return;
    }
    if (record.type === 'S') this.recoveredCalls += 1;
    this.recovered.push(record);
    this.noteOptions();
    this.order({ kind: 'recovered', record });
  }

  drain(withinMs: number): Promise<boolean> {
    if (!this.isIdle) this.post({ kind: 'hurry' });
    return this.whenIdle((delayMs, action) => this.ports.clock.after(delayMs, action), withinMs);
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.cancelRestart?.();
    const { thread } = this;
    if (thread === undefined) return;
    await new Promise<void>((resolve) => {
      const cancel = this.ports.clock.after(STOP_MS, () => void thread.terminate());
      thread.once('exit', () => {
        cancel();
        resolve();
      });
      this.post({ kind: 'stop' });
    });
  }

  private start(): void {
    const { place, progress, spoolFolder, spoolRoot } = this.ports;
    const { databaseUrl, logDatabaseUrl, lock, logLock, execArgv } = place;
    this.noteOptions();
    const task: BookingTask = {
      databaseUrl,
      logDatabaseUrl,
      spoolFolder,
      spoolRoot,
      options: this.options.memory,
      progress: progress.memory,
      lock: lock.memory,
      logLock: logLock.memory,
      from: this.position,
    };
    // Tests run the sources, the build runs what was compiled.
    const file = import.meta.url.endsWith('.ts') ? './booking-thread.ts' : './booking-thread.js';
    const thread = new Worker(new URL(file, import.meta.url), {
      name: 'booking',
      workerData: task,
      resourceLimits: THREAD_LIMITS,
      ...(execArgv === undefined ? {} : { execArgv: [...execArgv] }),
    });
    this.thread = thread;
    thread.on('message', (report: BookingReport) => {
      this.hearing = this.hearing.then(() => this.onReport(report, thread));
    });
    thread.on('error', (error) => this.ports.onFault('the booking thread failed', error));
    thread.once('exit', () => this.onExit(thread));
    // Orders to the previous thread may be lost with it.
    for (const record of this.recovered) this.post({ kind: 'recovered', record });
  }

  private onExit(thread: Worker): void {
    if (this.thread !== thread) return;
    this.thread = undefined;
    const { place, clock, progress } = this.ports;
    place.lock.releaseFor(BOOKING_LOCK_HOLDER);
    place.logLock.releaseFor(BOOKING_LOCK_HOLDER);
    progress.wakeUp();
    if (this.isStopped) return;
    this.cancelRestart = clock.after(this.restartMs, () => {
      this.cancelRestart = undefined;
      this.start();
    });
    this.restartMs = Math.min(this.restartMs * 2, MAX_RESTART_MS);
  }

  private async onReport(report: BookingReport, from: Worker): Promise<void> {
    const { store, onFault, onBooked } = this.ports;
    if (report.kind === 'fault') {
      onFault(report.message, report.error);
      return;
    }
    if (report.kind === 'debits') {
      await applyToPools(store, { debits: report.debits, voided: [] }, onFault);
      // Not `post`: if the thread has died meanwhile, its successor must not take this for the answer to its own debits.
      from.postMessage({ kind: 'told' } satisfies BookingOrder);
      return;
    }
    if (report.kind === 'written-off') {
      this.writtenOffQuota += report.quota;
      return;
    }
    this.restartMs = FIRST_RESTART_MS;
    this.position = report.position;
    const end = this.done + report.followed;
    const booked = this.followed.slice(this.done, end);
    this.recovered.splice(0, report.recovered);
    await applyToPools(store, report.news, onFault);
    this.done = end;
    this.noteLags(booked, this.ports.clock.nowMs());
    onBooked(booked);
    // Seldom, so that a record is moved a few times at most.
    if (this.done * 2 >= this.followed.length) {
      this.followed = this.followed.slice(this.done);
      this.done = 0;
    }
    if (this.isIdle) this.notifyIdle();
  }

  /** Before the thread can see a record: one after an operator's change must not be booked by the old options. */
  private noteOptions(): void {
    this.options.write(this.ports.options());
  }

  /** Posts an order, or starts the thread when there is none and none is about to start: a new thread gets all orders. */
  private order(order: BookingOrder): void {
    if (this.thread !== undefined) this.post(order);
    else if (this.cancelRestart === undefined && !this.isStopped) this.start();
  }

  private post(order: BookingOrder): void {
    this.thread?.postMessage(order);
  }
}
