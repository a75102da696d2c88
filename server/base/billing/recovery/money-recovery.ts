import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { dialectOf } from '../../../infra/database/data-source.js';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import { adoptSpools, type AdoptedSpool } from '../../../infra/spool/adopted-spool.js';
import { isOwnerDead } from '../../../infra/spool/spool-owner.js';
import {
  StoreUnavailableError,
  type PoolRef,
  type RegisteredHold,
  type SharedStore,
} from '../../../infra/shared-store/shared-store.js';
import type { Clock } from '../../../common/clock.js';
import { type HighestIdFile, highestIdsIn } from '../ledger/highest-ids.js';
import type { Instances } from '../ledger/instances.js';
import type { InFlight } from '../holds/in-flight.js';
import { nowExpression, read, textList, toInteger, toText } from '../ledger/money-sql.js';
import { closeLimits, isOutsideStore, marksOfLost } from './close-limits.js';
import { lostSpoolSettlement, replayRecords } from './replay-records.js';
import * as sql from '../ledger/reservation-sql.js';
import { quarantineRecord } from '../booking/dead-letter.js';
import { sliceId } from '../holds/slice.js';
import { discardPools, type SettlementFlusher } from '../booking/settlement-flusher.js';
import type { BookingRecord } from '../records/spool-documents.js';
import { ownRecords, withReservation } from '../booking/unnamed-records.js';
import { releaseUnheld } from './unheld-reservations.js';

/** Longest wait of a start for the booking of dead workers' records; the rest is booked while it serves. */
const BOOK_WITHIN_MS = 60_000;
const IDS_PER_QUERY = 500;

/** Part of a released hold that is charged, in quota. */
type CostOf = (hold: RegisteredHold, charged: number | undefined, callIds: ReadonlySet<string>) => number;

/** Puts the money of dead workers and lost stores in order. */
export class MoneyRecovery {
  constructor(
    private readonly ports: {
      readonly dataSource: DataSource;
      readonly store: SharedStore;
      readonly clock: Clock;
      readonly flusher: SettlementFlusher;
      readonly instances: Instances;
      readonly inFlight: InFlight;
      readonly spoolRoot: string;
      readonly bootId: string;
      /** Installation whose segments are booked. */
      readonly installation: () => string;
      /** True when an operator vouches for segments that do not name their installation. */
      readonly takesUnnamed: boolean;
      readonly numbers: HighestIdFile;
      readonly onFault: (message: string, error: unknown) => void;
    },
  ) {}

  /** Adopts and books the spools of dead workers. @returns their boot ids */
  async adoptDeadSpools(): Promise<string[]> {
    const { spoolRoot, bootId, instances, flusher, onFault } = this.ports;
    const own = { bootId, installation: this.ports.installation() };
    const adopted: string[] = [];
    for await (const spool of adoptSpools(spoolRoot, own, (other) => instances.isDead(other))) {
      if (spool.damagedBytes > 0)
        onFault(`${spool.damagedBytes} damaged bytes of a spool are in quarantine`, undefined);
      const records = await this.recordsOf(spool);
      for (const record of records) flusher.enqueue(record);
      if (!(await flusher.drain(BOOK_WITHIN_MS)))
        throw new Error('the spool of a dead worker could not be booked in time');
      const charges = new Map(records.flatMap((record) => chargeOf(record)));
      const areHoldsClosed =
        (await closeLimits(this.ports, spool.bootId, records)) &&
        (await this.closeHolds(spool.bootId, (hold, _charged, callIds) =>
          hold.sequence === null ? (charges.get(hold.callId) ?? 0) : usedInSlice(hold, records, callIds),
        ));
      await this.releaseUndispatched(spool.bootId);
      // With its heartbeat left standing the reaper finds the holds once the store is back; only the spool knew which of them ended
      // without a charge. The use of a slice is also known to the spool alone: it is read again until it is reported to the store.
      if (!areHoldsClosed) await instances.markBooked(spool.bootId);
      const isReadAgain = (record: BookingRecord): boolean =>
        record.document.hold.slice !== undefined || isOutsideStore(record);
      if (!areHoldsClosed && records.some(isReadAgain)) continue;
      spool.finish();
      if (areHoldsClosed) await instances.forget(spool.bootId);
      adopted.push(spool.bootId);
    }
    return adopted;
  }

