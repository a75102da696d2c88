import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DataSource } from 'typeorm';
import { SystemClock } from '../../server/infra/clock/system-clock.js';
import type { Clock } from '../../server/relay-core/ports/clock.js';
import { writeLockOf } from '../../server/infra/database/gated-sqlite-runner.js';
import { openDatabase } from '../../server/infra/database/open-database.js';
import { runInTransaction } from '../../server/infra/database/run-in-transaction.js';
import { storeOf } from '../../server/infra/database/typeorm-store.js';
import { UuidIds } from '../../server/infra/ids/uuid-ids.js';
import { MemorySharedStore } from '../../server/infra/shared-store/memory-shared-store.js';
import { RedisSharedStore } from '../../server/infra/shared-store/redis-shared-store.js';
import type { SharedStore } from '../../server/infra/shared-store/shared-store.js';
import { AccountMoney } from '../../server/modules/billing/ledger/account-money.service.js';
import { BatchBooker } from '../../server/modules/billing/booking/batch-booker.js';
import type { PoolNews } from '../../server/modules/billing/booking/book-settlements.js';
import type { PoolDebit } from '../../server/modules/billing/booking/batch-totals.js';
import type { SqlStore } from '../../server/infra/database/sql-store.js';
import { checkMoney, type Violation } from '../../server/modules/billing/checks/check-money.js';
import { MoneyEngine } from '../../server/modules/billing/engine/money-engine.js';
import { OptionPriceBook } from '../../server/modules/price-rules/option-price-book.js';
import type { BookingRecord } from '../../server/modules/billing/records/spool-documents.js';
import type { BookingPlace } from '../../server/modules/billing/booking/thread-flusher.js';
import { PoolReturns } from '../../server/modules/billing/ledger/pool-returns.js';
import type { PriceDocuments } from '../../server/modules/price-rules/price-table.js';
import type { Caller, CallShape, FinishedCall } from '../../server/relay-core/model/call.js';
import type { Usage } from '../../server/relay-core/model/usage.js';
import type { Hold } from '../../server/relay-core/ports/quota-holds.js';
import type { Quote } from '../../server/relay-core/ports/price-book.js';
import { loadAllEntities } from '../support/all-entities.js';
import { createTestDatabase, type DatabaseKind, type TestDatabase } from '../support/database.js';

/** Prices of the models in these tests: a full answer of fx-std costs 10 + 2 × 50 = 110. */
export const FIXTURE_PRICES: PriceDocuments = {
  ModelRatio: { 'fx-std': 1, 'fx-free': 0 },
  CompletionRatio: { 'fx-std': 2 },
  CacheRatio: {},
  CreateCacheRatio: {},
  ImageRatio: {},
  AudioRatio: {},
  AudioCompletionRatio: {},
  ModelPrice: { 'fx-price': 0.002 },
  GroupRatio: { default: 1 },
  SelfUseModeEnabled: false,
  PreConsumedQuota: 500,
  QuotaPerUnit: 500_000,
};

export const STD_USAGE: Usage = { input: { total: 10 }, output: { total: 50 } };
const ids = new UuidIds();
const REGISTER_TYPESCRIPT = pathToFileURL(
  join(import.meta.dirname, '../support/register-typescript.mjs'),
).href;

/** Accounts on a real database, and the means to look into their books. */
export class Books {
  private constructor(
    readonly database: TestDatabase,
    readonly dataSource: DataSource,
    readonly dataDir: string,
  ) {}

  static async open(kind: DatabaseKind): Promise<Books> {
    const database = await createTestDatabase(kind);
    const dataSource = await openDatabase(database.url, {
      entities: await loadAllEntities(),
      acquireMs: 20_000,
    });
    const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-money-'));
    return new Books(database, dataSource, dataDir);
  }

