import { Injectable, Logger } from '@nestjs/common';
import { clearInBatches } from '../../infra/schedule/clear-in-batches.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';
import type { JobRun } from '../../infra/schedule/job-run.js';
import { Clock } from '../../common/clock.js';
import { OptionsService } from '../options/options.service.js';
import { LOG_TYPE } from './log.codes.js';
import { LogsRepository } from './logs.repository.js';

const PERIOD_MS = 3_600_000;
const DAY_SECONDS = 86_400;

/**
 * Lets calls and failures leave the log after LogRetentionDays, in portions, one instance at a time. Top-ups, administration and
 * system lines stay, and settlements are another table: charges remain provable.
 */
@Injectable()
export class LogRetention {
  private readonly logger = new Logger('LogRetention');

  constructor(
    private readonly logs: LogsRepository,
    private readonly options: OptionsService,
    private readonly clock: Clock,
  ) {}

  /** @returns how many lines left the log. Fails: with the database's error; the next run goes on. */
  @LeasedInterval('log-retention', PERIOD_MS)
  async turn(run?: JobRun): Promise<number> {
    const { LogRetentionDays: days } = this.options.values();
    if (days === 0) return 0;
    const before = Math.floor(this.clock.nowMs() / 1000) - days * DAY_SECONDS;
    const types = [LOG_TYPE.consumption, LOG_TYPE.error];
    const deleted = await clearInBatches(this.clock, run, () => this.logs.deletePortion(types, before));
    if (deleted > 0) this.logger.log(`${deleted} lines older than ${days} days left the log`);
    return deleted;
  }
}
