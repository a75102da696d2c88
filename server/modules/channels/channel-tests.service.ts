import { Injectable } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import { Clock } from '../../relay-core/ports/clock.js';
import { OptionsService } from '../options/options.service.js';
import { BackgroundJobs } from './background-jobs.js';
import { CHANNEL_STATUS } from './channel.codes.js';
import { StoredChannelHealth } from './channel-health.service.js';
import { ChannelProbe } from './channel-probe.service.js';
import { ChannelSwitch } from './channel-switch.js';
import { type ChannelRow, ChannelsRepository } from './channels.repository.js';
import type { ProbeOptions, ProbeResult } from './probe-call.js';

/** Name of the job that tests all channels. */
export const TEST_JOB = 'channel-test';

/** Tests channels and draws the consequences the operator allowed. */
@Injectable()
export class ChannelTestsService {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly probe: ChannelProbe,
    private readonly health: StoredChannelHealth,
    private readonly switcher: ChannelSwitch,
    private readonly jobs: BackgroundJobs,
    private readonly options: OptionsService,
    private readonly clock: Clock,
  ) {}

  /** One small call to this channel; nobody pays for it. Fails: not_found. */
  async testOne(id: number, wishes: ProbeOptions): Promise<ProbeResult> {
    if ((await this.channels.find(id)) === null) throw new DomainError('not_found');
    const result = await this.probe.test(id, wishes);
    await this.record(id, result);
    return result;
  }

  /** Tests every channel that a person has not switched off, in the background. Fails: channel_test_running. */
  async testAll(): Promise<void> {
    const tested = [CHANNEL_STATUS.enabled, CHANNEL_STATUS.disabledAutomatically];
    const rows = await this.channels.byStatus(tested);
    const steps = rows.map((row) => () => this.testAndSwitch(row));
    if (!(await this.jobs.start(TEST_JOB, steps))) throw new DomainError('channel_test_running');
  }

  private async testAndSwitch(channel: ChannelRow): Promise<boolean> {
    const result = await this.probe.test(channel.id, {});
    await this.record(channel.id, result);
    const reason = this.reasonAgainst(result);
    if (channel.status === CHANNEL_STATUS.enabled) {
      if (reason !== null) await this.switcher.disable(channel.id, reason);
    } else if (result.success && reason === null && this.options.values().AutomaticEnableChannelEnabled) {
      await this.switcher.enable(channel.id);
    }
    return result.success;
  }

  /** Why a channel should be off, under the operator's options; null = no reason, or none is looked for. */
  private reasonAgainst(result: ProbeResult): string | null {
    const { AutomaticDisableChannelEnabled: mayDisable, ChannelDisableThreshold: maxSeconds } =
      this.options.values();
    if (!mayDisable) return null;
    if (result.error !== undefined) return this.health.evidenceOf(result.error);
    const seconds = result.timeMs / 1000;
    if (!result.success || maxSeconds <= 0 || seconds <= maxSeconds) return null;
    return `the test took ${seconds.toFixed(2)} s, the limit is ${maxSeconds} s`;
  }

  private async record(id: number, result: ProbeResult): Promise<void> {
    const testTime = Math.floor(this.clock.nowMs() / 1000);
    await this.channels.record(
      id,
      result.success ? { testTime, responseTime: Math.max(1, result.timeMs) } : { testTime },
    );
  }
}
