import { Injectable } from '@nestjs/common';
import { OptionsService } from '../../../base/options/options.service.js';
import { CHANNEL_STATUS } from '../state/channel.codes.js';
import { ChannelFaults } from '../routing/channel-fault.js';
import { ChannelNotifications } from '../routing/channel-notifications.js';
import { ChannelSwitch } from '../state/channel-switch.js';
import type { ChannelRow } from '../state/channels.repository.js';
import type { ProbeResult } from '../probing/probe-call.js';

/** Switches channels and keys off and on by the result of a test or a balance, as far as the operator allows. */
@Injectable()
export class ChannelAutoSwitch {
  constructor(
    private readonly options: OptionsService,
    private readonly faults: ChannelFaults,
    private readonly switcher: ChannelSwitch,
    private readonly news: ChannelNotifications,
  ) {}

  /** Switches a channel off that failed for good or was too slow, and on again that answers. */
  async afterTest(channel: ChannelRow, result: ProbeResult, mayDisable = true): Promise<void> {
    const reason = this.reasonAgainst(result);
    const channelId = channel.id;
    if (channel.status === CHANNEL_STATUS.enabled) {
      if (reason === null || !mayDisable || !(await this.switcher.disable(channel.id, reason))) return;
      const content = `Channel ${channelId} was disabled automatically: ${reason}`;
      await this.news.tell({ channelId, change: 'off', content, reason });
      return;
    }
    if (!this.mayEnable(result, reason) || !(await this.switcher.enable(channel.id))) return;
    const content = `Channel ${channelId} works again and was enabled automatically`;
    await this.news.tell({ channelId, change: 'on', content });
  }

  /** The same for one key of a channel that has several. */
  async afterKeyTest(
    channel: ChannelRow,
    key: { readonly credential: string; readonly isOn: boolean },
    result: ProbeResult,
  ): Promise<void> {
    const reason = this.reasonAgainst(result);
    const channelId = channel.id;
    if (key.isOn) {
      if (reason === null) return;
      const outcome = await this.switcher.disableKey(channelId, { credential: key.credential, reason });
      const content = `A key of channel ${channelId} was disabled automatically: ${reason}`;
      if (outcome !== 'nothing')
        await this.news.tell({ channelId, change: outcome === 'channel' ? 'off' : 'key', content, reason });
      return;
    }
    if (!this.mayEnable(result, reason)) return;
    const outcome = await this.switcher.enableKey(channelId, key.credential);
    const content = `A key of channel ${channelId} works again and was enabled automatically`;
    if (outcome !== 'nothing')
      await this.news.tell({ channelId, change: outcome === 'channel' ? 'on' : 'key', content });
  }

  private mayEnable(result: ProbeResult, reason: string | null): boolean {
    return this.options.values().AutomaticEnableChannelEnabled && result.success && reason === null;
  }

  /** @param dollars  what is left */
  async afterBalance({ id: channelId }: ChannelRow, dollars: number): Promise<void> {
    if (!this.options.values().AutomaticDisableChannelEnabled || dollars > 0) return;
    const reason = `nothing is left at the provider: it says ${dollars.toFixed(2)} US dollars`;
    if (!(await this.switcher.disable(channelId, reason))) return;
    const content = `Channel ${channelId} was disabled automatically: ${reason}`;
    await this.news.tell({ channelId, change: 'off', content, reason });
  }

  /** Why a channel should be off; null = no reason, or none is looked for. */
  private reasonAgainst(result: ProbeResult): string | null {
    const { AutomaticDisableChannelEnabled: mayDisable, ChannelDisableThreshold: maxSeconds } =
      this.options.values();
    if (!mayDisable) return null;
    if (result.error !== undefined) return this.faults.of(result.error);
    const seconds = result.timeMs / 1000;
    if (!result.success || maxSeconds <= 0 || seconds <= maxSeconds) return null;
    return `the test took ${seconds.toFixed(2)} s, the limit is ${maxSeconds} s`;
  }
}
