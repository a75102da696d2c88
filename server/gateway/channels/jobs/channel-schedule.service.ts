import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../../infra/schedule/leased-interval.js';
import { OptionsService } from '../../../base/options/options.service.js';
import { ChannelJobsService } from './channel-jobs.service.js';

const TURN = 'channel-test-turn';

/** Starts channel tests by the options: one worker per run. */
@Injectable()
export class ChannelSchedule {
  constructor(
    private readonly options: OptionsService,
    private readonly jobs: ChannelJobsService,
  ) {}

  @LeasedInterval(TURN, (schedule: ChannelSchedule) => schedule.periodMs())
  async run(run: Pick<JobRun, 'confirm'>): Promise<void> {
    await run.confirm();
    await this.startTests();
  }

  /** Null = scheduled tests are off. */
  periodMs(): number | null {
    const values = this.options.values();
    if (!values['monitor_setting.auto_test_channel_enabled']) return null;
    return values['monitor_setting.auto_test_channel_minutes'] * 60_000;
  }

  private async startTests(): Promise<void> {
    try {
      await this.jobs.testAll(this.options.values()['monitor_setting.channel_test_mode']);
    } catch (error) {
      // An administrator started them by hand, which does the same.
      if (!(error instanceof DomainError)) throw error;
    }
  }
}
