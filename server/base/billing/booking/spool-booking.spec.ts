import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { until } from '../../../../test/support/until.js';
import { SPOOL_START } from '../../../infra/spool/spool-progress.js';
import { Spool } from '../../../infra/spool/spool.js';
import type { BookingRecord, ReleaseDocument } from '../records/spool-documents.js';
import type { BatchBooker } from './batch-booker.js';
import type { PoolChanges } from './book-settlements.js';
import { type BookedBatch, SpoolBooking } from './spool-booking.js';

const hold = { kind: 'call', userReservationId: 'r', tokenReservationId: null, amount: 1 } as const;
const released = (callId: string, kind: 'call' | 'pool' = 'call'): ReleaseDocument => ({
  request_id: callId,
  user_id: 1,
  token_id: null,
  hold: { ...hold, kind },
});
const recovered = (callId: string): BookingRecord => ({
  isRecovered: true,
  type: 'R',
  document: released(callId),
});

describe('SpoolBooking', () => {
  let root: string;
  let spool: Spool;
  let booking: SpoolBooking;
  let batches: BookedBatch[];
  let booked: string[];
  let faults: string[];
  /** Undefined, as from the booker, while the database is away. */
  let answer: () => PoolChanges | undefined;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'tollgate-booking-'));
    const onFault = (message: string): void => void faults.push(message);
    spool = new Spool({ root, bootId: 'boot', clock: new FakeClock(), reserveBytes: 0, onFault });
    [batches, booked, faults] = [[], [], []];
    answer = () => ({ debits: [], voided: [] });
    const book = async (batch: readonly BookingRecord[]) => {
      const news = answer();
      if (news !== undefined) booked.push(...batch.map(({ document }) => document.request_id));
      return news;
    };
    booking = new SpoolBooking({
      progress: spool.progress,
      booker: { book } as unknown as BatchBooker,
      spoolFolder: spool.folder,
      from: SPOOL_START,
      onBooked: (batch) => batches.push(batch),
      onFault,
    });
    spool.progress.onWake = () => booking.wake();
  });
  afterEach(async () => {
    booking.stop();
    await spool.close();
    rmSync(root, { recursive: true, force: true });
  });
  const write = (callId: string, kind: 'call' | 'pool' = 'call'): void => {
    void spool.append('R', callId, JSON.stringify(released(callId, kind)));
    spool.flush();
  };

  it('books the written part, and returns its end', async () => {
    write('one');
    write('two');
    booking.flushNow();
    await until(() => booked.length === 2);
    expect(batches).toMatchObject([{ followed: 2, recovered: 0, position: spool.progress.read() }]);
    expect(faults).toEqual([]);
  });

  it('reads past the end of a call that held from a pool and cost nothing', async () => {
    write('free', 'pool');
    write('own');
    booking.flushNow();
    await until(() => booked.length > 0);
    expect(booked).toEqual(['own']);
  });

  it('books again what the database did not take, once', async () => {
    const answers = [undefined, undefined];
    answer = () => (answers.length > 0 ? answers.pop() : { debits: [], voided: [] });
    write('one');
    booking.flushNow();
    await until(() => booked.length > 0);
    expect(booked).toEqual(['one']);
  });

  it('loses nothing it has read while recovery fills whole batches', async () => {
    answer = () => {
      answer = () => ({ debits: [], voided: [] });
      for (let number = 0; number < 500; number += 1) booking.book(recovered(`recovered-${number}`));
      return undefined;
    };
    write('read before');
    booking.flushNow();
    await until(() => booked.length > 500);
    expect(booked).toContain('read before');
    expect(booked).toHaveLength(501);
  });

  it('sleeps when there is nothing more, and is woken by the next record', async () => {
    write('one');
    booking.flushNow();
    await until(() => booked.length === 1);
    write('two');
    await until(() => booked.length === 2);
    expect(booked).toEqual(['one', 'two']);
  });
});
