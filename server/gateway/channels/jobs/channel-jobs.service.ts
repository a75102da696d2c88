import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { BackgroundJobs, type JobProgress } from './background-jobs.js';
import { balanceReaderOf } from '../state/channel-types.js';
import { CHANNEL_STATUS } from '../state/channel.codes.js';
import { ChannelNotifications } from '../routing/channel-notifications.js';
import { ChannelsRepository } from '../state/channels.repository.js';
import { readRingInfo } from '../state/key-ring.js';
import { canBeTested } from '../probing/probe-call.js';
import { isCheap, isAutoDisabled } from './channel-job-rules.js';
import { ChannelJobSteps } from './channel-job-steps.js';

/** Jobs over all channels, in the background, one of a kind at a time. */
export const CHANNEL_JOBS = { test: 'channel-test', balance: 'channel-balance' } as const;
export type ChannelJob = keyof typeof CHANNEL_JOBS;

export type TestMode = 'scheduled_all' | 'passive_recovery';

@Injectable()
export class ChannelJobsService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly steps: ChannelJobSteps,
    private readonly jobs: BackgroundJobs,
    private readonly news: ChannelNotifications,
  ) {}

  /**
   * Tests every channel that is not disabled by hand; `passive_recovery` tests only auto-disabled ones, and never disables.
   * Channels whose test draws an image are tested when they are off only: the first image brings them back, and those that fail
   * cost nothing. Fails: channel_test_running.
   * @param mayCost  images may be drawn by channels that are on, and paid for
   */
  async testAll(mode: TestMode = 'scheduled_all', mayCost = false): Promise<void> {
    const mayDisable = mode === 'scheduled_all';
    const rows = await this.channels.byStatus([CHANNEL_STATUS.enabled, CHANNEL_STATUS.disabledAutomatically]);
    const steps = rows
      .filter(
        (row) => canBeTested(row.type) && (isAutoDisabled(row) || (mayDisable && (mayCost || isCheap(row)))),
      )
      .map((row) => (run: JobRun) => this.steps.test(row, run, { mayDisable, mayCost }));
    const tell = (total: number, failed: number): void => this.news.notifyTestRun(total, failed);
    if (!(await this.jobs.start(CHANNEL_JOBS.test, steps, tell)))
      throw new DomainError('channel_test_running');
  }

  /** Reads the balance of every enabled channel that has one. Fails: channel_job_running. */
  async refreshBalances(): Promise<void> {
    const rows = await this.channels.byStatus([CHANNEL_STATUS.enabled]);
    const steps = rows
      .filter((row) => balanceReaderOf(row.type) !== undefined && readRingInfo(row.channelInfo) === null)
      .map((row) => (run: JobRun) => this.steps.refreshBalance(row, run));
    if (!(await this.jobs.start(CHANNEL_JOBS.balance, steps))) throw new DomainError('channel_job_running');
  }

  async progressOf(job: ChannelJob): Promise<JobProgress> {
    return this.jobs.progressOf(CHANNEL_JOBS[job]);
  }
}
