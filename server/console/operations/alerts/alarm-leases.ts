import { Injectable } from '@nestjs/common';
import { Env } from '../../../config/env.js';
import { type Lease, SharedStore } from '../../../infra/shared-store/shared-store.js';

const LEASE_MS = 900_000;

/** Which worker sends an alarm: the one that gets its lease; while no lease can be had, the first worker of each instance. */
@Injectable()
export class AlarmLeases {
  private readonly held = new Map<string, Lease>();

  constructor(
    private readonly shared: SharedStore,
    private readonly env: Env,
  ) {}

  /** Never fails. */
  async acquire(alarm: string): Promise<boolean> {
    try {
      const lease = await this.shared.leases.acquire(`alarm:${alarm}`, LEASE_MS);
      if (lease !== null) this.held.set(alarm, lease);
      return lease !== null;
    } catch {
      // Neither store can be reached: once by every instance is better than not at all.
      return this.env.workerIndex === 0;
    }
  }

  /** The alert is resolved: a worker that finds it firing again, however soon, sends it. Never fails. */
  async release(alarm: string): Promise<void> {
    const lease = this.held.get(alarm);
    this.held.delete(alarm);
    // While the store is away the lease ends by itself.
    await lease?.release().catch(() => undefined);
  }
}
