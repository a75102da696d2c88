import { Injectable, Logger } from '@nestjs/common';
import { clearInBatches } from '../../../infra/schedule/clear-in-batches.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../../infra/schedule/leased-interval.js';
import { Clock } from '../../../common/clock.js';
import { StoredIdLedger } from './stored-id-ledger.js';

const PERIOD_MS = 3_600_000;

/** Forgets ids that were handed out long ago, once an hour, by one instance. */
@Injectable()
export class StoredIdSweep {
  private readonly logger = new Logger('StoredIds');

  constructor(
    private readonly ledger: StoredIdLedger,
    private readonly clock: Clock,
  ) {}

  @LeasedInterval('stored-ids', PERIOD_MS)
  async run(run: JobRun): Promise<void> {
    const removed = await clearInBatches(this.clock, run, () => this.ledger.removeExpired());
    if (removed > 0) this.logger.log(`forgot ${removed} ids of stored things`);
  }
}
