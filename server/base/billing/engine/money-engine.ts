import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { instancePlace } from '../../../common/instance-place.js';
import { installationId } from '../../../infra/database/installation-id.js';
import { storeOf } from '../../../infra/database/typeorm-store.js';
import { FinishedSpools } from '../../../infra/spool/finished-spools.js';
import { Spool } from '../../../infra/spool/spool.js';
import { ALONE, LimitShares } from '../../../infra/rate-limit/limit-shares.js';
import { StoreUnavailableError, type SharedStore } from '../../../infra/shared-store/shared-store.js';
import type { Clock } from '../../../common/clock.js';
import type { Ids } from '../../../common/ids.js';
import type { BookingOptions } from '../booking/booking-options.js';
import { CallReservations } from '../holds/call-reservations.js';
import { HighestIdFile } from '../ledger/highest-ids.js';
import { PooledQuotaHolds } from '../holds/pooled-quota-holds.js';
import { HoldReturns } from '../holds/hold-returns.js';
import { InFlight } from '../holds/in-flight.js';
import { LimitHolds } from '../holds/limit-holds.js';
import { LimitValues } from '../holds/limit-values.js';
import { LimitWindows } from '../holds/limit-windows.js';
import { LimitedCalls } from '../holds/limited-calls.js';
import type { LimitSource } from '../../limits/limit-source.js';
import { Instances } from '../ledger/instances.js';
import { LocalFlusher } from '../booking/local-flusher.js';
import { MoneyRecovery } from '../recovery/money-recovery.js';
import { LedgerMaintenance } from '../recovery/ledger-maintenance.js';
import { SharedStoreAgreement } from '../holds/shared-store-agreement.js';
import { PoolReturns } from '../ledger/pool-returns.js';
import { PoolTopUp } from '../holds/pool-top-up.js';
import { quarantineRecord } from '../booking/dead-letter.js';
import { Slices } from '../holds/slices.js';
import type { BookedCall, SettlementFlusher } from '../booking/settlement-flusher.js';
import { ThreadFlusher, type BookingPlace } from '../booking/thread-flusher.js';

export interface MoneyEngineSettings {
  readonly dataSource: DataSource;
  readonly logDataSource: DataSource;
  readonly store: SharedStore;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly bootId: string;
  readonly dataDir: string;
  /** Port of this worker; absent when it does not listen. */
  readonly port?: number;
  readonly options: () => BookingOptions;
  /** Limits per period; absent = no call is limited. */
  readonly limits?: LimitSource | undefined;
  /** See MOST_VALUES_PER_DAY, which it is without. */
  readonly limitValuesPerDay?: number | undefined;
  /** Absent = this worker is the only one. */
  readonly shares?: LimitShares;
  /** Set: a separate thread books at this place. undefined: this thread books, over `dataSource`. */
  readonly booking?: BookingPlace | undefined;
  readonly onFault: (message: string, error: unknown) => void;
  /** See SpoolSettings. */
  readonly reserveBytes?: number;
  readonly segmentBytes?: number;
  /** Spools of a version before are of this installation, whatever the database knows of who wrote them: see ownRecords. */
  readonly takesUnnamed?: boolean;
  /** See SlicePorts; Infinity = no slices. */
  readonly sliceCallRate?: number | undefined;
  /** See PooledQuotaHolds. */
  readonly whenChecked?: (() => Promise<boolean> | undefined) | undefined;
}

/** Reservations remembered as charged between two looks at balances; beyond it the next charge is noticed. */
const MAX_CHARGED = 20_000;

/** Longest wait of a shutdown for the database before it leaves the rest to the next start. */
const DRAIN_MS = 10_000;

/** Builds and starts what one worker needs to charge calls: spool, holds, slices, booking, recovery (docs/money.md). */
export class MoneyEngine {
  readonly holds: PooledQuotaHolds;
  readonly flusher: SettlementFlusher;
  readonly recovery: MoneyRecovery;
  readonly maintenance: LedgerMaintenance;
  readonly spool: Spool;
  readonly returns: HoldReturns;
  readonly poolReturns: PoolReturns;
  readonly slices: Slices;
  readonly finishedSpools: FinishedSpools;
  private readonly inFlight: InFlight;
  private readonly limitWindows: LimitWindows;
  private readonly limitHolds: LimitHolds | undefined;
  private readonly instances: Instances;
  private readonly storeAgreement: SharedStoreAgreement;
  private readonly spoolRoot: string;
  private readonly numbers: HighestIdFile;
  private charged = new Set<string>();
  private installation = '';

