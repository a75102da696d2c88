import { Injectable } from '@nestjs/common';
import { Env } from '../../../config/env.js';
import { type Lease, SharedStore } from '../../../infra/shared-store/shared-store.js';

const LEASE_MS = 900_000;

/** Which worker sounds an alarm: whoever gets a lease of the shared store, and without one the first worker of each instance. */
@Injectable()
export class AlarmTurns {
  private readonly held = new Map<string, Lease>();

  constructor(
    private readonly shared: SharedStore,
    private readonly env: Env,
  ) {}

  /** Never fails. */
  async isOurs(alarm: string): Promise<boolean> {
    try {
      const lease = await this.shared.leases.acquire(`alarm:${alarm}`, LEASE_MS);
      if (lease !== null) this.held.set(alarm, lease);
      return lease !== null;
    } catch {
      // Both stores are away: better told once by every instance than by nobody.
      return this.env.workerIndex === 0;
    }
  }

  /** What was wrong is over: whoever finds it wrong again, however soon, tells of it. Never fails. */
  async end(alarm: string): Promise<void> {
    const lease = this.held.get(alarm);
    this.held.delete(alarm);
    // Where the store is away the lease ends by itself.
    await lease?.release().catch(() => undefined);
  }
}
