import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource } from 'typeorm';
import { AccountMoney } from '../../server/base/billing/ledger/account-money.service.js';
import { ABANDONED_AFTER_MS } from '../../server/base/billing/ledger/reservation-sql.js';
import { checkMoney } from '../../server/base/billing/checks/check-money.js';
import type { Slices } from '../../server/base/billing/holds/slices.js';
import { PoolReturns } from '../../server/base/billing/ledger/pool-returns.js';
import type { TestDatabase } from '../support/database.js';
import { compareLimits } from './compare-limits.js';
import { comparePools } from './compare-pools.js';
import { compareWithModel } from './compare-with-model.js';
import { MoneyModel } from './money-model.js';
import { Scheduler } from './scheduler.js';
import { SeededRandom } from './seeded-random.js';
import { SimulatedActions } from './simulated-actions.js';
import { Casting, type Cast } from './simulated-accounts.js';
import { SimulatedDatabase } from './simulated-database.js';
import { SimulatedStore } from './simulated-store.js';
import { SimulatedWorker } from './simulated-worker.js';
import { openWorldDatabase } from './world-database.js';

export interface SimulationSettings {
  readonly seed: number;
  readonly steps: number;
  /** Steps between two looks at the books. */
  readonly epochSteps?: number;
  readonly crashOnceIn?: number;
  readonly breakOnceIn?: number;
  /** Makes an empty database of a server for each world; absent = SQLite in memory. */
  readonly makeDatabase?: () => Promise<TestDatabase>;
  /** Breaks the product in a worker, to see that it is noticed. */
  readonly tamper?: (worker: SimulatedWorker) => void;
}

export interface SimulationReport {
  readonly steps: number;
  readonly epochs: number;
  readonly crashes: number;
  readonly brokenConnections: number;
  readonly storeFlushes: number;
  readonly storeOutages: number;
  /** Reservations that held money without a user: a worker died on its way between store and database. */
  readonly stranded: number;
  /** Slices workers took. */
  readonly slices: number;
  /** Calls that had their hold from one. */
  readonly slicedCalls: number;
  readonly calls: number;
  readonly charged: number;
  readonly recovered: number;
  readonly movements: number;
  readonly writtenOff: number;
  readonly elapsedMs: number;
  /** Faults; empty when all is well. */
  readonly faults: readonly string[];
}

const WORKERS = 3;
const RUNNING = 24;
/** Longest a world may take to become quiet, in its own time. */
const QUIET_WITHIN_MS = 30 * 60_000;
/** Books grow; after so many epochs a new world begins. */
const EPOCHS_PER_WORLD = 8;
/** Longer than any lease. */
const LEASES_END_MS = 70_000;
const PATIENCE_MS = ABANDONED_AFTER_MS + LEASES_END_MS;

/** Runs the money module through `steps` pieces of input and output, and looks at the books after every epoch. */
export async function simulate(settings: SimulationSettings): Promise<SimulationReport> {
  const startedAtMs = performance.now();
  const totals = {
    steps: 0,
    epochs: 0,
    crashes: 0,
    brokenConnections: 0,
    storeFlushes: 0,
    storeOutages: 0,
    stranded: 0,
    slices: 0,
    slicedCalls: 0,
  };
  const booked = { calls: 0, charged: 0, recovered: 0, movements: 0, writtenOff: 0 };
  const faults: string[] = [];
  for (let round = 0; totals.steps < settings.steps && faults.length === 0; round += 1) {
    const world = await World.open(settings, round);
    try {
      const most = settings.steps - totals.steps;
      for (let epoch = 0; epoch < EPOCHS_PER_WORLD && world.steps < most && faults.length === 0; epoch += 1) {
        const found = await world.runEpoch();
        faults.push(...found.map((fault) => `world ${round}, epoch ${epoch}: ${fault}`));
        totals.epochs += 1;
      }
      addAll(totals, world.figures());
      addAll(booked, await world.bookedFigures());
    } finally {
      await world.close();
    }
  }
  return { ...totals, ...booked, elapsedMs: performance.now() - startedAtMs, faults };
}

/** A database, a store, a disk, and workers over them that come and go. */
class World {
  private readonly workers: SimulatedWorker[] = [];
  private readonly faults: string[] = [];
  private boots = 0;
  private ids = 0;
  private stranded = 0;
  private outagesBefore = 0;
  private readonly sliceDesks: Slices[] = [];
  private cast: Cast | undefined;

  private constructor(
    private readonly dataSource: DataSource,
    private readonly dataDir: string,
    private readonly settings: SimulationSettings,
    private readonly random: SeededRandom,
    private readonly scheduler: Scheduler,
    private readonly database: SimulatedDatabase,
    private readonly store: SimulatedStore,
    private readonly model: MoneyModel,
    private readonly actions: SimulatedActions,
    private readonly casting: Casting,
    private readonly server: TestDatabase | undefined,
  ) {}