  /** The same books from another process. */
  static async attach(url: string, dataDir: string): Promise<Books> {
    const dataSource = await openDatabase(url, { entities: await loadAllEntities(), acquireMs: 20_000 });
    return new Books({ url, drop: async () => undefined }, dataSource, dataDir);
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
    await this.database.drop();
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  money(store: SharedStore): AccountMoney {
    return new AccountMoney(
      this.dataSource,
      new PoolReturns(this.dataSource, store, new SystemClock()),
      new SystemClock(),
    );
  }

  async addUser(quota: number, changes: Record<string, unknown> = {}): Promise<number> {
    const name = randomUUID().slice(0, 12);
    const row = { username: name, usernameFolded: name, password: '', setting: '', ...changes };
    const { identifiers } = await this.dataSource.getRepository('users').insert(row);
    const userId = Number(identifiers[0]?.['id']);
    if (quota > 0) await this.credit(userId, quota, `user:${userId}`);
    return userId;
  }

  async credit(userId: number, amount: number, ref: string): Promise<void> {
    const money = this.money(new MemorySharedStore(new SystemClock(), 'books'));
    const grant = { userId, amount, kind: 'import', ref, actorId: 0, reason: 'test' } as const;
    await runInTransaction(this.dataSource, (manager) => money.credit(manager, grant));
  }

  async addToken(userId: number, allowance: number | null): Promise<number> {
    const { identifiers } = await this.dataSource.getRepository('tokens').insert({
      userId,
      keyDigest: randomUUID(),
      keyEncrypted: '',
      name: 'test',
      modelLimits: '',
      allowIps: '',
      unlimitedQuota: allowance === null,
    });
    const tokenId = Number(identifiers[0]?.['id']);
    const money = this.money(new MemorySharedStore(new SystemClock(), 'books'));
    if (allowance !== null) {
      await runInTransaction(this.dataSource, (manager) =>
        money.grantToken(manager, {
          tokenId,
          amount: allowance,
          kind: 'create',
          ref: `token:${tokenId}`,
          actorId: userId,
        }),
      );
    }
    return tokenId;
  }

  async user(userId: number): Promise<{ quota: number; usedQuota: number; requestCount: number }> {
    return (await this.dataSource.getRepository('users').findOneByOrFail({ id: userId })) as {
      quota: number;
      usedQuota: number;
      requestCount: number;
    };
  }

  async token(tokenId: number): Promise<{ remainQuota: number; usedQuota: number }> {
    return (await this.dataSource.getRepository('tokens').findOneByOrFail({ id: tokenId })) as {
      remainQuota: number;
      usedQuota: number;
    };
  }

  async balance(userId: number, store: SharedStore): Promise<number | undefined> {
    return (await this.money(store).balancesOf([userId])).get(userId);
  }

  /** Where a worker's booking thread finds them. */
  bookingPlace(databaseUrl = this.database.url): BookingPlace {
    const lock = writeLockOf(this.dataSource);
    const execArgv = ['--import', REGISTER_TYPESCRIPT];
    return { databaseUrl, logDatabaseUrl: undefined, lock, logLock: lock, execArgv };
  }

  /**
   * Books one batch as workers do.
   * @param changes  a store in place of the database's own; who hears of debits before the commit
   * @returns undefined when it must be tried again
   */
  book(
    records: readonly BookingRecord[],
    changes: { readonly store?: SqlStore; readonly onTold?: (debits: readonly PoolDebit[]) => void } = {},
  ): Promise<PoolNews | undefined> {
    return this.booker(changes).book(records);
  }

  /** One that books batch after batch, and remembers. */
  booker({
    store = storeOf(this.dataSource),
    logStore = store,
    onTold,
  }: {
    readonly store?: SqlStore;
    readonly logStore?: SqlStore;
    readonly onTold?: (debits: readonly PoolDebit[]) => void;
  } = {}): BatchBooker {
    return new BatchBooker({
      store,
      logStore,
      nowMs: () => Date.now(),
      options: () => ({ logConsumption: true, useFigures: true }),
      onBadRecord: (_record, error) => {
        throw error;
      },
      onWrittenOff: () => undefined,
      tellAhead: (debits) => Promise.resolve(onTold?.(debits)),
      onFault: () => undefined,
    });
  }

  check(isQuiet = true): Promise<Violation[]> {
    return checkMoney(this.dataSource, { isQuiet, hasAllLogs: isQuiet });
  }
}

export interface WorkerChanges {
  readonly clock?: Clock;
  readonly dataDir?: string;
  readonly bootId?: string;
  readonly logConsumption?: boolean | (() => boolean);
  /** A thread of its own books. */
  readonly booking?: BookingPlace;
  /** See SlicePorts. */
  readonly hotCalls?: number;
  /** See MoneyEngineSettings. */
  readonly takesUnnamed?: boolean;
}

/** One worker: its engine over a store, and calls that go through it. */
export class Worker {
  readonly faults: string[] = [];
  readonly engine: MoneyEngine;
  readonly prices = new OptionPriceBook({ revision: 1, values: () => FIXTURE_PRICES });

  constructor(
    readonly books: Books,
    readonly store: SharedStore,
    changes: WorkerChanges = {},
  ) {
    const { dataSource } = books;
    this.engine = new MoneyEngine({
      dataSource,
      logDataSource: dataSource,
      store,
      clock: changes.clock ?? new SystemClock(),
      ids,
      bootId: changes.bootId ?? ids.callId(),
      dataDir: changes.dataDir ?? books.dataDir,
      booking: changes.booking,
      hotCalls: changes.hotCalls,
      options: () => ({
        logConsumption:
          typeof changes.logConsumption === 'function'
            ? changes.logConsumption()
            : (changes.logConsumption ?? true),
        useFigures: true,
      }),
      onFault: (message, error) => this.faults.push(`${message}: ${String(error)}`),
      reserveBytes: 0,
      ...(changes.takesUnnamed === undefined ? {} : { takesUnnamed: changes.takesUnnamed }),
    });
  }

