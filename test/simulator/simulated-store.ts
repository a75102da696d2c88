import { MemorySharedStore } from '../../server/infra/shared-store/memory-shared-store.js';
import type { SharedLimits } from '../../server/infra/shared-store/shared-limits.js';
import {
  SharedStore,
  StoreUnavailableError,
  type Lease,
  type SharedCache,
  type SharedLeases,
  type SharedPools,
  type SharedSignals,
  type SharedWindows,
} from '../../server/infra/shared-store/shared-store.js';
import type { Actor, Scheduler } from './scheduler.js';

/** The store all workers share. It can be flushed, and it can be away for a while. */
export class SimulatedStore {
  flushes = 0;
  outages = 0;
  private asked = 0;
  isAway = false;
  current: MemorySharedStore;
  /** Signals between workers: subscriptions outlive the data. */
  readonly words: SharedSignals;

  constructor(private readonly scheduler: Scheduler) {
    this.current = this.open();
    this.words = this.current.signals;
  }

  /** Everything in it is gone, as after FLUSHALL. */
  flush(): void {
    this.flushes += 1;
    this.current = this.open();
  }

  goAway(forMs: number): void {
    this.outages += 1;
    this.isAway = true;
    this.scheduler.clock.after(forMs, () => {
      this.isAway = false;
    });
  }

  /** The store as `actor` reaches it: every operation is a step. */
  viewOf(actor: Actor): SharedStore {
    return new StoreView(this, (work) =>
      this.scheduler.perform(actor, () => {
        // Now and then its refusal does not arrive: the effect of the request is unknown.
        this.asked += 1;
        if (this.isAway)
          throw new StoreUnavailableError('the store is away', { isUntouched: this.asked % 2 === 0 });
        return work(this.current);
      }),
    );
  }

  private open(): MemorySharedStore {
    return new MemorySharedStore(this.scheduler.clock, `run-${this.flushes}`);
  }
}

type Ask = <T>(work: (store: SharedStore) => T | Promise<T>) => Promise<T>;

class StoreView extends SharedStore {
  override readonly cache: SharedCache;
  override readonly windows: SharedWindows;
  override readonly pools: SharedPools;
  override readonly limits: SharedLimits;
  override readonly leases: SharedLeases;
  override readonly signals: SharedSignals;

  constructor(
    private readonly world: SimulatedStore,
    ask: Ask,
  ) {
    super();
    this.cache = {
      get: (key) => ask(({ cache }) => cache.get(key)),
      set: (key, value, ttlMs) => ask(({ cache }) => cache.set(key, value, ttlMs)),
    };
    this.windows = {
      admit: (key, limit, windowMs) => ask(({ windows }) => windows.admit(key, limit, windowMs)),
      record: (key, windowMs) => ask(({ windows }) => windows.record(key, windowMs)),
      count: (key, windowMs) => ask(({ windows }) => windows.count(key, windowMs)),
      reset: (key) => ask(({ windows }) => windows.reset(key)),
    };
    this.pools = poolsOver(ask);
    this.limits = limitsOver(world, ask);
    this.leases = { acquire: async (name, ttlMs) => leaseOver(ask, name, ttlMs) };
    this.signals = {
      publish: (topic, payload) => ask(() => world.words.publish(topic, payload)),
      subscribe: (topic, listener) => world.words.subscribe(topic, listener),
    };
  }

  /** All workers of this world share one store. */
  override get identity(): null {
    return null;
  }

  override get isAvailable(): boolean {
    return !this.world.isAway;
  }

  override get fault(): string | null {
    return this.world.isAway ? 'the store is away' : null;
  }

  override close(): Promise<void> {
    return Promise.resolve();
  }
}

function limitsOver(world: SimulatedStore, ask: Ask): SharedLimits {
  return {
    get epoch() {
      return world.current.limits.epoch;
    },
    settle: (ends) => ask(({ limits }) => limits.settle(ends)),
    grow: (callId, userId, growth) => ask(({ limits }) => limits.grow(callId, userId, growth)),
    restore: (calls, owner) => ask(({ limits }) => limits.restore(calls, owner)),
    restoredOwners: () => ask(({ limits }) => limits.restoredOwners()),
    restoredCalls: () => ask(({ limits }) => limits.restoredCalls()),
    fill: (window, epoch) => ask(({ limits }) => limits.fill(window, epoch)),
    enterValue: (value, most) => ask(({ limits }) => limits.enterValue(value, most)),
    correct: (window) => ask(({ limits }) => limits.correct(window)),
    read: (window) => ask(({ limits }) => limits.read(window)),
    callsOf: (owner) => each(ask(({ limits }) => listOf(limits.callsOf(owner)))),
  };
}

function poolsOver(ask: Ask): SharedPools {
  return {
    epoch: () => ask(({ pools }) => pools.epoch()),
    place: (request) => ask(({ pools }) => pools.place(request)),
    extend: (callId, userId, tokenId, by) => ask(({ pools }) => pools.extend(callId, userId, tokenId, by)),
    fill: (pool, amount, reservationId, epoch) =>
      ask(({ pools }) => pools.fill(pool, amount, reservationId, epoch)),
    settle: (returns) => ask(({ pools }) => pools.settle(returns)),
    report: (reports) => ask(({ pools }) => pools.report(reports)),
    slices: (userId) => ask(({ pools }) => pools.slices(userId)),
    isRemote: true,
    markDispatched: (callIds) => ask(({ pools }) => pools.markDispatched(callIds)),
    drain: (pool, idleMs) => ask(({ pools }) => pools.drain(pool, idleMs)),
    discard: (filled) => ask(({ pools }) => pools.discard(filled)),
    reservationsOf: (refs) => ask(({ pools }) => pools.reservationsOf(refs)),
    debit: (pool, amount, reservationId) => ask(({ pools }) => pools.debit(pool, amount, reservationId)),
    list: () => each(ask(({ pools }) => listOf(pools.list()))),
    holdsOf: (owner) => each(ask(({ pools }) => listOf(pools.holdsOf(owner)))),
  };
}

async function listOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

async function* each<T>(items: Promise<readonly T[]>): AsyncIterable<T> {
  yield* await items;
}

async function leaseOver(ask: Ask, name: string, ttlMs: number): Promise<Lease | null> {
  const lease = await ask(({ leases }) => leases.acquire(name, ttlMs));
  return lease === null ? null : { release: () => ask(() => lease.release()) };
}