  static async open(settings: SimulationSettings, round: number): Promise<World> {
    const random = new SeededRandom(settings.seed * 1_000 + round);
    const scheduler = new Scheduler(random, { crashOnceIn: 0 });
    const server = await settings.makeDatabase?.();
    const { dataSource, tellTime } = await openWorldDatabase(server?.url, scheduler.clock);
    const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-simulator-'));
    const database = new SimulatedDatabase(dataSource, scheduler, random, tellTime);
    const model = new MoneyModel();
    const store = new SimulatedStore(scheduler);
    const actions = new SimulatedActions(random, model, store);
    const poolReturns = new PoolReturns(dataSource, store.current, scheduler.clock);
    const money = new AccountMoney(dataSource, poolReturns, scheduler.clock);
    const casting = new Casting(dataSource, money, model, random);
    return new World(
      ...([
        dataSource,
        dataDir,
        settings,
        random,
        scheduler,
        database,
        store,
        model,
        actions,
        casting,
        server,
      ] as const),
    );
  }

  get steps(): number {
    return this.scheduler.steps;
  }

  figures() {
    const { steps, crashes } = this.scheduler;
    const { flushes: storeFlushes, outages: storeOutages } = this.store;
    return {
      steps,
      crashes,
      brokenConnections: this.database.faults,
      stranded: this.stranded,
      slices: this.sliceDesks.reduce((sum, { opened }) => sum + opened, 0),
      slicedCalls: this.sliceDesks.reduce((sum, { served }) => sum + served, 0),
      storeFlushes,
      storeOutages,
    };
  }

  async bookedFigures() {
    const [row] = (await this.dataSource.query(
      `SELECT COUNT(*) AS charged, SUM(CASE WHEN outcome = 'recovered' THEN 1 ELSE 0 END) AS recovered, SUM(writeoff) AS "writtenOff" FROM settlements`,
    )) as Record<string, unknown>[];
    const [ledger] = (await this.dataSource.query('SELECT COUNT(*) AS count FROM ledger')) as Record<
      string,
      unknown
    >[];
    return {
      calls: this.model.calls.size,
      charged: Number(row?.['charged']),
      recovered: Number(row?.['recovered']),
      writtenOff: Number(row?.['writtenOff']),
      movements: Number(ledger?.['count']),
    };
  }

  /** @returns what is wrong with the books afterwards */
  async runEpoch(): Promise<string[]> {
    await this.prepare();
    const { crashOnceIn = 350, breakOnceIn = 900, epochSteps = 5_000 } = this.settings;
    this.scheduler.settings.crashOnceIn = crashOnceIn;
    this.database.breakOnceIn = breakOnceIn;
    const until = this.steps + epochSteps;
    this.outagesBefore = this.store.outages;
    this.actions.hasOutages = this.random.onceIn(2);
    let last = { step: this.steps, atMs: this.scheduler.clock.nowMs() };
    while (this.steps < until) {
      this.keepBusy();
      await this.scheduler.step();
      const nowMs = this.scheduler.clock.nowMs();
      if (this.steps > last.step) last = { step: this.steps, atMs: nowMs };
      // No requests are running: a waiter waits for something that never comes.
      else if (nowMs - last.atMs > QUIET_WITHIN_MS) return [`after step ${last.step} everybody stands still`];
    }
    await this.becomeQuiet();
    for (const name of readdirSync(join(this.dataDir, 'spool')))
      if (name.endsWith('.done')) rmSync(join(this.dataDir, 'spool', name), { recursive: true });
    const violations = await checkMoney(this.dataSource, { isQuiet: true, hasAllLogs: true });
    return [
      ...this.faults.splice(0),
      ...violations.map(({ invariant, subject, expected, found }) =>
        [invariant, subject, 'expected', expected, 'found', found].join(' '),
      ),
      ...(await compareWithModel(this.dataSource, this.model)),
      ...(await this.leftOpen()),
    ];
  }

