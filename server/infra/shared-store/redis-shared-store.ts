import { contained } from '../../common/contain-faults.js';
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../common/clock.js';
import { parseRedisAddress } from '../../config/redis-address.js';
import { RedisClaim } from './redis-claim.js';
import { connectRedis, RedisConnection, type RedisClient } from './redis-connection.js';
import { findEviction } from './redis-eviction.js';
import { RedisLimits } from './redis-limits.js';
import { RedisPools } from './redis-pools.js';
import { RedisWindows } from './redis-windows.js';
import * as scripts from './scripts/state-scripts.js';
import {
  SharedStore,
  type Json,
  type Lease,
  type SharedCache,
  type SharedLeases,
  type SharedSignals,
  type SharedWindows,
  type Unsubscribe,
} from './shared-store.js';

const DEFAULT_PREFIX = 'tollgate:';
/** Interval of checks of the claim: an emptied store is claimed again, and a foreign claim is noticed. */
const WATCH_CLAIM_EVERY_MS = 2_000;
/** Number of claim checks per check of its eviction policy. */
const LOOKS_PER_EVICTION = 30;
const LEARN_AGAIN_MS = 200;

export interface RedisStoreSettings {
  readonly prefix?: string;
  readonly installation?: string;
  /** Deadline per command in milliseconds; absent = 250. */
  readonly deadlineMs?: number;
}

/** The shared store of several instances. See shared-store.ts for what each facet promises. */
export class RedisSharedStore extends SharedStore {
  override readonly cache: SharedCache;
  override readonly windows: SharedWindows;
  override readonly pools: RedisPools;
  override readonly limits: RedisLimits;
  override readonly leases: SharedLeases;
  override readonly signals: RedisSignals;
  private readonly client: RedisClient;
  private readonly gate: RedisConnection;
  private readonly claim: RedisClaim;
  private isClosed = false;
  private evictionPolicy: string | null = null;
  private looks = 0;
  private connectionFault: string | null = null;
  private stopWatching: () => void = () => undefined;
  private stopLearning: (() => void) | undefined;

  /**
   * @param onFault  called with connection faults, for the operator's log
   * @param installation  installation whose store it must be (installation-id.ts); undefined = any
   */
  constructor(
    url: string,
    private readonly clock: Clock,
    private readonly onFault: (error: Error) => void,
    { prefix = DEFAULT_PREFIX, installation, deadlineMs }: RedisStoreSettings = {},
  ) {
    super();
    this.client = connectRedis(url);
    this.gate = new RedisConnection(this.client, clock, `${prefix}probe`, deadlineMs);
    const address = parseRedisAddress(url);
    this.claim = new RedisClaim(this.gate, {
      key: `${prefix}installation`,
      installation,
      database: address.form === 'cluster' ? 0 : address.database,
      onForeign: () => {
        this.pools.forgetEpoch();
        this.detectRunLater();
      },
    });
    this.limits = new RedisLimits(
      this.gate,
      prefix,
      () => this.pools.knownRun,
      () => this.pools.epoch(),
    );
    this.pools = new RedisPools(this.gate, prefix, this.limits, () => this.claim.look());
    this.cache = new RedisCache(this.gate, prefix);
    this.windows = new RedisWindows(this.gate, this.pools, clock);
    this.leases = new RedisLeases(this.gate, prefix);
    this.signals = new RedisSignals(
      this.gate,
      () => connectRedis(url, { isSubscriber: true }),
      // Channels are those of the whole server, whatever the number of the database.
      installation === undefined ? prefix : `${prefix}${installation}:`,
      onFault,
    );
    const note = (error: Error): void => {
      this.connectionFault = error.message;
      onFault(error);
    };
    const distrust = (): void => {
      this.gate.markUnusable();
      this.pools.forgetEpoch();
    };
    const begin = (): void => {
      this.connectionFault = null;
      this.detectRun();
    };
    this.client.on('error', contained(note));
    this.client.on('close', contained(distrust));
    this.client.on('ready', contained(begin));
    this.client.on(
      '+node',
      contained(() => this.detectRun()),
    );
    if (installation !== undefined) this.watchClaim();
  }

  override get isAvailable(): boolean {
    return this.client.status === 'ready' && this.gate.isTrusted && this.pools.isReady && !this.gate.isOpen;
  }

  override get fault(): string | null {
    if (this.gate.fault !== null) return this.gate.fault;
    if (this.client.status !== 'ready') {
      return `there is no connection${this.connectionFault === null ? '' : ` (${this.connectionFault})`}`;
    }
    if (this.gate.misplaced !== null) return this.gate.misplaced;
    return this.pools.isReady ? null : 'it does not say which run it is';
  }

  override get identity(): string | null {
    return this.claim.storeId ?? null;
  }

  override get concern(): string | null {
    if (this.evictionPolicy === null) return null;
    return `its maxmemory-policy is ${this.evictionPolicy} and must be noeviction`;
  }

  override setUnusable(reason: string | null): void {
    if (!this.claim.setUnusable(reason)) return;
    this.pools.forgetEpoch();
    // Its name is read repeatedly: when it is the right one after all, the others must be notified.
    this.detectRunLater();
  }

