import { describe, expect, it } from '@jest/globals';
import {
  aChannel,
  anAbility,
  pickerOver,
  idOf,
} from '../../../../test/support/fixtures/channel-picker.fixture.js';
import { aCaller } from '../../../../test/support/memory-ports.js';

describe('CachedChannelPicker: channels whose circuit is open', () => {
  it('finds a channel that was not tried and whose circuit is closed', () => {
    const { picker, rest } = pickerOver([aChannel(1), aChannel(2)], [anAbility(1), anAbility(2)]);
    const ask = (...tried: readonly number[]) => picker.hasUntried({ caller: aCaller(), model: 'm', tried });
    expect([ask(), ask(1), ask(1, 2)]).toEqual([true, true, false]);
    expect(picker.hasUntried({ caller: aCaller({ pinnedChannelId: 1 }), model: 'm', tried: [] })).toBe(false);
    expect(rest.isQuiet).toBe(true);
  });

  it('prefers channels that are not resting, and takes a resting one when it must', () => {
    const { pick, rest, clock } = pickerOver(
      [aChannel(1), aChannel(2)],
      [anAbility(1, { priority: 9 }), anAbility(2)],
    );
    rest.openForRetryAfter({ channelId: 1, model: 'm' }, 10_000);
    expect(idOf(pick())).toBe(2);
    expect(idOf(pick({ tried: [2] }))).toBe(1);
    clock.now += 10_001;
    expect(idOf(pick())).toBe(1);
  });

  it('opens after half of 20 calls failed, lets one call try after 30 s, and closes on its success', () => {
    const { pick, rest, clock } = pickerOver(
      [aChannel(1), aChannel(2)],
      [anAbility(1, { priority: 9 }), anAbility(2)],
    );
    for (let call = 0; call < 19; call += 1) rest.recordFailure({ channelId: 1, model: 'm' });
    expect(idOf(pick())).toBe(1);
    rest.recordFailure({ channelId: 1, model: 'm' });
    expect(idOf(pick())).toBe(2);
    clock.now += 30_001;
    expect(idOf(pick())).toBe(1);
    expect(idOf(pick())).toBe(2);
    rest.recordFailure({ channelId: 1, model: 'm' });
    // The second rest in a row is twice as long.
    clock.now += 59_000;
    expect(idOf(pick())).toBe(2);
    clock.now += 2_000;
    expect(idOf(pick())).toBe(1);
    rest.recordSuccess({ channelId: 1, model: 'm' });
    expect([idOf(pick()), idOf(pick())]).toEqual([1, 1]);
  });

  it('half-open: a test call that never reports back makes room for the next after a minute', () => {
    const { pick, rest, clock } = pickerOver(
      [aChannel(1), aChannel(2)],
      [anAbility(1, { priority: 9 }), anAbility(2)],
    );
    rest.openNow({ channelId: 1, model: '' });
    clock.now += 30_001;
    expect([idOf(pick()), idOf(pick())]).toEqual([1, 2]);
    clock.now += 60_001;
    expect([idOf(pick()), idOf(pick())]).toEqual([1, 2]);
  });

  it('rests a channel for the model that failed, and altogether when its key or address did', () => {
    const { pick, rest } = pickerOver(
      [aChannel(1), aChannel(2)],
      [1, 2].flatMap((id) => ['m', 'n'].map((model) => anAbility(id, { model, priority: -id }))),
    );
    rest.openForRetryAfter({ channelId: 1, model: 'm' }, 10_000);
    expect([idOf(pick({ model: 'm' })), idOf(pick({ model: 'n' }))]).toEqual([2, 1]);
    rest.openNow({ channelId: 1, model: '' });
    expect([idOf(pick({ model: 'm' })), idOf(pick({ model: 'n' }))]).toEqual([2, 2]);
    rest.forget(1);
    expect([idOf(pick({ model: 'm' })), idOf(pick({ model: 'n' }))]).toEqual([1, 1]);
  });

  it('rests by the name the vendor knows: two names for one model rest together', () => {
    const { pick, rest } = pickerOver(
      [aChannel(1, { modelMapping: '{"alias":"m"}' }), aChannel(2)],
      [1, 2].flatMap((id) => ['m', 'alias'].map((model) => anAbility(id, { model, priority: -id }))),
    );
    rest.openForRetryAfter({ channelId: 1, model: 'm' }, 10_000);
    expect(idOf(pick({ model: 'alias' }))).toBe(2);
  });

  it.each([
    ['of one priority', 0],
    ['of two priorities', 1],
  ])('tries none of two channels %s a third time', (_, step) => {
    const { pick } = pickerOver([aChannel(1), aChannel(2)], [anAbility(1), anAbility(2, { priority: step })]);
    const tried: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) tried.push(Number(idOf(pick({ attempt, tried }))));
    expect(tried.toSorted()).toEqual([1, 1, 2, 2]);
    expect(idOf(pick({ attempt: 4, tried }))).toBe('channel-unavailable');
  });

  it('does not try the only channel a third time, and a second time only while it does not rest', () => {
    const { pick, rest } = pickerOver([aChannel(1)], [anAbility(1)]);
    expect(idOf(pick({ attempt: 1, tried: [1] }))).toBe(1);
    expect(idOf(pick({ attempt: 2, tried: [1, 1] }))).toBe('channel-unavailable');
    rest.openForRetryAfter({ channelId: 1, model: 'm' }, 10_000);
    expect(idOf(pick({ attempt: 1, tried: [1] }))).toBe('channel-unavailable');
    expect(idOf(pick())).toBe(1);
  });
});
