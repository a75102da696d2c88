import type { Clock } from '../../common/clock.js';
import { MemoryLimits } from './memory-limits.js';
import { MemoryPools } from './memory-pools.js';
import { MemoryWindows } from './memory-windows.js';
import {
  SharedStore,
  type Json,
  type Lease,
  type SharedCache,
  type SharedLeases,
  type SharedSignals,
  type Unsubscribe,
} from './shared-store.js';

/** Entries a process keeps in its cache before the oldest go. */
const MAX_CACHE_ENTRIES = 100_000;

/** The shared store of a single process: same contract as Redis, nothing to install. */
export class MemorySharedStore extends SharedStore {
  override readonly cache: MemoryCache;
  override readonly windows: MemoryWindows;
  override readonly pools: MemoryPools;
  override readonly limits: MemoryLimits;
  override readonly leases: MemoryLeases;
  override readonly signals = new MemorySignals();
  override readonly isAvailable = true;
  /** The same of every process: several that do without Redis know what they do without. */
  override readonly identity = 'memory';

  /** @param epoch  names this run of the store; must differ between two processes */
  constructor(clock: Clock, epoch: string) {
    super();
    this.cache = new MemoryCache(clock);
    this.windows = new MemoryWindows(clock);
    this.limits = new MemoryLimits(epoch);
    this.pools = new MemoryPools(clock, { windows: this.windows, limits: this.limits }, epoch);
    this.leases = new MemoryLeases(clock);
  }

  override async close(): Promise<void> {
    this.signals.clear();
  }
}

class MemoryCache implements SharedCache {
  private readonly entries = new Map<string, { readonly value: Json; readonly untilMs: number }>();

  constructor(private readonly clock: Clock) {}

  async get(key: string): Promise<Json | undefined> {
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.untilMs > this.clock.nowMs()) return structuredClone(entry.value);
    this.entries.delete(key);
    return undefined;
  }

  async set(key: string, value: Json, ttlMs: number): Promise<void> {
    this.entries.delete(key);
    this.entries.set(key, { value: structuredClone(value), untilMs: this.clock.nowMs() + ttlMs });
    if (this.entries.size > MAX_CACHE_ENTRIES) this.makeRoom();
  }

  private makeRoom(): void {
    const nowMs = this.clock.nowMs();
    for (const [key, entry] of this.entries) if (entry.untilMs <= nowMs) this.entries.delete(key);
    for (const key of this.entries.keys()) {
      if (this.entries.size <= MAX_CACHE_ENTRIES) return;
      this.entries.delete(key);
    }
  }
}

class MemoryLeases implements SharedLeases {
  private readonly held = new Map<string, { readonly untilMs: number }>();

  constructor(private readonly clock: Clock) {}

  async acquire(name: string, ttlMs: number): Promise<Lease | null> {
    const current = this.held.get(name);
    if (current !== undefined && current.untilMs > this.clock.nowMs()) return null;
    const own = { untilMs: this.clock.nowMs() + ttlMs };
    this.held.set(name, own);
    return {
      release: async () => {
        if (this.held.get(name) === own) this.held.delete(name);
      },
    };
  }
}

class MemorySignals implements SharedSignals {
  private readonly listeners = new Map<string, Set<(payload: string) => void>>();

  async publish(topic: string, payload: string): Promise<void> {
    for (const listener of [...(this.listeners.get(topic) ?? [])]) listener(payload);
  }

  subscribe(topic: string, listener: (payload: string) => void): Unsubscribe {
    const listeners = this.listeners.get(topic) ?? new Set();
    this.listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  clear(): void {
    this.listeners.clear();
  }
}