  override get misplaced(): string | null {
    return this.gate.misplaced;
  }

  override async clockMs(): Promise<number> {
    const [seconds, microseconds] = await this.gate.run(() => this.client.time());
    return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
  }

  /** Resolves when the store can be used. Fails: never; gives up after `timeoutMs` with the answer false. */
  async waitUntilAvailable(timeoutMs: number): Promise<boolean> {
    const dueMs = this.clock.monotonicMs() + timeoutMs;
    while (!this.isAvailable && this.misplaced === null && this.clock.monotonicMs() < dueMs) {
      await new Promise<void>((resolve) => this.clock.after(10, resolve));
    }
    return this.isAvailable;
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    this.stopWatching();
    this.stopLearning?.();
    this.signals.close();
    this.gate.close();
    this.client.disconnect();
  }

  private detectRun(): void {
    if (this.isClosed) return;
    this.learn().catch((error: unknown) => {
      const { misplaced } = this.gate;
      this.onFault(
        misplaced === null && error instanceof Error ? error : new Error(misplaced ?? String(error)),
      );
      this.detectRunLater();
    });
  }

  private async learn(): Promise<void> {
    await this.claim.admit();
    this.gate.probe();
    await this.pools.loadEpoch();
  }

  /** Without its run the store is unusable although connected: it is read again, since the connection may well stay up. */
  private detectRunLater(): void {
    if (this.isClosed) return;
    this.stopLearning ??= this.clock.after(LEARN_AGAIN_MS, () => {
      this.stopLearning = undefined;
      if (this.client.status === 'ready' && !this.pools.isReady) this.detectRun();
    });
  }

  private async look(): Promise<void> {
    await this.claim.look();
    if (this.looks % LOOKS_PER_EVICTION === 0) this.evictionPolicy = await findEviction(this.gate);
    this.looks += 1;
  }

  private watchClaim(): void {
    this.stopWatching = this.clock.after(WATCH_CLAIM_EVERY_MS, () => {
      const isAnswering = this.client.status === 'ready' && this.gate.isTrusted && !this.gate.isOpen;
      const looked = isAnswering ? this.look() : Promise.resolve();
      // The result is handled inside; a missing answer is noticed elsewhere.
      void looked
        .catch(() => undefined)
        .finally(() => {
          if (!this.isClosed) this.watchClaim();
        });
    });
  }
}

class RedisCache implements SharedCache {
  constructor(
    private readonly gate: RedisConnection,
    private readonly prefix: string,
  ) {}

  async get(key: string): Promise<Json | undefined> {
    const text = await this.gate.run(() => this.gate.client.get(this.key(key)));
    return text === null ? undefined : (JSON.parse(text) as Json);
  }

  async set(key: string, value: Json, ttlMs: number): Promise<void> {
    await this.gate.run(() =>
      this.gate.client.set(this.key(key), JSON.stringify(value), 'PX', Math.max(1, Math.ceil(ttlMs))),
    );
  }

  private key(key: string): string {
    return `${this.prefix}c:${key}`;
  }
}

class RedisLeases implements SharedLeases {
  constructor(
    private readonly gate: RedisConnection,
    private readonly prefix: string,
  ) {}

  async acquire(name: string, ttlMs: number): Promise<Lease | null> {
    const mark = randomUUID();
    const key = `${this.prefix}{l:${name}}`;
    const taken = await this.gate.run(() => this.gate.client.set(key, mark, 'PX', ttlMs, 'NX'));
    if (taken === null) return null;
    return {
      release: async () => {
        await this.gate.script(scripts.RELEASE, [key], [mark]);
      },
    };
  }
}

/** Hints between instances; a lost one is made good by polling, so delivery is best effort. */
class RedisSignals implements SharedSignals {
  private readonly listeners = new Map<string, Set<(payload: string) => void>>();
  private subscriber: RedisClient | undefined;

  constructor(
    private readonly gate: RedisConnection,
    private readonly connect: () => RedisClient,
    private readonly prefix: string,
    private readonly onFault: (error: Error) => void,
  ) {}

  async publish(topic: string, payload: string): Promise<void> {
    await this.gate.run(() => this.gate.client.publish(this.channel(topic), payload));
  }

  subscribe(topic: string, listener: (payload: string) => void): Unsubscribe {
    const known = this.listeners.get(topic);
    if (known !== undefined) known.add(listener);
    else {
      this.listeners.set(topic, new Set([listener]));
      this.open().subscribe(this.channel(topic)).catch(this.onFault);
    }
    return () => this.listeners.get(topic)?.delete(listener);
  }

  close(): void {
    this.listeners.clear();
    this.subscriber?.disconnect();
  }

  private open(): RedisClient {
    if (this.subscriber === undefined) {
      this.subscriber = this.connect();
      this.subscriber.on('error', contained(this.onFault));
      const tell = (channel: string, payload: string): void => {
        const topic = channel.slice(this.channel('').length);
        for (const listener of [...(this.listeners.get(topic) ?? [])]) contained(listener)(payload);
      };
      this.subscriber.on('message', contained(tell));
    }
    return this.subscriber;
  }

  private channel(topic: string): string {
    return `${this.prefix}s:${topic}`;
  }
}
