import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock.js';
import { CHANNEL_STATUS } from './channel.codes.js';
import { ChannelStore } from './channel-store.js';
import { ChannelsRepository } from './channels.repository.js';
import { readRingInfo, splitStoredKeys, writeRingInfo } from './key-ring.js';
import type { ProbePlan } from './probe-kinds.js';

const MAX_REASON_LENGTH = 512;

/** Result of an automatic switch. */
export type SwitchOutcome = 'nothing' | 'key' | 'channel';

/** Switches channels and single keys off and on without a person. Whether it may is decided by the caller (operator's switch, the channel's fault). */
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
   * @param test  what showed it, where it is not the channel's own test: the same test brings it back
   * @returns true when this call switched it off
   */
  async disable(channelId: number, reason: string, test?: ProbePlan): Promise<boolean> {
    return this.store.change(async (manager) => {
      const channel = await this.channels.lock(manager, channelId);
      if (channel === null || channel.status !== CHANNEL_STATUS.enabled || channel.autoBan !== 1)
        return false;
      await this.store.update(manager, channel, this.offColumns(reason, test));
      return true;
    });
  }

  /**
   * Switches one key of a channel off; the channel follows when its last key falls.
   * @param credential  identifies the key even when positions changed meanwhile
   */
  async disableKey(
    channelId: number,
    { credential, reason }: { readonly credential: string; readonly reason: string },
    test?: ProbePlan,
  ): Promise<SwitchOutcome> {
    return this.store.change(async (manager) => {
      const channel = await this.channels.lock(manager, channelId);
      if (channel === null || channel.autoBan !== 1) return 'nothing';
      const ring = readRingInfo(channel.channelInfo);
      const keys = splitStoredKeys((await this.store.readWithKey(manager, channelId))?.key ?? '');
      const index = keys.indexOf(credential);
      if (ring === null || index === -1 || ring.marks.has(index)) return 'nothing';
      const marks = new Map(ring.marks).set(index, {
        status: CHANNEL_STATUS.disabledAutomatically,
        reason: reason.slice(0, MAX_REASON_LENGTH),
        time: this.nowSeconds(),
        ...(test === undefined ? {} : { test }),
      });
      const isLast = keys.every((_key, at) => marks.has(at));
      const falls = isLast && channel.status === CHANNEL_STATUS.enabled;
      await this.store.update(manager, channel, {
        channelInfo: writeRingInfo({ ...ring, size: keys.length, marks }),
        ...(falls ? this.offColumns(`all keys are off; the last one: ${reason}`) : {}),
      });
      return falls ? 'channel' : 'key';
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

  /** A key that was switched off automatically works again; a channel that had lost all its keys comes back with it. */
  async enableKey(channelId: number, credential: string): Promise<SwitchOutcome> {
    return this.store.change(async (manager) => {
      const channel = await this.channels.lock(manager, channelId);
      const ring = readRingInfo(channel?.channelInfo ?? null);
      if (channel === null || ring === null) return 'nothing';
      const keys = splitStoredKeys((await this.store.readWithKey(manager, channelId))?.key ?? '');
      const index = keys.indexOf(credential);
      if (ring.marks.get(index)?.status !== CHANNEL_STATUS.disabledAutomatically) return 'nothing';
      const marks = new Map(ring.marks);
      marks.delete(index);
      const returns = channel.status === CHANNEL_STATUS.disabledAutomatically;
      await this.store.update(manager, channel, {
        channelInfo: writeRingInfo({ ...ring, marks }),
        ...(returns ? { status: CHANNEL_STATUS.enabled, otherInfo: '' } : {}),
      });
      return returns ? 'channel' : 'key';
    });
  }

  private offColumns(reason: string, test?: ProbePlan): { status: number; otherInfo: string } {
    return {
      status: CHANNEL_STATUS.disabledAutomatically,
      otherInfo: JSON.stringify({
        status_reason: reason.slice(0, MAX_REASON_LENGTH),
        status_time: this.nowSeconds(),
        ...(test === undefined ? {} : { status_test: test }),
      }),
    };
  }

  private nowSeconds(): number {
    return Math.floor(this.clock.nowMs() / 1000);
  }
}
