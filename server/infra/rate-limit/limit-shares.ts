import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { LiveWorkers } from '../peers/live-workers.js';
import { MemoryWindows } from '../shared-store/memory-windows.js';
import type { HoldRequest, WindowVerdict } from '../shared-store/shared-store.js';

type LimitWindow = HoldRequest['windows'][number];

export interface FullWindow {
  /** Which of the windows has no room. */
  readonly index: number;
  readonly retryAfterMs: number;
}

/** A worker that has no others beside it. */
export const ALONE: Pick<LiveWorkers, 'count' | 'shareOf'> = { count: 1, shareOf: (limit) => limit };

/**
 * Limits while the shared store is away: each worker admits its share of them, so that all together admit no more than the limit. What
 * the shared store admits is noted here too: the share is not a new one at the moment the store goes.
 */
@Injectable()
export class LimitShares {
  private readonly windows: MemoryWindows;

  constructor(
    clock: Clock,
    @Inject(LiveWorkers) private readonly peers: Pick<LiveWorkers, 'count' | 'shareOf'>,
  ) {
    this.windows = new MemoryWindows(clock);
  }

  /** Takes a place in every window that counts. @returns null when all have room; else nothing is taken */
  admit(windows: readonly LimitWindow[]): FullWindow | null {
    for (const [index, { key, limit, windowMs }] of windows.entries()) {
      const verdict = this.windows.look(key, this.peers.shareOf(limit, key), windowMs);
      if (!verdict.admitted) return { index, retryAfterMs: verdict.retryAfterMs };
    }
    this.note(windows);
    return null;
  }

  /** Share of this worker in an amount that all workers share. */
  shareOf(amount: number, key: string): number {
    return this.peers.shareOf(amount, key);
  }

  /** The shared store admitted a call on this worker. */
  note(windows: readonly LimitWindow[]): void {
    for (const { key, windowMs, mode } of windows) if (mode === 'count') this.windows.add(key, windowMs);
  }

  record(key: string, windowMs: number): void {
    this.windows.add(key, windowMs);
  }

  /** Count of this worker, as if every worker had counted as much. */
  async count(key: string, windowMs: number): Promise<number> {
    return (await this.windows.count(key, windowMs)) * this.peers.count;
  }

  reset(key: string): Promise<void> {
    return this.windows.reset(key);
  }

  /** One window by itself. */
  ask(key: string, limit: number, windowMs: number): WindowVerdict {
    const full = this.admit([{ key, limit, windowMs, mode: 'count' }]);
    return full === null ? { admitted: true } : { admitted: false, retryAfterMs: full.retryAfterMs };
  }
}