  constructor(private readonly settings: MoneyEngineSettings) {
    const { dataSource, store, clock, ids, bootId, onFault } = settings;
    this.spoolRoot = join(settings.dataDir, 'spool');
    const { reserveBytes, segmentBytes } = settings;
    this.spool = new Spool({ root: this.spoolRoot, bootId, clock, reserveBytes, segmentBytes, onFault });
    this.finishedSpools = new FinishedSpools({ root: this.spoolRoot, clock, onFault });
    this.inFlight = new InFlight(clock);
    this.instances = new Instances(dataSource, bootId, () => store.identity, instancePlace(settings.port));
    this.returns = new HoldReturns(store, clock);
    this.poolReturns = new PoolReturns(dataSource, store, clock);
    const { inFlight, instances, spool, returns } = this;
    this.slices = new Slices({
      store,
      clock,
      inFlight,
      returns,
      owner: bootId,
      onFault,
      sliceCallRate: settings.sliceCallRate,
      onReported: (callIds) => callIds.forEach((callId) => spool.complete(callId)),
    });
    const callReservations = new CallReservations({ dataSource, ids, clock, owner: bootId, onFault });
    const topUp = new PoolTopUp({
      dataSource,
      store,
      clock,
      ids,
      inFlight,
      owner: bootId,
      onFault,
      flushReturns: (userId) => returns.flushUser(userId),
      isAlone: () => instances.isOnlyInstance,
      wantedForSlices: (userId) => this.slices.demandFor(userId),
    });
    this.flusher = this.openFlusher();
    const { flusher, spoolRoot, slices } = this;
    const shares = settings.shares ?? new LimitShares(clock, ALONE);
    const limitedCalls = new LimitedCalls(bootId);
    this.limitWindows = new LimitWindows({
      dataSource,
      store,
      clock,
      instances,
      onFault,
      calls: limitedCalls,
      owner: bootId,
    });
    const { limits } = settings;
    if (limits !== undefined)
      this.limitHolds = new LimitHolds({
        store,
        shares,
        source: limits,
        calls: limitedCalls,
        windows: this.limitWindows,
        values: new LimitValues({
          dataSource,
          store,
          nowMs: () => limits.nowMs(),
          most: settings.limitValuesPerDay,
        }),
      });
    this.holds = new PooledQuotaHolds({
      store,
      clock,
      spool,
      flusher,
      topUp,
      returns,
      slices,
      inFlight,
      callReservations,
      shares,
      limits: this.limitHolds,
      owner: bootId,
      whenChecked: settings.whenChecked,
    });
    const numbers = new HighestIdFile(dataSource, settings.dataDir);
    this.numbers = numbers;
    this.recovery = new MoneyRecovery({
      dataSource,
      store,
      clock,
      flusher,
      instances,
      inFlight,
      spoolRoot,
      bootId,
      onFault,
      installation: () => this.installation,
      takesUnnamed: settings.takesUnnamed === true,
      numbers,
    });
    const { recovery, poolReturns } = this;
    this.storeAgreement = new SharedStoreAgreement({ instances, store, clock });
    const { storeAgreement } = this;
    this.maintenance = new LedgerMaintenance({
      dataSource,
      store,
      clock,
      recovery,
      instances,
      storeAgreement,
      inFlight,
      poolReturns,
      callReservations,
      numbers,
      limitWindows: this.limitWindows,
      onFault,
    });
  }

  /** Calls that counted under the other values of a limit for each. */
  get otherValueCalls(): number {
    return this.limitHolds?.otherValueCalls ?? 0;
  }

  /** Puts everything a former run left in order; call it before traffic. Fails: when the database is away. */
  async start(): Promise<void> {
    this.installation = await installationId(this.settings.dataSource);
    this.spool.nameSegments(this.installation);
    await this.numbers.advanceSequences();
    await this.instances.heartbeat();
    try {
      await this.storeAgreement.agree();
    } catch (error) {
      // Without its row this worker no longer counts as alive.
      await this.instances.forget(this.settings.bootId);
      throw error;
    }
    const dead = await this.recovery.adoptDeadSpools();
    await this.instances.look();
    this.limitWindows.enterInBackground();
    try {
      await this.recovery.reclaimLostEpochs(dead);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      this.settings.onFault(
        'the shared store is away; money of lost epochs comes back when it is back',
        error,
      );
    }
    this.maintenance.start();
  }

