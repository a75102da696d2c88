import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { BackgroundJobs, type JobProgress } from './background-jobs.js';
import { BALANCE_READERS } from './balance-readers.js';
import { CHANNEL_STATUS } from './channel.codes.js';
import { ChannelBalanceService } from './channel-balance.service.js';
import { ChannelConsequences } from './channel-consequences.js';
import { ChannelTestsService } from './channel-tests.service.js';
import { ChannelsRepository } from './channels.repository.js';

/** Rounds over all channels, in the background, one of a kind at a time. */
export const ROUNDS = { test: 'channel-test', balance: 'channel-balance' } as const;
export type Round = keyof typeof ROUNDS;

@Injectable()
export class ChannelRoundsService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly tests: ChannelTestsService,
    private readonly balances: ChannelBalanceService,
    private readonly consequences: ChannelConsequences,
    private readonly jobs: BackgroundJobs,
  ) {}

  /** Tests every channel that a person has not switched off. Fails: channel_test_running. */
  async testAll(): Promise<void> {
    const rows = await this.channels.byStatus([CHANNEL_STATUS.enabled, CHANNEL_STATUS.disabledAutomatically]);
    const steps = rows.map((row) => async () => {
      const result = await this.tests.test(row.id, {});
      await this.consequences.afterTest(row, result);
      return result.success;
    });
    if (!(await this.jobs.start(ROUNDS.test, steps))) throw new DomainError('channel_test_running');
  }

  /** Reads the balance of every enabled channel that has one. Fails: channel_job_running. */
  async refreshBalances(): Promise<void> {
    const rows = await this.channels.byStatus([CHANNEL_STATUS.enabled]);
    const steps = rows
      .filter((row) => BALANCE_READERS.has(row.type))
      .map((row) => async () => {
        await this.consequences.afterBalance(row, await this.balances.refresh(row.id));
        return true;
      });
    if (!(await this.jobs.start(ROUNDS.balance, steps))) throw new DomainError('channel_job_running');
  }

  async progressOf(round: Round): Promise<JobProgress> {
    return this.jobs.progressOf(ROUNDS[round]);
  }
}