  /** Records of a spool that are to be booked here. The rest goes to quarantine, and is logged. */
  private async recordsOf({ bootId, records, foreignSegments }: AdoptedSpool): Promise<BookingRecord[]> {
    const { dataSource, clock, spoolRoot, takesUnnamed, numbers, onFault } = this.ports;
    for (const { name, installation } of foreignSegments)
      onFault(
        `a segment of another installation (${installation}) is in quarantine as ${name}; nothing of it was booked`,
        undefined,
      );
    const replayed = replayRecords(records, clock.nowMs());
    const own = takesUnnamed
      ? replayed
      : await ownRecords(dataSource, bootId, replayed, (record, error) =>
          quarantineRecord(spoolRoot, record, error, onFault),
        );
    await numbers.advanceSequences(highestIdsIn(own));
    return own;
  }

  /**
   * Workers that are dead by their heartbeat and left no readable spool: the holds of the registry and their own reservations are
   * booked at the prompt estimate.
   */
  async reapLostWorkers(): Promise<void> {
    const { onFault, spoolRoot, bootId: ownBootId } = this.ports;
    for (const { bootId, isBooked, isAbandoned } of await this.ports.instances.listDead()) {
      // One of ours that was held up as we were, and runs: its heartbeat comes.
      if (isOwnerDead(join(spoolRoot, bootId), join(spoolRoot, ownBootId)) === false) continue;
      const lost: BookingRecord[] = [];
      const marks = await marksOfLost(this.ports.store.limits, bootId).catch(() => new Map<string, string>());
      const costOf: CostOf = (hold, charged) => {
        // Nothing is known of the calls of its last moments: their holds are the upper bound of their cost.
        if (hold.sequence !== null && !isBooked && hold.amount > 0)
          onFault(`worker ${bootId} and its spool are lost; a slice of ${hold.amount} goes back`, undefined);
        if (charged !== undefined || isBooked || !hold.dispatched) return charged ?? 0;
        const { callId, userId, tokenId, promptEstimate, userReservationId, tokenReservationId, amount } =
          hold;
        const limits = marks.get(callId);
        const place = { kind: 'pool' as const, userReservationId, tokenReservationId, amount, limits };
        lost.push(
          lostSpoolSettlement({
            callId,
            userId,
            tokenId,
            promptEstimate,
            place,
            nowMs: this.ports.clock.nowMs(),
          }),
        );
        return promptEstimate;
      };
      // Workers that can read the spool of a cleanly stopped worker know the use of its slices: they are given the time.
      const isWaiting = isBooked && !isAbandoned;
      const areHoldsClosed = await this.closeHolds(
        bootId,
        costOf,
        (hold) => !isWaiting || hold.sequence === null,
      );
      // After a restore the registry may name calls and ids that this database never had.
      const ours = await withReservation(this.ports.dataSource, lost);
      for (const record of ours) this.ports.flusher.enqueue(record);
      if (!isBooked) await this.settleLostReservations(bootId);
      if (!(await this.ports.flusher.drain(BOOK_WITHIN_MS))) return;
      if (ours.size > 0) {
        const ids = [...ours].map((record) => record.document.request_id).join(', ');
        onFault(`worker ${bootId} and its spool are lost; charged at the prompt estimate: ${ids}`, undefined);
      }
      const areLimitsClosed = await closeLimits(this.ports, bootId);
      if (areHoldsClosed && areLimitsClosed) await this.ports.instances.forget(bootId);
    }
  }

  /**
   * Gives back what reservations of lost epochs still hold, once no worker uses them.
   * @param deadOwners  workers known to be gone: their reservations need no lease to run out
   * @returns quota that came back
   */
  async reclaimLostEpochs(deadOwners: readonly string[] = []): Promise<number> {
    const { dataSource, store, instances, inFlight } = this.ports;
    const epoch = await store.pools.epoch();
    const rows = await read(
      dataSource,
      `SELECT "id" AS "id", "user_id" AS "user_id", "owner" AS "owner" FROM "reservations"
         WHERE "state" = 'open' AND "kind" = 'pool' AND "epoch" <> ?`,
      [epoch],
    );
    const owners = new Map(rows.map((row) => [toText(row['id']), toText(row['owner'])]));
    const dead = new Set(deadOwners);
    return this.closeFree(
      rows,
      ({ id, isLeaseOver, ...own }) =>
        own.epoch !== epoch &&
        !inFlight.uses(id) &&
        (isLeaseOver || instances.isOnlyInstance || dead.has(owners.get(id) ?? '')),
    );
  }