  /** A worker of this instance died: what it left is booked now. Never fails: the reaper tries again. */
  async adoptDead(): Promise<void> {
    try {
      const adopted = await this.recovery.adoptDeadSpools();
      if (adopted.length > 0) await this.recovery.reclaimLostEpochs(adopted);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError))
        this.settings.onFault(
          'the spool of a dead worker could not be booked; the reaper tries again',
          error,
        );
    }
  }

  /** Advances the id sequences of a database that was rolled back past the highest ids remembered. Never fails. */
  advanceIdSequences(): void {
    this.numbers
      .advanceSequences()
      .catch((error: unknown) =>
        this.settings.onFault('numbers of accounts could not be raised; the next start does it', error),
      );
  }

  /** Reservations (`users`' pools, or single calls) charged by booked calls since the last call of this method. */
  takeCharged(): readonly string[] {
    if (this.charged.size === 0) return [];
    const taken = [...this.charged];
    this.charged = new Set();
    return taken;
  }

  /** No call runs any more: books everything, empties idle pools, closes the spool. */
  async stop(): Promise<void> {
    this.maintenance.stop();
    this.limitWindows.stop();
    this.spool.flush();
    await this.slices.stop();
    await this.returns.flush();
    const isBooked = (await this.flusher.drain(DRAIN_MS)) && (await this.releaseUnanswered());
    await this.flusher.stop();
    // Bookings may have returned quota, and after this worker's exit no other would flush it.
    await this.returns.flush();
    this.returns.stop();
    await this.spool.close();
    if (isBooked) await this.leave();
  }

  /**
   * A reservation whose commit was never confirmed belongs to no call: when no calls run, every reservation still open under this
   * worker's name is released.
   * @returns false when the database is away
   */
  private async releaseUnanswered(): Promise<boolean> {
    if (!(await this.holds.whenIdle(0))) return true;
    try {
      await this.recovery.releaseUndispatched(this.settings.bootId);
      return true;
    } catch (error) {
      this.settings.onFault('reservations could not be looked through; the reaper does it', error);
      return false;
    }
  }

  private async leave(): Promise<void> {
    try {
      await this.numbers.note();
      if (!this.returns.isEmpty || !this.slices.isEmpty) {
        // The store is away: once it is back the reaper gives back what ended calls held, at what they were charged.
        await this.instances.markBooked(this.settings.bootId);
        return;
      }
      // Forgets itself before it checks: of workers that leave together at least one sees that none is left.
      await this.instances.forget(this.settings.bootId);
      await this.instances.look();
      // Pools are shared: the last to leave empties them, otherwise the others go on using them.
      if (this.instances.isOnlyInstance) {
        await this.maintenance.returnIdlePools(0);
        await this.recovery.reclaimLostEpochs();
      }
    } catch (error) {
      this.settings.onFault('pools could not be emptied; the next start or another worker does it', error);
    }
  }

  private finish(calls: readonly BookedCall[]): void {
    for (const call of calls) {
      const { callId, hold } = call;
      if (hold.userReservationId !== '' && this.charged.size < MAX_CHARGED)
        this.charged.add(hold.userReservationId);
      if (hold.limits !== undefined) this.limitHolds?.markBooked(callId);
      if (this.slices.isReported(call)) this.spool.complete(callId);
      this.inFlight.end(hold.userReservationId);
      this.inFlight.end(hold.tokenReservationId);
    }
  }

  private openFlusher(): SettlementFlusher {
    const { dataSource, logDataSource, store, clock, options, booking, onFault } = this.settings;
    const { spool, spoolRoot } = this;
    const onBooked = (calls: readonly BookedCall[]): void => this.finish(calls);
    if (booking !== undefined) {
      return new ThreadFlusher({
        place: booking,
        store,
        clock,
        options,
        onBooked,
        onFault,
        spoolRoot,
        progress: spool.progress,
        spoolFolder: spool.folder,
      });
    }
    const sqlStore = storeOf(dataSource);
    return new LocalFlusher({
      sqlStore,
      store,
      clock,
      options,
      onBooked,
      onFault,
      sqlLogStore: logDataSource === dataSource ? sqlStore : storeOf(logDataSource),
      onBadRecord: (record, error) => quarantineRecord(spoolRoot, record, error, onFault),
    });
  }
}
