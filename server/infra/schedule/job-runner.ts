import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../relay-core/ports/clock.js';
import { SharedStore } from '../shared-store/shared-store.js';

/** Runs recurring work on one instance at a time: whoever gets the lease. A turn without the store is skipped (2.7). */
@Injectable()
export class JobRunner {
  private readonly logger = new Logger('Jobs');

  constructor(
    private readonly store: SharedStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Does `work` every `periodMs`, first after one period. A failure is logged; the next turn comes all the same.
   * @returns a function that ends it
   */
  every(name: string, periodMs: number, work: () => Promise<void>): () => void {
    let isStopped = false;
    let cancel: () => void = () => undefined;
    const plan = (): void => {
      if (!isStopped)
        cancel = this.clock.after(periodMs, () => void this.runOnce(name, periodMs, work).finally(plan));
    };
    plan();
    return () => {
      isStopped = true;
      cancel();
    };
  }

  private async runOnce(name: string, periodMs: number, work: () => Promise<void>): Promise<void> {
    try {
      // Not released afterwards: the lease running out is what keeps the others from repeating the same turn.
      const lease = await this.store.leases.acquire(`job:${name}`, Math.floor(periodMs * 0.9));
      if (lease !== null) await work();
    } catch (error) {
      this.logger.warn(`job ${name} failed, the next turn tries again: ${String(error)}`);
    }
  }
}
