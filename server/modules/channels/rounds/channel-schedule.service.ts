import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { LeasedInterval } from '../../../infra/schedule/leased-interval.js';
import { OptionsService } from '../../options/options.service.js';
import { ChannelRoundsService } from './channel-rounds.service.js';

const TURN = 'channel-test-turn';

/** Starts rounds of channel tests as the options say: one worker per run. */
@Injectable()
export class ChannelSchedule {
  constructor(
    private readonly options: OptionsService,
    private readonly rounds: ChannelRoundsService,
  ) {}

  @LeasedInterval(TURN, (schedule: ChannelSchedule) => schedule.periodMs())
  async run(run: Pick<JobRun, 'confirm'>): Promise<void> {
    await run.confirm();
    await this.startRound();
  }

  /** Null = rounds are off. */
  periodMs(): number | null {
    const values = this.options.values();
    if (!values['monitor_setting.auto_test_channel_enabled']) return null;
    return values['monitor_setting.auto_test_channel_minutes'] * 60_000;
  }

  private async startRound(): Promise<void> {
    try {
      await this.rounds.testAll(this.options.values()['monitor_setting.channel_test_mode']);
    } catch (error) {
      // Somebody started a round by hand: it does the same.
      if (!(error instanceof DomainError)) throw error;
    }
  }
}
