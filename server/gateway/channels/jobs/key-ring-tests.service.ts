import { Injectable } from '@nestjs/common';
import { CHANNEL_STATUS } from '../state/channel.codes.js';
import { ChannelAutoSwitch } from './channel-auto-switch.js';
import { ChannelStore } from '../state/channel-store.js';
import { ChannelTestsService } from './channel-tests.service.js';
import type { ChannelRow } from '../state/channels.repository.js';
import { readRingInfo, splitStoredKeys } from '../state/key-ring.js';

/** Tests a channel with several keys: one key that is on, by chance, and every key that was switched off automatically. */
@Injectable()
export class KeyRingTestsService {
  constructor(
    private readonly store: ChannelStore,
    private readonly tests: ChannelTestsService,
    private readonly autoSwitch: ChannelAutoSwitch,
  ) {}

  /**
   * @param mayDisable  false = only bring keys back
   * @returns whether a key answered
   */
  async test(row: ChannelRow, mayDisable: boolean): Promise<boolean> {
    const stored = await this.store.open(row.id);
    const info = readRingInfo(row.channelInfo);
    if (stored === null || info === null) return false;
    const keys = splitStoredKeys(stored.key);
    const isOn = (index: number): boolean => !info.marks.has(index);
    const on = keys.map((_key, index) => index).filter(isOn);
    const chosen = mayDisable ? on[Math.floor(Math.random() * on.length)] : undefined;
    const fallen = [...info.marks].filter(([, mark]) => mark.status === CHANNEL_STATUS.disabledAutomatically);
    let works = false;
    for (const index of [...(chosen === undefined ? [] : [chosen]), ...fallen.map(([at]) => at)]) {
      const credential = keys[index];
      if (credential === undefined) continue;
      const result = isOn(index)
        ? await this.tests.test(row.id, { keyIndex: index })
        : await this.tests.testFallen(row.id, info.marks.get(index)?.test, index);
      works ||= result.success;
      await this.autoSwitch.afterKeyTest(row, { credential, isOn: isOn(index) }, result);
    }
    return works;
  }
}