  /**
   * Gives back what is in reservations of this epoch and in no pool: a worker died, or lost its database, on the way between the
   * two. It could never be spent while the store lives.
   * @returns quota that came back
   */
  async reclaimStranded(): Promise<number> {
    const { dataSource, store, inFlight } = this.ports;
    const epoch = await store.pools.epoch();
    const rows = await read(
      dataSource,
      `SELECT DISTINCT "user_id" AS "user_id" FROM "reservations" WHERE "state" = 'open' AND "kind" = 'pool' AND "epoch" = ?
         AND "amount" > 0 AND "lease_until_ms" < ${nowExpression(dialectOf(dataSource))} - ${sql.ABANDONED_AFTER_MS}`,
      [epoch],
    );
    if (rows.length === 0) return 0;
    // Read first: a worker that fills a pool from now on has renewed the lease of its reservation before.
    const pools = new Set<string>();
    for await (const pool of store.pools.list()) pools.add(`${pool.userId} ${pool.tokenId}`);
    return this.closeFree(
      rows,
      ({ id, tokenId, amount, isAbandoned, ...own }, userId) =>
        own.epoch === epoch &&
        amount > 0 &&
        isAbandoned &&
        !inFlight.uses(id) &&
        !pools.has(`${userId} ${tokenId}`),
    );
  }

  /** Closes the pool reservations of these accounts that are free when they are looked at under the account's lock. */
  private async closeFree(
    rows: readonly Readonly<Record<string, unknown>>[],
    isFree: (reservation: sql.ReservationRow, userId: number) => boolean,
  ): Promise<number> {
    let returned = 0;
    for (const userId of new Set(rows.map((row) => toInteger(row['user_id'])))) {
      returned += await runInTransaction(this.ports.dataSource, async (manager) => {
        await sql.lockAccount(manager, userId);
        const open = await sql.lockPoolReservations(manager, userId);
        const free = open.filter((reservation) => isFree(reservation, userId));
        await sql.closeReservations(manager, userId, free);
        return sql.sumOf(free);
      });
    }
    return returned;
  }

  /** See `releaseUnheld`. @returns quota that came back */
  releaseUnheld(): Promise<number> {
    return releaseUnheld(this.ports);
  }

  /**
   * Voids pools whose reservation is closed: nothing in SQL backs what they would let through. Bookings find those that are used;
   * this finds all, however the reservation was closed and whatever was lost on the way to the store.
   */
  async discardUncovered(): Promise<void> {
    let some: PoolRef[] = [];
    for await (const pool of this.ports.store.pools.list()) {
      some.push(pool);
      if (some.length < IDS_PER_QUERY) continue;
      await this.discardUncoveredOf(some);
      some = [];
    }
    if (some.length > 0) await this.discardUncoveredOf(some);
  }

  private async discardUncoveredOf(pools: readonly PoolRef[]): Promise<void> {
    const { dataSource, store, onFault } = this.ports;
    // In this order: a reservation is open before its pool is filled, and never again once it is closed.
    const filled = await store.pools.reservationsOf(pools);
    if (filled.length === 0) return;
    const rows = await read(
      dataSource,
      `SELECT "id" AS "id" FROM "reservations" WHERE "state" = 'open' AND "id" IN (${textList(filled.map(({ reservationId }) => reservationId))})`,
    );
    const open = new Set(rows.map((row) => toText(row['id'])));
    await discardPools(
      store,
      filled.filter(({ reservationId }) => !open.has(reservationId)),
      onFault,
    );
  }

  /**
   * Gives back what the registry still holds for a dead worker, less the cost of its calls.
   * @param costOf  gets the amount a settlement already charged, undefined when there is none, and all ids the registry has
   * @param isOurs  selects the holds to close
   * @returns false when some are left, or the store is away
   */
  private async closeHolds(
    bootId: string,
    costOf: CostOf,
    isOurs: (hold: RegisteredHold) => boolean = () => true,
  ): Promise<boolean> {
    const { store, onFault } = this.ports;
    try {
      const holds: RegisteredHold[] = [];
      for await (const hold of store.pools.holdsOf(bootId)) holds.push(hold);
      const callIds = new Set(holds.map((hold) => hold.callId));
      const charges = await this.chargesOf([...callIds]);
      const mine = holds.filter(isOurs);
      const returns = mine.map((hold) => {
        const { callId, userId, tokenId, amount } = hold;
        return {
          callId,
          userId,
          tokenId,
          unused: Math.max(0, amount - costOf(hold, charges.get(callId), callIds)),
        };
      });
      await store.pools.settle(returns);
      return mine.length === holds.length;
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      onFault('the holds of a dead worker could not be closed; the reaper tries again', error);
      return false;
    }
  }

