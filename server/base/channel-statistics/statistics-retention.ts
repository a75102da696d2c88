import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { clearInBatches } from '../../infra/schedule/clear-in-batches.js';
import type { JobRun } from '../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';
import { OptionsService } from '../options/options.service.js';
import { AttemptStatistics } from './attempt-statistics.js';

const PERIOD_MS = 3_600_000;
const DAY_SECONDS = 86_400;

/** Deletes sums of attempts that are older than StatisticsDays. */
@Injectable()
export class StatisticsRetention {
  constructor(
    private readonly statistics: AttemptStatistics,
    private readonly options: OptionsService,
    private readonly clock: Clock,
  ) {}

  /** @returns how many sums were deleted. Fails: with the database's error; the next run goes on. */
  @LeasedInterval('statistics-retention', PERIOD_MS)
  async run(run?: JobRun): Promise<number> {
    const days = this.options.values().StatisticsDays;
    const before = Math.floor(this.clock.nowMs() / 1_000) - days * DAY_SECONDS;
    return clearInBatches(this.clock, run, () => this.statistics.deletePortion(before));
  }
}
