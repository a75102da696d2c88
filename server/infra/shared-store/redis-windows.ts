import { randomUUID } from 'node:crypto';
import type { Clock } from '../../relay-core/ports/clock.js';
import type { RedisGate } from './redis-connection.js';
import type { RedisPools } from './redis-pools.js';
import * as scripts from './scripts/state-scripts.js';
import type { SharedWindows, WindowVerdict } from './shared-store.js';

/** What is only counted may be counted this much later, together with its neighbours: a trip less for most calls. */
const RECORD_EVERY_MS = 10;

/** Rate windows in Redis, on Redis's clock. */
export class RedisWindows implements SharedWindows {
  private readonly mark = randomUUID().slice(0, 8);
  private entries = 0;
  private readonly recording = new Map<
    string,
    { readonly entries: string[]; readonly sent: Promise<unknown> }
  >();

  constructor(
    private readonly gate: RedisGate,
    private readonly pools: RedisPools,
    private readonly clock: Clock,
  ) {}

  async admit(key: string, limit: number, windowMs: number): Promise<WindowVerdict> {
    const wait = await this.gate.script(
      scripts.ADMIT,
      [this.pools.windowKey(key)],
      [limit, windowMs, this.entry()],
    );
    return wait === 0 ? { admitted: true } : { admitted: false, retryAfterMs: Number(wait) };
  }

  async record(key: string, windowMs: number): Promise<void> {
    const entry = this.entry();
    const known = this.recording.get(key);
    if (known !== undefined) {
      known.entries.push(entry);
      await known.sent;
      return;
    }
    const entries = [entry];
    const sent = new Promise<void>((resolve) => this.clock.after(RECORD_EVERY_MS, resolve)).then(() => {
      this.recording.delete(key);
      return this.gate.script(scripts.RECORD, [this.pools.windowKey(key)], [windowMs, ...entries]);
    });
    this.recording.set(key, { entries, sent });
    await sent;
  }

  async count(key: string, windowMs: number): Promise<number> {
    return Number(await this.gate.script(scripts.COUNT, [this.pools.windowKey(key)], [windowMs]));
  }

  async reset(key: string): Promise<void> {
    await this.gate.run(() => this.gate.client.del(this.pools.windowKey(key)));
  }

  /** A name no other entry of any instance has. */
  private entry(): string {
    this.entries += 1;
    return `${this.mark}-${this.entries}`;
  }
}
