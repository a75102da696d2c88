import { randomUUID } from 'node:crypto';
import type { Clock } from '../../relay-core/ports/clock.js';
import { connectRedis, RedisGate, type RedisClient } from './redis-connection.js';
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

/** The shared store of several instances. See shared-store.ts for what each facet promises. */
export class RedisSharedStore extends SharedStore {
  override readonly cache: SharedCache;
  override readonly windows: SharedWindows;
  override readonly pools: RedisPools;
  override readonly leases: SharedLeases;
  override readonly signals: RedisSignals;
  private readonly client: RedisClient;
  private readonly gate: RedisGate;
  private isClosed = false;

  /** @param onFault  hears connection faults, for the operator's log */
  constructor(
    url: string,
    private readonly clock: Clock,
    private readonly onFault: (error: Error) => void,
    prefix = DEFAULT_PREFIX,
  ) {
    super();
    this.client = connectRedis(url);
    this.gate = new RedisGate(this.client, clock, `${prefix}probe`);
    this.pools = new RedisPools(this.gate, prefix);
    this.cache = new RedisCache(this.gate, prefix);
    this.windows = new RedisWindows(this.gate, this.pools, clock);
    this.leases = new RedisLeases(this.gate, prefix);
    this.signals = new RedisSignals(
      this.gate,
      () => connectRedis(url, { isSubscriber: true }),
      prefix,
      onFault,
    );
    this.client.on('error', (error: Error) => onFault(error));
    this.client.on('close', () => this.pools.forgetEpoch());
    this.client.on('ready', () => {
      this.gate.probe();
      this.learnRun();
    });
    this.client.on('+node', () => this.learnRun());
  }

  override get isAvailable(): boolean {
    return this.client.status === 'ready' && this.pools.isReady && !this.gate.isOpen;
  }

  override get fault(): string | null {
    if (this.gate.fault !== null) return this.gate.fault;
    if (this.client.status !== 'ready') return 'there is no connection';
    return this.pools.isReady ? null : 'it does not say which run it is';
  }

  override async clockMs(): Promise<number> {
    const [seconds, microseconds] = await this.gate.run(() => this.client.time());
    return Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
  }

  /** Resolves when the store can be used. Fails: never; gives up after `timeoutMs` with the answer false. */
  async waitUntilAvailable(timeoutMs: number): Promise<boolean> {
    const dueMs = this.clock.monotonicMs() + timeoutMs;
    while (!this.isAvailable && this.clock.monotonicMs() < dueMs) {
      await new Promise<void>((resolve) => this.clock.after(10, resolve));
    }
    return this.isAvailable;
  }

  override async close(): Promise<void> {
    this.isClosed = true;
    this.signals.close();
    this.gate.close();
    this.client.disconnect();
  }

  private learnRun(): void {
    if (this.isClosed) return;
    this.pools.learnEpoch().catch((error: unknown) => {
      this.onFault(error instanceof Error ? error : new Error(String(error)));
      // Without its run the store is unusable although connected: ask again, the connection may well stay up.
      this.clock.after(200, () => {
        if (this.client.status === 'ready' && !this.pools.isReady) this.learnRun();
      });
    });
  }
}

class RedisCache implements SharedCache {
  constructor(
    private readonly gate: RedisGate,
    private readonly prefix: string,
  ) {}

  async get(key: string): Promise<Json | undefined> {
    return parse(await this.gate.run(() => this.gate.client.get(this.key(key))));
  }

  async set(key: string, value: Json, ttlMs: number): Promise<void> {
    await this.gate.run(() =>
      this.gate.client.set(this.key(key), JSON.stringify(value), 'PX', Math.max(1, Math.ceil(ttlMs))),
    );
  }

  async take(key: string): Promise<Json | undefined> {
    return parse(await this.gate.run(() => this.gate.client.getdel(this.key(key))));
  }

  async delete(key: string): Promise<void> {
    await this.gate.run(() => this.gate.client.del(this.key(key)));
  }

  private key(key: string): string {
    return `${this.prefix}c:${key}`;
  }
}

const parse = (text: string | null): Json | undefined =>
  text === null ? undefined : (JSON.parse(text) as Json);

class RedisLeases implements SharedLeases {
  constructor(
    private readonly gate: RedisGate,
    private readonly prefix: string,
  ) {}

  async acquire(name: string, ttlMs: number): Promise<Lease | null> {
    const mark = randomUUID();
    const key = `${this.prefix}{l:${name}}`;
    const fence = Number(await this.gate.script(scripts.ACQUIRE, [key, `${key}:fence`], [mark, ttlMs]));
    if (fence === 0) return null;
    return {
      name,
      fence,
      renew: async () => (await this.gate.script(scripts.RENEW, [key], [mark, ttlMs])) === 1,
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
    private readonly gate: RedisGate,
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
      this.subscriber.on('error', (error: Error) => this.onFault(error));
      this.subscriber.on('message', (channel: string, payload: string) => {
        const topic = channel.slice(this.channel('').length);
        for (const listener of [...(this.listeners.get(topic) ?? [])]) listener(payload);
      });
    }
    return this.subscriber;
  }

  private channel(topic: string): string {
    return `${this.prefix}s:${topic}`;
  }
}
