import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { BackgroundJobs, type JobProgress } from './background-jobs.js';
import { BALANCE_READERS } from './balance-readers.js';
import { CHANNEL_STATUS } from '../state/channel.codes.js';
import { ChannelBalanceService } from './channel-balance.service.js';
import { ChannelConsequences } from './channel-consequences.js';
import { ChannelNotifications } from '../routing/channel-notifications.js';
import { planFor } from '../probing/channel-probe.service.js';
import { ChannelTestsService } from './channel-tests.service.js';
import { type ChannelRow, ChannelsRepository } from '../state/channels.repository.js';
import { readRingInfo } from '../state/key-ring.js';
import { canBeTested } from '../probing/probe-call.js';
import { costsMoney } from '../probing/probe-model.js';
import { RingTestsService } from './ring-tests.service.js';
import { testOfFall } from '../state/status-reason.js';

/** Rounds over all channels, in the background, one of a kind at a time. */
export const ROUNDS = { test: 'channel-test', balance: 'channel-balance' } as const;
export type Round = keyof typeof ROUNDS;

export type TestMode = 'scheduled_all' | 'passive_recovery';

@Injectable()
export class ChannelRoundsService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly tests: ChannelTestsService,
    private readonly rings: RingTestsService,
    private readonly balances: ChannelBalanceService,
    private readonly consequences: ChannelConsequences,
    private readonly jobs: BackgroundJobs,
    private readonly news: ChannelNotifications,
  ) {}

  /**
   * Tests every channel that a person has not switched off; `passive_recovery` only what was switched off automatically,
   * and it never disables. Channels whose test draws a picture are tested when they are off only: the first picture brings them
   * back, and those that fail cost nothing. Fails: channel_test_running.
   * @param mayCost  pictures may be drawn by channels that are on, and paid for
   */
  async testAll(mode: TestMode = 'scheduled_all', mayCost = false): Promise<void> {
    const mayDisable = mode === 'scheduled_all';
    const rows = await this.channels.byStatus([CHANNEL_STATUS.enabled, CHANNEL_STATUS.disabledAutomatically]);
    const steps = rows
      .filter((row) => canBeTested(row.type) && (isFallen(row) || (mayDisable && (mayCost || isCheap(row)))))
      .map((row) => async (run: JobRun) => {
        if (readRingInfo(row.channelInfo) !== null)
          return this.rings.test(row, mayDisable && (mayCost || isCheap(row)));
        const result = isFallen(row)
          ? await this.tests.testFallen(row.id, testOfFall(row.otherInfo))
          : await this.tests.test(row.id, {});
        await run.confirm();
        await this.consequences.afterTest(row, result, mayDisable);
        return result.success;
      });
    const tell = (total: number, failed: number): void => this.news.tellOfRound(total, failed);
    if (!(await this.jobs.start(ROUNDS.test, steps, tell))) throw new DomainError('channel_test_running');
  }

  /** Reads the balance of every enabled channel that has one. Fails: channel_job_running. */
  async refreshBalances(): Promise<void> {
    const rows = await this.channels.byStatus([CHANNEL_STATUS.enabled]);
    const steps = rows
      .filter((row) => BALANCE_READERS.has(row.type) && readRingInfo(row.channelInfo) === null)
      .map((row) => async (run: JobRun) => {
        const balance = await this.balances.refresh(row.id);
        await run.confirm();
        await this.consequences.afterBalance(row, balance);
        return true;
      });
    if (!(await this.jobs.start(ROUNDS.balance, steps))) throw new DomainError('channel_job_running');
  }

  async progressOf(round: Round): Promise<JobProgress> {
    return this.jobs.progressOf(ROUNDS[round]);
  }
}

function isCheap(row: ChannelRow): boolean {
  const { model, endpoint } = planFor(row);
  return !costsMoney(model, endpoint);
}

/** Off itself, or with keys that are. */
function isFallen(row: ChannelRow): boolean {
  if (row.status === CHANNEL_STATUS.disabledAutomatically) return true;
  const marks = readRingInfo(row.channelInfo)?.marks.values() ?? [];
  return [...marks].some((mark) => mark.status === CHANNEL_STATUS.disabledAutomatically);
}