  caller(userId: number, tokenId: number | null, tokenLimited = false): Caller {
    return {
      userId,
      tokenId,
      tokenLimited,
      username: `user-${userId}`,
      role: 1,
      tokenName: 'test',
      group: 'default',
      modelLimits: null,
      acceptsUnsetPrice: false,
      pinnedChannelId: null,
    };
  }

  quote(caller: Caller, shape: Partial<CallShape> = {}): Quote {
    const result = this.prices.quote(caller, {
      operation: 'chat',
      model: 'fx-std',
      stream: true,
      outputCap: 50,
      choices: 1,
      promptTokens: 10,
      wantsStreamUsage: false,
      ...shape,
    });
    if (!result.ok) throw new Error(result.error.message);
    return result.value;
  }

  /** Reserves and dispatches. @returns the hold, or the kind of the refusal (with its scope) */
  async begin(
    caller: Caller,
    shape: Partial<CallShape> = {},
    affordable = false,
  ): Promise<StartedCall | string> {
    const callId = ids.callId();
    const quote = this.quote(caller, shape);
    const held = await this.engine.holds.reserve({ callId, caller, quote, windows: [], affordable });
    if (!held.ok) {
      return held.error.kind === 'quota-insufficient'
        ? `${held.error.kind} ${held.error.scope}`
        : held.error.kind;
    }
    const written = this.engine.holds.recordDispatch(held.value, 0, 0);
    this.engine.spool.flush();
    await written;
    return { callId, caller, quote, hold: held.value };
  }

  /** As `begin`, for calls that must be served. Fails: Error with the kind of the refusal. */
  async start(
    userId: number,
    tokenId: number | null = null,
    tokenLimited = tokenId !== null,
  ): Promise<StartedCall> {
    return expectStarted(await this.begin(this.caller(userId, tokenId, tokenLimited)));
  }

  end(call: StartedCall, usage: Usage = STD_USAGE, changes: Partial<FinishedCall> = {}): void {
    const finished: FinishedCall = {
      callId: call.callId,
      caller: call.caller,
      channelId: 0,
      upstreamModel: 'fx-std',
      isModelMapped: false,
      shape: { operation: 'chat', model: call.quote.snapshot.model, stream: true },
      usage,
      evidence: 'reported',
      outcome: 'ok',
      snapshot: call.quote.snapshot,
      priced: call.quote.charge(usage),
      startedAtMs: Date.now(),
      firstByteMs: 3,
      durationMs: 1_200,
      attempts: [],
      path: '/v1/chat/completions',
      note: '',
      ...changes,
    };
    void this.engine.holds.settle(call.hold, finished);
    this.engine.spool.flush();
  }
}

export interface StartedCall {
  readonly callId: string;
  readonly caller: Caller;
  readonly quote: Quote;
  readonly hold: Hold;
}

export const isStarted = (call: StartedCall | string): call is StartedCall => typeof call !== 'string';

/** Fails: Error with the kind of the refusal. */
export function expectStarted(call: StartedCall | string): StartedCall {
  if (!isStarted(call)) throw new Error(call);
  return call;
}

/** The workers and stores of one test. */
export class Crew {
  private readonly workers: Worker[] = [];
  private readonly stores: SharedStore[] = [];

  /** @param books  asked for when they are needed: a test opens them later than it makes its crew */
  constructor(private readonly books: () => Books) {}

  /** Starts a worker, by default over a store of its own; its data folder is its own: the spools of one test are nobody else's business. */
  async start(changes: WorkerChanges = {}, store: SharedStore = this.keep(openMemory())): Promise<Worker> {
    const books = this.books();
    const worker = new Worker(books, store, {
      dataDir: mkdtempSync(join(books.dataDir, 'worker-')),
      ...changes,
    });
    this.workers.push(worker);
    await worker.engine.start();
    return worker;
  }

  /** A worker the test lets die: it is not stopped at the end. */
  forget(worker: Worker): void {
    this.workers.splice(this.workers.indexOf(worker), 1);
  }

  /** Closes the store with the crew. */
  keep<Store extends SharedStore>(store: Store): Store {
    this.stores.push(store);
    return store;
  }

  /** Ends everything, workers first: one that still breathes keeps the others from bringing pools home. */
  async leave(): Promise<void> {
    for (const worker of this.workers.splice(0)) await worker.engine.stop();
    for (const store of this.stores.splice(0)) await store.close();
  }
}

export const openMemory = (): SharedStore =>
  new MemorySharedStore(new SystemClock(), `memory:${randomUUID()}`);

export async function openRedis(url: string): Promise<RedisSharedStore> {
  const store = new RedisSharedStore(url, new SystemClock(), () => undefined);
  if (!(await store.waitUntilAvailable(5_000))) throw new Error('Redis did not come up');
  return store;
}

/** How often each value occurs. */
export function tally(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
