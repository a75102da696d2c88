import { describe, expect, it } from '@jest/globals';
import { momentOf } from '../../../common/moment.js';
import type { RequiredAccount, PickInput } from '../../../relay-core/ports/channel-picker.js';
import { aChannel } from '../../../../test/support/fixtures/channel-picker.fixture.js';
import { aCaller } from '../../../../test/support/memory-ports.js';
import { CachedChannelPicker } from './cached-channel-picker.js';
import { ChannelCircuitBreaker } from '../state/channel-circuit-breaker.js';
import { buildSnapshot, type OpenedChannel } from '../state/channel-snapshot.js';
import type { ChannelSnapshotStore } from '../state/channel-snapshot.store.js';

const aRing = (id: number, mode: 'random' | 'polling', ...keys: string[]): OpenedChannel =>
  aChannel(id, {
    credential: '',
    ring: { mode, keys: keys.map((credential, index) => ({ index, credential })) },
  });

/** Place of a channel with one key, or of one key of several. */
const placeOf = (channelId: number, credential: string): RequiredAccount => ({
  channelId,
  isAt: (account) =>
    account.credential === credential || (account.channelId === channelId && account.keyIndex === undefined),
});

function pickerOver(channels: readonly OpenedChannel[]) {
  const rest = new ChannelCircuitBreaker({
    nowMs: () => momentOf(1),
    monotonicMs: () => 1,
    after: () => () => undefined,
  });
  const abilities = channels.map(({ id }) => ({
    group: 'default',
    model: 'm',
    channelId: id,
    weight: 1,
    priority: -id,
  }));
  const snapshot = buildSnapshot(channels, abilities);
  const picker = new CachedChannelPicker({ current: () => snapshot } as ChannelSnapshotStore, rest);
  const pick = (fields: Partial<PickInput>): string => {
    const base = { caller: aCaller(), model: 'm', attempt: 0, tried: [] };
    const chosen = picker.pick({ ...base, ...fields });
    return chosen.ok ? `${chosen.value.channelId} ${chosen.value.credential}` : chosen.error.kind;
  };
  return { picker, pick, rest };
}

describe('a call that names what is kept with one account', () => {
  it.each(['random', 'polling'] as const)('picks that key of several, %s, and no other', (mode) => {
    const { pick, rest } = pickerOver([aChannel(1), aRing(2, mode, 'a', 'b', 'c')]);
    const requiredAccount = placeOf(2, 'b');
    for (let turn = 0; turn < 20; turn += 1) expect(pick({ requiredAccount })).toBe('2 b');
    expect(pick({ requiredAccount, attempt: 1, tried: [2] })).toBe('2 b');
    expect(pick({ requiredAccount, attempt: 2, tried: [2] })).toBe('channel-unavailable');
    rest.openForRetryAfter({ channelId: 2, keyIndex: 1, model: 'm' }, 5_000);
    expect(pick({ requiredAccount })).toBe('2 b');
    expect(pick({ requiredAccount, attempt: 1, tried: [2] })).toBe('channel-unavailable');
  });

  it('picks that channel also for a caller who names it', () => {
    const { pick } = pickerOver([aRing(2, 'random', 'a', 'b', 'c')]);
    for (let turn = 0; turn < 20; turn += 1)
      expect(pick({ requiredAccount: placeOf(2, 'b'), caller: aCaller({ pinnedChannelId: 2 }) })).toBe('2 b');
  });

  it('picks a channel whose key was exchanged, and another one that has the key', () => {
    const { pick } = pickerOver([aChannel(1), aChannel(2), aRing(3, 'random', 'x', 'old')]);
    expect(pick({ requiredAccount: placeOf(2, 'gone') })).toBe('2 key-2');
    expect(pick({ requiredAccount: placeOf(9, 'old') })).toBe('3 old');
  });

  it('picks as usual when no channel has the account, and reports whether it is on', () => {
    const { picker, pick } = pickerOver([aChannel(1), aRing(2, 'random', 'a', 'b')]);
    for (const gone of [placeOf(9, 'z'), placeOf(2, 'z')]) {
      expect(pick({ requiredAccount: gone })).toBe('1 key-1');
      expect(picker.isOn(gone)).toBe(false);
    }
    for (const there of [placeOf(1, 'z'), placeOf(2, 'a')]) expect(picker.isOn(there)).toBe(true);
  });
});
