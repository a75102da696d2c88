import { Injectable } from '@nestjs/common';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import type { ChannelRow } from '../state/channels.repository.js';
import { readRingInfo } from '../state/key-ring.js';
import { testOfAutoDisable } from '../state/status-reason.js';
import { ChannelBalanceService } from './channel-balance.service.js';
import { ChannelAutoSwitch } from './channel-auto-switch.js';
import { ChannelTestsService } from './channel-tests.service.js';
import { KeyRingTestsService } from './key-ring-tests.service.js';
import { isCheap, isAutoDisabled } from './channel-job-rules.js';

/** One step of a job: tests or refreshes one channel, and switches it while the run is still this worker's. */
@Injectable()
export class ChannelJobSteps {
  constructor(
    private readonly tests: ChannelTestsService,
    private readonly keyRings: KeyRingTestsService,
    private readonly balances: ChannelBalanceService,
    private readonly autoSwitch: ChannelAutoSwitch,
  ) {}

  /**
   * @param mayDisable  false = only bring channels and keys back
   * @param mayCost  images may be drawn, and paid for
   * @returns whether the channel answered
   */
  async test(
    row: ChannelRow,
    run: JobRun,
    { mayDisable, mayCost }: { readonly mayDisable: boolean; readonly mayCost: boolean },
  ): Promise<boolean> {
    if (readRingInfo(row.channelInfo) !== null)
      return this.keyRings.test(row, mayDisable && (mayCost || isCheap(row)));
    const result = isAutoDisabled(row)
      ? await this.tests.testFallen(row.id, testOfAutoDisable(row.otherInfo))
      : await this.tests.test(row.id, {});
    await run.confirm();
    await this.autoSwitch.afterTest(row, result, mayDisable);
    return result.success;
  }

  /** @returns true. Fails: with the errors of `ChannelBalanceService.refresh`. */
  async refreshBalance(row: ChannelRow, run: JobRun): Promise<boolean> {
    const balance = await this.balances.refresh(row.id);
    await run.confirm();
    await this.autoSwitch.afterBalance(row, balance);
    return true;
  }
}