  async close(): Promise<void> {
    for (const worker of this.workers) worker.die();
    await this.scheduler.settle();
    await this.dataSource.destroy();
    await this.server?.drop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  private async prepare(): Promise<void> {
    if (this.cast === undefined) this.cast = await this.casting.begin();
    else await this.casting.renew(this.cast);
    this.actions.cast = this.cast;
  }

  private boot(isMortal: boolean): SimulatedWorker {
    this.boots += 1;
    const { scheduler, random, database, store, dataDir } = this;
    const worker = new SimulatedWorker(`boot-${this.boots}`, isMortal, {
      scheduler,
      random,
      database,
      store,
      dataDir,
      ids: { callId: () => this.nextId() },
      onFault: (message) => this.actions.heard(message),
    });
    this.sliceDesks.push(worker.engine.slices);
    this.settings.tamper?.(worker);
    return worker;
  }

  private nextId(): string {
    this.ids += 1;
    return `id-${String(this.ids).padStart(9, '0')}`;
  }

  private keepBusy(): void {
    const living = this.workers.filter((worker) => !worker.isDead);
    this.workers.splice(0, this.workers.length, ...living);
    if (living.length < WORKERS) {
      const worker = this.boot(true);
      this.workers.push(worker);
      this.run(worker, () => worker.start());
    }
    const ready = living.filter((worker) => worker.isStarted && !worker.isStopping);
    if (ready.length === 0) return;
    const running = ready.reduce((sum, worker) => sum + worker.running, 0);
    if (running >= RUNNING) return;
    const begun = this.actions.next(ready, () => this.nextId());
    for (const { worker, action } of begun) this.run(worker, action);
  }

  /** Something of a worker, which may fail by a broken connection, and by nothing else. */
  private run(worker: SimulatedWorker, action: () => Promise<void>): void {
    worker.running += 1;
    action().then(
      () => {
        if (!worker.isDead) worker.running -= 1;
      },
      (error: unknown) => {
        if (worker.isDead) return;
        worker.running -= 1;
        if (!this.actions.isExpected(error)) this.faults.push(describe(error));
        // A process that cannot start ends.
        if (!worker.isStarted) worker.die();
      },
    );
  }

  /** Nothing more fails. Every actor ends its work, then one worker after the other ends in order, then one puts all in order. */
  private async becomeQuiet(): Promise<void> {
    this.scheduler.settings.crashOnceIn = 0;
    this.database.breakOnceIn = 0;
    await this.until('calls end', () =>
      this.workers.every((worker) => worker.isDead || (worker.isStarted && worker.running === 0)),
    );
    await this.lookAtPools();
    for (const worker of this.workers.filter(({ isDead }) => !isDead)) await this.stop(worker);
    this.workers.length = 0;
    await this.putInOrder();
  }

  /** No calls run, and a new worker has recovered the dead ones: pools can spend exactly the quota SQL has set aside. */
  private async lookAtPools(): Promise<void> {
    const newcomer = this.boot(false);
    this.workers.push(newcomer);
    this.run(newcomer, () => newcomer.start());
    await this.until(
      'everything is told',
      () =>
        this.database.isFree &&
        this.workers.every(
          ({ isDead, running, engine }) =>
            isDead ||
            (running === 0 &&
              engine.flusher.backlog === 0 &&
              engine.returns.isEmpty &&
              engine.slices.isEmpty),
        ),
    );
    // While the store is away a pool misses some updates; then it is bounded by the running work, and charges stay exact.
    if (this.store.outages > this.outagesBefore) return;
    this.faults.push(...(await comparePools(this.dataSource, this.store.current)));
    this.faults.push(...(await compareLimits(this.dataSource, this.store.current)));
  }

  /** A new worker finds the remains of the others. Some of it may come back only when it is certainly unused. */
  private async putInOrder(): Promise<void> {
    this.scheduler.clock.advance(LEASES_END_MS);
    const worker = this.boot(false);
    this.workers.push(worker);
    this.run(worker, () => worker.start());
    await this.until('the last worker starts', () => worker.running === 0);
    this.stranded += (await this.openAmounts()).length;
    const patienceEndsMs = this.scheduler.clock.nowMs() + PATIENCE_MS;
    await this.until('time passes', () => this.scheduler.clock.nowMs() > patienceEndsMs);
    await this.stop(worker);
    this.workers.length = 0;
  }

  private async stop(worker: SimulatedWorker): Promise<void> {
    this.run(worker, () => worker.stop());
    await this.until(`${worker.bootId} stops`, () => worker.running === 0);
  }

  private async until(what: string, isTrue: () => boolean): Promise<void> {
    const deadlineMs = this.scheduler.clock.nowMs() + QUIET_WITHIN_MS;
    for (;;) {
      // Actions without a turn may have made it true.
      await this.scheduler.settle();
      await this.scheduler.settle();
      if (isTrue()) return;
      if (this.scheduler.clock.nowMs() > deadlineMs) throw new Error(`${what}: not within half an hour`);
      await this.scheduler.step();
    }
  }

  private async leftOpen(): Promise<string[]> {
    return (await this.openAmounts()).map((row) => `left open: ${JSON.stringify(row)}`);
  }

  private async openAmounts(): Promise<Record<string, unknown>[]> {
    return (await this.dataSource.query(
      `SELECT id, kind, scope, user_id, amount, epoch FROM reservations WHERE state = 'open' AND amount <> 0`,
    )) as Record<string, unknown>[];
  }
}

const describe = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

function addAll<T extends Record<string, number>>(sums: T, more: Partial<T>): void {
  for (const [name, value] of Object.entries(more))
    Object.assign(sums, { [name]: (sums[name] ?? 0) + Number(value) });
}