  private async chargesOf(callIds: readonly string[]): Promise<Map<string, number>> {
    const charges = new Map<string, number>();
    for (let from = 0; from < callIds.length; from += IDS_PER_QUERY) {
      const rows = await read(
        this.ports.dataSource,
        `SELECT "request_id" AS "id", "charged" AS "charged" FROM "settlements"
           WHERE "request_id" IN (${textList(callIds.slice(from, from + IDS_PER_QUERY))})`,
      );
      for (const row of rows) charges.set(toText(row['id']), toInteger(row['charged']));
    }
    return charges;
  }

  /** Reservations of single calls that never went upstream go back. Those that did are in the spool. */
  async releaseUndispatched(bootId: string): Promise<void> {
    for (const record of await this.callReservationsOf(bootId)) this.ports.flusher.enqueue(record.release);
    await this.ports.flusher.drain(BOOK_WITHIN_MS);
  }

  private async settleLostReservations(bootId: string): Promise<void> {
    for (const { release, settlement } of await this.callReservationsOf(bootId)) {
      this.ports.flusher.enqueue(settlement ?? release);
    }
  }

  private async callReservationsOf(
    bootId: string,
  ): Promise<{ readonly release: BookingRecord; readonly settlement: BookingRecord | undefined }[]> {
    const rows = await read(
      this.ports.dataSource,
      `SELECT "id" AS "id", "request_id" AS "call", "scope" AS "scope", "user_id" AS "user_id", "token_id" AS "token_id",
         "amount" AS "amount", "prompt_estimate" AS "estimate", "dispatched_at_ms" AS "dispatched"
       FROM "reservations" WHERE "kind" = 'call' AND "state" = 'open' AND "owner" = ?`,
      [bootId],
    );
    const calls = Map.groupBy(rows, (row) => toText(row['call']));
    return [...calls].map(([callId, own]) => {
      const ofUser = own.find((row) => row['scope'] === 'user');
      const ofToken = own.find((row) => row['scope'] === 'token');
      const userId = toInteger(own[0]?.['user_id']);
      const tokenId = ofToken === undefined ? null : toInteger(ofToken['token_id']);
      const place = {
        kind: 'call' as const,
        userReservationId: toText(ofUser?.['id']),
        tokenReservationId: ofToken === undefined ? null : toText(ofToken['id']),
        amount: toInteger(own[0]?.['amount']),
      };
      const isDispatched = own.some((row) => row['dispatched'] !== null);
      const promptEstimate = toInteger(own[0]?.['estimate']);
      return {
        release: {
          isRecovered: true,
          type: 'R',
          document: { request_id: callId, user_id: userId, token_id: tokenId, hold: place },
        },
        settlement: isDispatched
          ? lostSpoolSettlement({
              callId,
              userId,
              tokenId,
              promptEstimate,
              place,
              nowMs: this.ports.clock.nowMs(),
            })
          : undefined,
      };
    });
  }
}

function chargeOf(record: BookingRecord): [string, number][] {
  return record.type === 'S' ? [[record.document.request_id, record.document.priced]] : [];
}

/**
 * Use of a dead worker's slice that was not reported to the store: calls that ended in a later turn than its last, and calls that
 * never ended and have no hold of their own.
 */
function usedInSlice(
  slice: RegisteredHold,
  records: readonly BookingRecord[],
  callIds: ReadonlySet<string>,
): number {
  let used = 0;
  for (const { type, document } of records) {
    if (type !== 'S' || sliceId(document.hold.slice, slice.owner) !== slice.callId) continue;
    const { turn } = document.hold;
    const isReported = turn !== undefined && turn <= (slice.sequence ?? 0);
    if (!isReported && !callIds.has(document.request_id))
      used += Math.min(document.priced, document.hold.amount);
  }
  return used;
}
