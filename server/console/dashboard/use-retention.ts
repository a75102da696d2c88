import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { ReferenceTotals } from '../../base/billing/ledger/reference-totals.js';
import { TagTotals } from '../../base/billing/ledger/tag-totals.js';
import { OptionsService } from '../../base/options/options.service.js';
import { clearInBatches } from '../../infra/schedule/clear-in-batches.js';
import type { JobRun } from '../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../infra/schedule/leased-interval.js';

const PERIOD_MS = 3_600_000;
const DAY_SECONDS = 86_400;

/** Deletes sums by token, channel, tag and end user that are older than StatisticsDays. */
@Injectable()
export class UseRetention {
  constructor(
    private readonly totals: ReferenceTotals,
    private readonly tags: TagTotals,
    private readonly options: OptionsService,
    private readonly clock: Clock,
  ) {}

  /** @returns how many sums were deleted. Fails: with the database's error; the next run goes on. */
  @LeasedInterval('use-retention', PERIOD_MS)
  async run(run?: JobRun): Promise<number> {
    const days = this.options.values().StatisticsDays;
    const before = Math.floor(this.clock.nowMs() / 1_000) - days * DAY_SECONDS;
    const references = await clearInBatches(this.clock, run, () => this.totals.deletePortion(before));
    return references + (await clearInBatches(this.clock, run, () => this.tags.deletePortion(before)));
  }
}
