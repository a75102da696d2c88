import { describe, expect, it } from '@jest/globals';
import {
  aChannel,
  anAbility,
  idOf,
  pickerOver,
} from '../../../../test/support/fixtures/channel-picker.fixture.js';
import { aCaller } from '../../../../test/support/memory-ports.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';

const ANTHROPIC = 14;
const isNative = ({ channelType }: Route) => channelType === ANTHROPIC;

/** Channels 1 and 2 have another API, 3 and 4 the caller's; all have one priority. */
const fourChannels = (abilities: Readonly<Record<number, { priority?: number; weight?: number }>> = {}) =>
  pickerOver(
    [
      aChannel(1),
      aChannel(2),
      aChannel(3, { type: ANTHROPIC, baseUrl: 'https://a.example' }),
      aChannel(4, { type: ANTHROPIC, baseUrl: 'https://b.example' }),
    ],
    [1, 2, 3, 4].map((id) => anAbility(id, abilities[id] ?? {})),
  );

/** Count of choices by channel. */
function share(pick: () => ReturnType<ReturnType<typeof pickerOver>['pick']>, times = 2_000) {
  const counts: Record<number | string, number> = {};
  for (let turn = 0; turn < times; turn += 1) {
    const id = idOf(pick());
    counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}

describe('CachedChannelPicker: native channels first', () => {
  it('chooses among the native channels of a priority by weight', () => {
    const { pick } = fourChannels({ 1: { weight: 990 }, 3: { weight: 90 }, 4: { weight: 0 } });
    const counts = share(() => pick({ isNative }));
    expect(Object.keys(counts)).toEqual(['3', '4']);
    const part = (counts[3] ?? 0) / 2_000;
    expect(part).toBeGreaterThan(0.85);
    expect(part).toBeLessThan(0.96);
  });

  it('chooses by weight alone without the option, and where no channel is native', () => {
    const { pick } = fourChannels();
    expect(Object.keys(share(() => pick(), 500))).toEqual(['1', '2', '3', '4']);
    const none = () => pick({ isNative: () => false });
    expect(Object.keys(share(none, 500))).toEqual(['1', '2', '3', '4']);
  });

  it('keeps to priority: a native channel below waits for a retry', () => {
    const { pick } = fourChannels({ 1: { priority: 5 } });
    expect(idOf(pick({ isNative }))).toBe(1);
    const retried = share(() => pick({ isNative, attempt: 1, tried: [1] }), 100);
    expect(Object.keys(retried)).toEqual(['3', '4']);
  });

  it('takes another channel of the priority when the native ones rest, and a native one that was not tried first', () => {
    const { pick, rest } = fourChannels();
    expect(idOf(pick({ isNative, attempt: 1, tried: [3] }))).toBe(4);
    rest.openForRetryAfter({ channelId: 3, model: 'm' }, 10_000);
    expect(Object.keys(share(() => pick({ isNative }), 100))).toEqual(['4']);
    rest.openForRetryAfter({ channelId: 4, model: 'm' }, 10_000);
    expect(Object.keys(share(() => pick({ isNative }), 200))).toEqual(['1', '2']);
  });

  it('prefers the channel of a conversation, of a pinned key and of a stored object to a native one', () => {
    const { pick } = fourChannels();
    expect(idOf(pick({ isNative, boundChannelId: 1 }))).toBe(1);
    expect(idOf(pick({ isNative, caller: aCaller({ pinnedChannelId: 2 }) }))).toBe(2);
    const requiredAccount = { channelId: 2, isAt: ({ channelId }: { channelId: number }) => channelId === 2 };
    expect(idOf(pick({ isNative, requiredAccount }))).toBe(2);
  });
});
