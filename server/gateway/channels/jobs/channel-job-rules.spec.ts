import { describe, expect, it } from '@jest/globals';
import { CHANNEL_STATUS } from '../state/channel.codes.js';
import { isCheap, isAutoDisabled } from './channel-job-rules.js';

const { enabled, disabledByHand, disabledAutomatically } = CHANNEL_STATUS;

const ringOf = (...statuses: number[]): string =>
  JSON.stringify({ is_multi_key: true, multi_key_status_list: { ...statuses } });

describe('isCheap', () => {
  it('leaves out a channel whose test draws an image', () => {
    const channel = { type: 1, testModel: '', models: 'gpt-4o-mini,dall-e-3' };
    expect(isCheap(channel)).toBe(true);
    expect(isCheap({ ...channel, testModel: 'dall-e-3' })).toBe(false);
  });
});

describe('isFallen', () => {
  it.each([
    ['a channel that was switched off automatically', disabledAutomatically, null, true],
    ['a channel with a key that was', enabled, ringOf(disabledByHand, disabledAutomatically), true],
    ['a channel whose keys were switched off by hand', enabled, ringOf(disabledByHand), false],
    ['a channel that was switched off by hand', disabledByHand, null, false],
    ['a channel that is on', enabled, null, false],
  ])('reports %s', (_, status, channelInfo, fallen) => {
    expect(isAutoDisabled({ status, channelInfo })).toBe(fallen);
  });
});
