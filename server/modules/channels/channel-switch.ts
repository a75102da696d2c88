import { Injectable } from '@nestjs/common';
import { Clock } from '../../relay-core/ports/clock.js';
import { CHANNEL_STATUS } from './channel.codes.js';
import { ChannelStore } from './channel-store.js';
import { ChannelsRepository } from './channels.repository.js';

const MAX_REASON_LENGTH = 512;

/** Switches channels off and on without a person. Whether it may is decided by the caller (operator's switch, evidence). */
@Injectable()
export class ChannelSwitch {
  constructor(
    private readonly channels: ChannelsRepository,
    private readonly store: ChannelStore,
    private readonly clock: Clock,
  ) {}

  /**
   * Status 1 → 3 with reason and time. Channels whose owner forbade it (auto_ban 0) and channels that are off already stay.
   * @param reason  shown to administrators; no keys in it
   * @returns true when this call switched it off
   */
  async disable(channelId: number, reason: string): Promise<boolean> {
    const statusTime = Math.floor(this.clock.nowMs() / 1000);
    const otherInfo = JSON.stringify({
      status_reason: reason.slice(0, MAX_REASON_LENGTH),
      status_time: statusTime,
    });
    return this.store.change(async (manager) => {
      const channel = await this.channels.lock(manager, channelId);
      if (channel === null || channel.status !== CHANNEL_STATUS.enabled || channel.autoBan !== 1)
        return false;
      await this.store.update(manager, channel, { status: CHANNEL_STATUS.disabledAutomatically, otherInfo });
      return true;
    });
  }

  /** Status 3 → 1, the reason cleared. @returns true when this call switched it on */
  async enable(channelId: number): Promise<boolean> {
    return this.store.change(async (manager) => {
      const channel = await this.channels.lock(manager, channelId);
      if (channel === null || channel.status !== CHANNEL_STATUS.disabledAutomatically) return false;
      await this.store.update(manager, channel, { status: CHANNEL_STATUS.enabled, otherInfo: '' });
      return true;
    });
  }
}
