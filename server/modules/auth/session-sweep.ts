import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { JobRunner } from '../../infra/schedule/job-runner.js';
import { PendingSteps } from '../../infra/steps/pending-steps.js';
import { SessionsService } from './sessions.service.js';

const PERIOD_MS = 3_600_000;

/** Removes sessions that are over, and steps nobody finished, once an hour, by one instance. */
@Injectable()
export class SessionSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Sessions');
  private stop: () => void = () => undefined;

  constructor(
    private readonly jobs: JobRunner,
    private readonly sessions: SessionsService,
    private readonly steps: PendingSteps,
  ) {}

  onApplicationBootstrap(): void {
    this.stop = this.jobs.every('session-sweep', PERIOD_MS, async (turn) => {
      await turn.confirm();
      const removed = await this.sessions.removeExpired();
      await this.steps.removeOver();
      if (removed > 0) this.logger.log(`removed ${removed} sessions that were over`);
    });
  }

  onApplicationShutdown(): void {
    this.stop();
  }
}
