import { Injectable, Logger } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { MemoryWindows } from '../../infra/shared-store/memory-windows.js';
import {
  SharedStore,
  type SharedWindows,
  type WindowVerdict,
} from '../../infra/shared-store/shared-store.js';
import { Clock } from '../../relay-core/ports/clock.js';

/** How often something may happen. */
export interface Rate {
  readonly limit: number;
  readonly windowMs: number;
}

/** Counts of the console API. All instances share them; while the store is away each instance counts alone (2.7). */
@Injectable()
export class Throttle {
  private readonly logger = new Logger('Throttle');
  private readonly local: SharedWindows;
  private isDegraded = false;

  constructor(
    private readonly store: SharedStore,
    clock: Clock,
  ) {
    this.local = new MemoryWindows(clock);
  }

  /** Fails: DomainError `too_many_requests` with the time to wait. */
  async admit(key: string, rate: Rate): Promise<void> {
    const verdict = await this.ask(key, rate);
    if (!verdict.admitted) throw new DomainError('too_many_requests', {}, verdict.retryAfterMs);
  }

  ask(key: string, { limit, windowMs }: Rate): Promise<WindowVerdict> {
    return this.on((windows) => windows.admit(key, limit, windowMs));
  }

  count(key: string, windowMs: number): Promise<number> {
    return this.on((windows) => windows.count(key, windowMs));
  }

  record(key: string, windowMs: number): Promise<void> {
    return this.on((windows) => windows.record(key, windowMs));
  }

  reset(key: string): Promise<void> {
    return this.on((windows) => windows.reset(key));
  }

  private async on<T>(operation: (windows: SharedWindows) => Promise<T>): Promise<T> {
    if (this.store.isAvailable) {
      try {
        const result = await operation(this.store.windows);
        this.isDegraded = false;
        return result;
      } catch (error) {
        if (!this.isDegraded) this.logger.warn(`rate limits count per instance for now: ${String(error)}`);
        this.isDegraded = true;
      }
    }
    return operation(this.local);
  }
}
