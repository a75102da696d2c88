import { Injectable } from '@nestjs/common';
import { Env } from '../../../config/env.js';
import { SharedStore } from '../../../infra/shared-store/shared-store.js';

const LEASE_MS = 900_000;

/** Which worker sounds an alarm: whoever gets a lease of the shared store, and without one the first worker of each instance. */
@Injectable()
export class AlarmTurns {
  constructor(
    private readonly shared: SharedStore,
    private readonly env: Env,
  ) {}

  /** Never fails. */
  async isOurs(alarm: string): Promise<boolean> {
    try {
      return (await this.shared.leases.acquire(`alarm:${alarm}`, LEASE_MS)) !== null;
    } catch {
      // Both stores are away: better told once by every instance than by nobody.
      return this.env.workerIndex === 0;
    }
  }
}
