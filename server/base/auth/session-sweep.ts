import { Injectable, Logger } from '@nestjs/common';
import { clearInBatches } from '../../infra/schedule/clear-in-batches.js';
import type { JobRun } from '../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';
import { PendingVerifications } from '../../infra/pending-verifications/pending-verifications.js';
import { Clock } from '../../common/clock.js';
import { SessionsService } from './sessions.service.js';

const PERIOD_MS = 3_600_000;

/** Removes expired sessions and abandoned pending verifications once an hour, on one instance. */
@Injectable()
export class SessionSweep {
  private readonly logger = new Logger('Sessions');

  constructor(
    private readonly sessions: SessionsService,
    private readonly steps: PendingVerifications,
    private readonly clock: Clock,
  ) {}

  @LeasedInterval('session-sweep', PERIOD_MS)
  async run(run: JobRun): Promise<void> {
    await run.confirm();
    const removed = await this.sessions.removeExpired();
    await clearInBatches(this.clock, run, () => this.steps.removeExpired());
    if (removed > 0) this.logger.log(`removed ${removed} sessions that were over`);
  }
}
