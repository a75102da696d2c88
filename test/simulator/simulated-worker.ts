import type { DataSource } from 'typeorm';
import { join } from 'node:path';
import type { SharedStore } from '../../server/infra/shared-store/shared-store.js';
import { LimitBook } from '../../server/base/limits/limit-cache.js';
import { AccountMoney } from '../../server/base/billing/ledger/account-money.service.js';
import { MoneyEngine } from '../../server/base/billing/engine/money-engine.js';
import { PoolReturns } from '../../server/base/billing/ledger/pool-returns.js';
import { RedemptionEntity } from '../../server/console/redemptions/redemption.entity.js';
import { RedemptionsRepository } from '../../server/console/redemptions/redemptions.repository.js';
import { TopUpsRepository } from '../../server/console/wallet/orders/top-ups.repository.js';
import type { Ids } from '../../server/common/ids.js';
import type { Actor, Scheduler } from './scheduler.js';
import type { SeededRandom } from './seeded-random.js';
import { LIMITS } from './compare-limits.js';
import { WorkerClock } from './simulated-clock.js';
import type { SimulatedDatabase } from './simulated-database.js';
import { buryOwner, guardSpool, tearSpool } from './simulated-spool.js';
import type { SimulatedStore } from './simulated-store.js';
import { TopUpEntity } from '../../server/console/wallet/orders/top-up.entity.js';
import { PaymentEventEntity } from '../../server/console/wallet/payments/payment-event.entity.js';

export interface WorkerSurroundings {
  readonly scheduler: Scheduler;
  readonly random: SeededRandom;
  readonly database: SimulatedDatabase;
  readonly store: SimulatedStore;
  readonly dataDir: string;
  readonly ids: Ids;
  readonly onFault: (message: string, error: unknown) => void;
}

/** A worker process: the money mechanism as the product puts it together, over ports at which it may die. */
export class SimulatedWorker implements Actor {
  readonly clock: WorkerClock;
  readonly dataSource: DataSource;
  readonly store: SharedStore;
  readonly engine: MoneyEngine;
  readonly money: AccountMoney;
  readonly codes: RedemptionsRepository;
  readonly orders: TopUpsRepository;
  isDead = false;
  isStarted = false;
  isStopping = false;
  /** Begun and unfinished work; a dead worker has none. */
  running = 0;
  private readonly spoolRoot: string;
  private readonly waitingForSpool: (() => void)[] = [];

  constructor(
    readonly bootId: string,
    readonly isMortal: boolean,
    private readonly around: WorkerSurroundings,
  ) {
    const { scheduler, database, store, dataDir, ids, onFault } = around;
    this.clock = new WorkerClock(scheduler.clock, () => this.isDead);
    this.dataSource = database.viewOf(this);
    this.store = store.viewOf(this);
    this.spoolRoot = join(dataDir, 'spool');
    this.engine = new MoneyEngine({
      dataSource: this.dataSource,
      logDataSource: this.dataSource,
      store: this.store,
      ids,
      bootId,
      dataDir,
      clock: this.clock,
      options: () => ({ logConsumption: true, useFigures: true, tagValuesPerDay: 1_000 }),
      onFault: (message, error) => {
        if (!this.isDead) onFault(message, error);
      },
      reserveBytes: 0,
      limits: new LimitBook(LIMITS, [{ zone: 'UTC', fromMs: 0 }], () => this.clock.nowMs()),
      // So that there are always some, and always calls that ask the pools.
      sliceCallRate: 1,
      segmentBytes: 16 * 1024,
    });
    guardSpool(this.engine.spool, this, scheduler, () => {
      for (const tell of this.waitingForSpool.splice(0)) tell();
    });
    this.money = new AccountMoney(
      this.dataSource,
      new PoolReturns(this.dataSource, this.store, this.clock),
      this.clock,
    );
    this.codes = new RedemptionsRepository(this.dataSource.getRepository(RedemptionEntity));
    this.orders = new TopUpsRepository(
      this.dataSource.getRepository(TopUpEntity),
      this.dataSource.getRepository(PaymentEventEntity),
    );
  }

  async start(): Promise<void> {
    await this.engine.start();
    this.isStarted = true;
  }

  /** Ends in order. What it could not book is left to others, as by any process that is gone. */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.engine.stop();
    this.die();
  }

  /** The end of the process, in whatever it is doing. */
  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.running = 0;
    const { scheduler, database, random } = this.around;
    scheduler.forget(this);
    tearSpool(this.engine.spool, random);
    buryOwner(this.spoolRoot, this.bootId);
    void database.drop(this);
  }

  /** Called when everything that waits for the spool now is written. */
  onceWritten(tell: () => void): void {
    this.waitingForSpool.push(tell);
  }

  pause(delayMs: number): Promise<void> {
    return new Promise((resolve) => this.clock.after(delayMs, resolve));
  }
}
