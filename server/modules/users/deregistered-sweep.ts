import { Injectable, Logger } from '@nestjs/common';
import { clearInBatches } from '../../infra/schedule/clear-in-batches.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';
import type { JobRun } from '../../infra/schedule/job-run.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { DeregisteredAccounts } from '../accounts/deregistered-accounts.service.js';

const HOUR_MS = 3_600_000;
/** How long somebody may change their mind, with the operator's help. */
const KEPT_MS = 30 * 24 * HOUR_MS;
const BATCH = 200;

/** Clears what is personal in accounts that were deregistered 30 days ago, by one instance. */
@Injectable()
export class DeregisteredSweep {
  private readonly logger = new Logger('Accounts');

  constructor(
    private readonly accounts: DeregisteredAccounts,
    private readonly clock: Clock,
  ) {}

  @LeasedInterval('deregistered-sweep', HOUR_MS)
  async sweep(run?: JobRun): Promise<void> {
    const beforeMs = this.clock.nowMs() - KEPT_MS;
    const cleared = await clearInBatches(this.clock, run, () => this.accounts.clear(beforeMs, BATCH));
    if (cleared > 0) this.logger.log(`cleared the personal fields of ${cleared} deregistered accounts`);
  }
}
