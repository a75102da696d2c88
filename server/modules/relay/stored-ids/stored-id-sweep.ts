import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { JobRunner } from '../../../infra/schedule/job-runner.js';
import { StoredIdLedger } from './stored-id-ledger.js';

const PERIOD_MS = 3_600_000;

/** Forgets ids that were handed out long ago, once an hour, by one instance. */
@Injectable()
export class StoredIdSweep implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('StoredIds');
  private stop: () => void = () => undefined;

  constructor(
    private readonly jobs: JobRunner,
    private readonly ledger: StoredIdLedger,
  ) {}

  onApplicationBootstrap(): void {
    this.stop = this.jobs.every('stored-ids', PERIOD_MS, async (turn) => {
      await turn.confirm();
      const removed = await this.ledger.removeOver();
      if (removed > 0) this.logger.log(`forgot ${removed} ids of stored things`);
    });
  }

  onApplicationShutdown(): void {
    this.stop();
  }
}
