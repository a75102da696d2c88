import { Cluster } from 'ioredis';
import type { Clock } from '../../common/clock.js';
import type { RedisConnection } from './redis-connection.js';
import type { RedisPools } from './redis-pools.js';
import * as scripts from './scripts/state-scripts.js';
import type { SharedWindows, WindowVerdict } from './shared-store.js';

/** Longest delay of counts that no caller waits for, so that they share a trip: one trip less for most calls. */
const RECORD_EVERY_MS = 20;

interface Recorded {
  readonly windowMs: number;
  entries: number;
}

interface Recording {
  readonly windows: Map<string, Recorded>;
  readonly sent: Promise<void>;
}

/** Rate windows in Redis, on Redis's clock. */
export class RedisWindows implements SharedWindows {
  private recording: Recording | undefined;

  constructor(
    private readonly gate: RedisConnection,
    private readonly pools: RedisPools,
    private readonly clock: Clock,
  ) {}

  async admit(key: string, limit: number, windowMs: number): Promise<WindowVerdict> {
    const wait = await this.gate.script(scripts.ADMIT, [this.pools.windowKey(key)], [limit, windowMs]);
    return wait === 0 ? { admitted: true } : { admitted: false, retryAfterMs: Number(wait) };
  }

  /** @returns one promise for all that are counted together */
  record(key: string, windowMs: number): Promise<void> {
    this.recording ??= this.startRecording();
    const { windows, sent } = this.recording;
    const window = windows.get(key);
    if (window === undefined) windows.set(key, { windowMs, entries: 1 });
    else window.entries += 1;
    return sent;
  }

  async count(key: string, windowMs: number): Promise<number> {
    return Number(await this.gate.script(scripts.COUNT, [this.pools.windowKey(key)], [windowMs]));
  }

  async reset(key: string): Promise<void> {
    await this.gate.run(() => this.gate.client.del(this.pools.windowKey(key)));
  }

  private startRecording(): Recording {
    const windows: Recording['windows'] = new Map();
    const due = new Promise<void>((resolve) => this.clock.after(RECORD_EVERY_MS, resolve));
    const sent = due.then(async () => {
      this.recording = undefined;
      const all = [...windows];
      // Keys of one script lie on one node of a cluster.
      const isCluster = this.gate.client instanceof Cluster;
      await (isCluster ? Promise.all(all.map((one) => this.send([one]))) : this.send(all));
    });
    return { windows, sent };
  }

  private send(windows: readonly (readonly [string, Recorded])[]): Promise<unknown> {
    const keys = windows.map(([key]) => this.pools.windowKey(key));
    const args = windows.flatMap(([, { windowMs, entries }]) => [windowMs, entries]);
    return this.gate.script(scripts.RECORD, keys, args);
  }
}
