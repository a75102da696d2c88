import type { DataSource } from 'typeorm';
import { runInTransaction } from '../../../infra/database/run-in-transaction.js';
import {
  StoreUnavailableError,
  type Lease,
  type SharedStore,
} from '../../../infra/shared-store/shared-store.js';
import type { Clock } from '../../../common/clock.js';
import type { CallReservations } from '../holds/call-reservations.js';
import type { HighestIdFile } from '../ledger/highest-ids.js';
import type { LimitWindows } from '../holds/limit-windows.js';
import type { InFlight } from '../holds/in-flight.js';
import type { Instances } from '../ledger/instances.js';
import type { MoneyRecovery } from './money-recovery.js';
import type { SharedStoreAgreement } from '../holds/shared-store-agreement.js';
import type { PoolReturns } from '../ledger/pool-returns.js';
import { renewLeases, RESERVATION_LEASE_MS } from '../ledger/reservation-sql.js';

const RENEW_EVERY_MS = RESERVATION_LEASE_MS / 3;
const HEARTBEAT_INTERVAL_MS = 20_000;
const SWEEP_EVERY_MS = 10_000;
/** A store that lost its data learns of running limited calls within this time, where its message was lost. */
const ENTER_EVERY_MS = 2_000;
const REAP_EVERY_MS = 30_000;
/** Idle time after which a pool goes back. */
const IDLE_POOL_MS = 60_000;
/** Reaping waits until this worker and the database have been well for a lease: after an outage every worker looks dead. */
const TRUST_AFTER_MS = 60_000;

/** Maintenance of the ledger while calls run: leases, heartbeat, idle pools, dead workers. */
export class LedgerMaintenance {
  private readonly stops: (() => void)[] = [];
  private isStopped = false;
  private wellSinceMs: number;

  constructor(
    private readonly ports: {
      readonly dataSource: DataSource;
      readonly store: SharedStore;
      readonly clock: Clock;
      readonly recovery: MoneyRecovery;
      readonly instances: Instances;
      readonly storeAgreement: Pick<SharedStoreAgreement, 'watch' | 'isAgreed'>;
      readonly inFlight: InFlight;
      readonly poolReturns: PoolReturns;
      readonly callReservations: CallReservations;
      readonly numbers: Pick<HighestIdFile, 'note'>;
      /** Absent = no call is limited. */
      readonly limitWindows?: Pick<LimitWindows, 'enterInBackground'>;
      readonly onFault: (message: string, error: unknown) => void;
    },
  ) {
    this.wellSinceMs = ports.clock.monotonicMs();
  }

  start(): void {
    this.every(RENEW_EVERY_MS, 'leases could not be renewed', () => this.renew());
    this.every(HEARTBEAT_INTERVAL_MS, 'the heartbeat failed', () => this.ports.instances.heartbeat());
    this.every(HEARTBEAT_INTERVAL_MS, 'the numbers given so far could not be noted', () =>
      this.ports.numbers.note(),
    );
    this.every(ENTER_EVERY_MS, 'running calls could not be entered into limits', async () =>
      this.ports.limitWindows?.enterInBackground(),
    );
    this.every(SWEEP_EVERY_MS, 'idle pools could not be emptied', () =>
      this.asLeader('sweep', () => this.sweep()),
    );
    this.every(REAP_EVERY_MS, 'reservations no call holds could not be given back', async () => {
      await this.ports.recovery.releaseUnheld();
    });
    this.every(REAP_EVERY_MS, 'dead workers could not be looked after', () =>
      this.asLeader('reaper', () => this.reap(), { withoutStore: true }),
    );
  }

  stop(): void {
    this.isStopped = true;
    for (const stop of this.stops) stop();
  }

  /** Empties pools unused for `idleMs`. @returns quota that came back */
  async returnIdlePools(idleMs: number): Promise<number> {
    let returned = 0;
    for await (const pool of this.ports.store.pools.list())
      returned += await this.ports.poolReturns.returnPool(pool, idleMs);
    return returned;
  }

  private async renew(): Promise<void> {
    const { dataSource, inFlight, instances } = this.ports;
    const used = inFlight.reservations();
    await runInTransaction(dataSource, (manager) => renewLeases(manager, used));
    await instances.look();
    await this.ports.storeAgreement.watch();
    await this.discardVoided();
  }

  private async sweep(): Promise<void> {
    await this.ports.recovery.discardUncovered();
    await this.returnIdlePools(IDLE_POOL_MS);
    if (!this.ports.storeAgreement.isAgreed) return;
    if (this.isTrusted(RESERVATION_LEASE_MS)) await this.ports.recovery.reclaimLostEpochs();
    if (this.isTrusted(TRUST_AFTER_MS)) await this.ports.recovery.reclaimStranded();
  }

  private async reap(): Promise<void> {
    await this.ports.recovery.adoptDeadSpools();
    if (this.isTrusted(TRUST_AFTER_MS)) await this.ports.recovery.reapLostWorkers();
  }

  private isTrusted(sinceMs: number): boolean {
    return this.ports.clock.monotonicMs() - this.wellSinceMs >= sinceMs;
  }

  /** Pools that were emptied in SQL while the store was away must not be spent now that it is back. */
  private async discardVoided(): Promise<void> {
    const { store, callReservations } = this.ports;
    if (!store.isAvailable) return;
    for (const filled of callReservations.takeVoided()) await store.pools.discard(filled);
  }

  /**
   * Spares the others the same work; two who lead at once do no harm, since everything here is booked or given back once.
   * @param withoutStore  done while the store is away as well, by the first of the living: dead workers leave reservations in SQL then
   */
  private async asLeader(
    name: string,
    work: () => Promise<void>,
    { withoutStore }: { readonly withoutStore: boolean } = { withoutStore: false },
  ): Promise<void> {
    const { store, instances } = this.ports;
    let lease: Lease | null;
    try {
      lease = await store.leases.acquire(`money-${name}`, REAP_EVERY_MS);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      if (withoutStore && (await instances.isFirst())) await work();
      return;
    }
    if (lease === null) return;
    try {
      await work();
    } finally {
      await lease.release();
    }
  }

  private every(periodMs: number, complaint: string, work: () => Promise<void>): void {
    let cancel: () => void = () => undefined;
    const schedule = (): void => {
      cancel = this.ports.clock.after(periodMs, () => {
        this.attempt(complaint, work).then(
          () => {
            if (!this.isStopped) schedule();
          },
          () => undefined,
        );
      });
    };
    this.stops.push(() => cancel());
    schedule();
  }

  private async attempt(complaint: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      // Everything here is done again at the next turn.
      if (error instanceof StoreUnavailableError) return;
      this.wellSinceMs = this.ports.clock.monotonicMs();
      this.ports.onFault(complaint, error);
    }
  }
}
