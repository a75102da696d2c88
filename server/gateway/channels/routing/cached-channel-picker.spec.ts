import { describe, expect, it } from '@jest/globals';
import { CachedChannelPicker } from './cached-channel-picker.js';
import { ChannelCircuitBreaker } from '../state/channel-circuit-breaker.js';
import { buildSnapshot } from '../state/channel-snapshot.js';
import type { ChannelSnapshotStore } from '../state/channel-snapshot.store.js';
import {
  aChannel,
  anAbility,
  SteppedClock,
  pickerOver,
  idOf,
} from '../../../../test/support/fixtures/channel-picker.fixture.js';
import { aCaller } from '../../../../test/support/memory-ports.js';

describe('CachedChannelPicker', () => {
  it('routes no prompt to a channel with a shorter limit, and rejects one that is too long for every channel', () => {
    const { pick } = pickerOver(
      [aChannel(1, { maxInputTokens: 1_000 }), aChannel(2, { maxInputTokens: 8_000 })],
      [anAbility(1, { priority: 9 }), anAbility(2)],
    );
    expect(idOf(pick({ promptTokens: 1_000 }))).toBe(1);
    expect(idOf(pick({ promptTokens: 1_001 }))).toBe(2);
    expect(idOf(pick({ promptTokens: 1_001, boundChannelId: 1 }))).toBe(2);
    expect(idOf(pick({}))).toBe(1);
    expect(pick({ promptTokens: 8_001 })).toMatchObject({
      ok: false,
      error: { kind: 'invalid-request', blame: 'caller', message: expect.stringContaining('at most 8000') },
    });
    const { pick: pickAny } = pickerOver(
      [aChannel(1), aChannel(2, { maxInputTokens: 1 })],
      [anAbility(1), anAbility(2)],
    );
    expect(idOf(pickAny({ promptTokens: 9_000_000 }))).toBe(1);
  });

  it('a call keeps the channels it began with, but for those that are off by now', () => {
    const abilities = [anAbility(1, { priority: 9 }), anAbility(2)];
    let snapshot = buildSnapshot([aChannel(1), aChannel(2)], abilities);
    const rest = new ChannelCircuitBreaker(new SteppedClock());
    const picker = new CachedChannelPicker({ current: () => snapshot } as ChannelSnapshotStore, rest);
    const view = picker.view();
    const pick = (fields: Partial<Parameters<typeof picker.pick>[0]>) =>
      idOf(picker.pick({ caller: aCaller(), model: 'm', attempt: 0, tried: [], ...fields }));

    snapshot = buildSnapshot([aChannel(1), aChannel(2)], [anAbility(2, { priority: 9 }), anAbility(1)]);
    expect([pick({ view }), pick({})]).toEqual([1, 2]);

    snapshot = buildSnapshot([aChannel(2)], [anAbility(2)]);
    expect(pick({ view })).toBe(2);
    expect(pick({ view, caller: aCaller({ pinnedChannelId: 1 }) })).toBe('forbidden');

    snapshot = buildSnapshot([], []);
    expect(pick({ view })).toBe('channel-unavailable');
  });

  it('names group and model when no channel serves them', () => {
    const { pick } = pickerOver([aChannel(1)], [anAbility(1)]);
    for (const fields of [
      { model: 'other' },
      { caller: aCaller({ group: 'vip' }) },
      { model: 'constructor' },
    ]) {
      const result = pick(fields);
      expect(result).toMatchObject({ ok: false, error: { kind: 'channel-unavailable' } });
    }
    expect(pick({ model: 'other' })).toMatchObject({
      error: { message: 'No available channel for model other under group default.' },
    });
  });

  it('distinguishes an unknown model from one whose channels are switched off for a while', () => {
    const snapshot = buildSnapshot([aChannel(1)], [anAbility(1)], [{ group: 'default', model: 'away' }]);
    const picker = new CachedChannelPicker(
      { current: () => snapshot } as ChannelSnapshotStore,
      new ChannelCircuitBreaker(new SteppedClock()),
    );
    const ask = (model: string) => picker.pick({ caller: aCaller(), model, attempt: 0, tried: [] });
    expect(ask('unknown')).toMatchObject({ error: { isUnserved: true } });
    expect(ask('away').ok).toBe(false);
    expect(ask('away')).not.toHaveProperty('error.isUnserved');
  });

  it('leaves out abilities of missing channels', () => {
    expect(idOf(pickerOver([], [anAbility(1)]).pick())).toBe('channel-unavailable');
  });

  it('walks down the priorities with the attempts and stays at the last', () => {
    const { pick } = pickerOver(
      [aChannel(1), aChannel(2), aChannel(3)],
      [anAbility(1, { priority: 9 }), anAbility(2, { priority: 5 }), anAbility(3, { priority: -1 })],
    );
    expect([0, 1, 2, 3, 9].map((attempt) => idOf(pick({ attempt })))).toEqual([1, 2, 3, 3, 3]);
  });

  it('does not draw a tried channel again unless nothing else is left', () => {
    const { pick } = pickerOver([aChannel(1), aChannel(2)], [anAbility(1, { priority: 9 }), anAbility(2)]);
    expect(idOf(pick({ attempt: 1, tried: [2] }))).toBe(1);
    expect(idOf(pick({ attempt: 1, tried: [1, 2] }))).toBe(2);
  });

  it('takes the channel a conversation is bound to first, unless it rests or does not serve the call', () => {
    const { pick, rest } = pickerOver(
      [aChannel(1), aChannel(2), aChannel(3)],
      [anAbility(1, { priority: 9 }), anAbility(2), anAbility(3, { model: 'other' })],
    );
    expect(idOf(pick({ boundChannelId: 2 }))).toBe(2);
    expect(idOf(pick({ boundChannelId: 3 }))).toBe(1);
    expect(idOf(pick({ boundChannelId: 2, attempt: 1, tried: [2] }))).toBe(1);
    rest.openNow({ channelId: 2, model: '' });
    expect(idOf(pick({ boundChannelId: 2 }))).toBe(1);
  });

  it('spreads calls of one priority by weight + 10', () => {
    const { pick } = pickerOver(
      [aChannel(1), aChannel(2), aChannel(3)],
      [anAbility(1, { weight: 0 }), anAbility(2, { weight: 20 }), anAbility(3, { weight: 50 })],
    );
    const drawn = new Map<number | string, number>();
    const calls = 20_000;
    for (let call = 0; call < calls; call += 1) {
      const id = idOf(pick());
      drawn.set(id, (drawn.get(id) ?? 0) + 1);
    }
    // 10, 30 and 60 of 100; six standard deviations are under 2.1 points here.
    for (const [id, share] of [
      [1, 0.1],
      [2, 0.3],
      [3, 0.6],
    ] as const)
      expect(Math.abs((drawn.get(id) ?? 0) / calls - share)).toBeLessThan(0.021);
  });

  it('looks a family up when the exact name is not listed, and sends the exact name', () => {
    const { pick } = pickerOver(
      [aChannel(1), aChannel(2)],
      [anAbility(1, { model: 'gpt-4-gizmo-*' }), anAbility(2, { model: 'gpt-4-gizmo-special' })],
    );
    expect(pick({ model: 'gpt-4-gizmo-abc' })).toMatchObject({
      value: { channelId: 1, upstreamModel: 'gpt-4-gizmo-abc' },
    });
    expect(idOf(pick({ model: 'gpt-4-gizmo-special' }))).toBe(2);
  });

  it('follows the model mapping to its end and survives names of the prototype', () => {
    const mapping = JSON.stringify({ m: 'n', n: 'o', loop: 'pool', pool: 'loop', same: 'same' });
    const models = ['m', 'same', 'loop', 'valueOf'];
    const { pick } = pickerOver(
      [aChannel(1, { modelMapping: mapping })],
      models.map((model) => anAbility(1, { model })),
    );
    expect(pick({ model: 'm' })).toMatchObject({ value: { upstreamModel: 'o', isModelMapped: true } });
    expect(pick({ model: 'same' })).toMatchObject({ value: { upstreamModel: 'same', isModelMapped: false } });
    expect(pick({ model: 'loop' })).toMatchObject({ value: { upstreamModel: 'loop' } });
    expect(pick({ model: 'valueOf' })).toMatchObject({
      value: { upstreamModel: 'valueOf', isModelMapped: false },
    });
  });

  it('reads the JSON columns of a channel', () => {
    const { pick } = pickerOver(
      [
        aChannel(1, {
          statusCodeMapping: '{"429":"503","500":502}',
          paramOverride: '{"temperature":0}',
          setting:
            '{"proxy":"http://p:1","pass_through_body_enabled":true,"system_prompt":"s","force_format":false}',
        }),
      ],
      [anAbility(1)],
    );
    const result = pick();
    if (!result.ok) throw new Error(result.error.message);
    expect([...(result.value.statusMapping ?? [])]).toEqual([
      [429, 503],
      [500, 502],
    ]);
    expect(result.value.paramOverride).toEqual({ temperature: 0 });
    expect(result.value.settings).toMatchObject({
      proxy: 'http://p:1',
      passThrough: true,
      systemPrompt: 's',
    });
    expect(result.value.settings.forceFormat).toBeUndefined();
  });

  it('pins a call to its channel, which must serve the group and the model, once [TOK-04]', () => {
    const { pick } = pickerOver([aChannel(1), aChannel(2)], [anAbility(1), anAbility(2, { group: 'vip' })]);
    const pinned = (pinnedChannelId: number, tried: number[] = []) =>
      idOf(pick({ caller: aCaller({ pinnedChannelId }), tried }));
    expect(pinned(1)).toBe(1);
    expect(pinned(2)).toBe('forbidden');
    expect(pinned(3)).toBe('forbidden');
    expect(pinned(1, [1])).toBe('channel-unavailable');
  });

  describe('with several keys in a channel', () => {
    const ring = (mode: 'polling' | 'random', ...indexes: number[]) => ({
      credential: '',
      ring: { mode, keys: indexes.map((index) => ({ index, credential: `k${index}` })) },
    });
    const keyOf = (result: ReturnType<CachedChannelPicker['pick']>) =>
      result.ok
        ? `${result.value.channelId}:${result.value.credential}#${result.value.keyIndex}`
        : result.error.kind;

    it('takes them in turn, those that are off left out', () => {
      const { pick } = pickerOver([aChannel(1, ring('polling', 0, 2, 3))], [anAbility(1)]);
      const taken = Array.from({ length: 5 }, () => keyOf(pick()));
      expect(taken).toEqual(['1:k0#0', '1:k2#2', '1:k3#3', '1:k0#0', '1:k2#2']);
    });

    it('takes them by chance, each its share', () => {
      const { pick } = pickerOver([aChannel(1, ring('random', 0, 1))], [anAbility(1)]);
      const taken = Array.from({ length: 4_000 }, () => keyOf(pick()));
      const share = taken.filter((key) => key === '1:k0#0').length / taken.length;
      expect(Math.abs(share - 0.5)).toBeLessThan(0.05);
    });

    it('a dead key does not kill the channel: the others serve while it rests, and it comes back', () => {
      const { pick, rest, clock } = pickerOver([aChannel(1, ring('polling', 0, 1))], [anAbility(1)]);
      rest.openNow({ channelId: 1, keyIndex: 0, model: '' });
      expect([keyOf(pick()), keyOf(pick())]).toEqual(['1:k1#1', '1:k1#1']);
      clock.now += 30_001;
      expect([keyOf(pick()), keyOf(pick()), keyOf(pick())]).toEqual(['1:k0#0', '1:k1#1', '1:k1#1']);
      rest.recordSuccess({ channelId: 1, keyIndex: 0, model: 'm' });
      expect([keyOf(pick()), keyOf(pick())]).toEqual(['1:k0#0', '1:k1#1']);
    });

    it('a retry takes the next key of the only channel, once per key', () => {
      const { pick, rest } = pickerOver([aChannel(1, ring('polling', 0, 1, 2))], [anAbility(1)]);
      const tried: number[] = [];
      const taken: string[] = [];
      for (let attempt = 0; attempt < 5; attempt += 1) {
        const result = pick({ attempt, tried });
        taken.push(keyOf(result));
        if (!result.ok) continue;
        tried.push(result.value.channelId);
        rest.openNow({ channelId: 1, keyIndex: result.value.keyIndex, model: '' });
      }
      expect(taken).toEqual(['1:k0#0', '1:k1#1', '1:k2#2', 'channel-unavailable', 'channel-unavailable']);
    });

    it('prefers another channel to one whose keys all rest', () => {
      const { pick, rest } = pickerOver(
        [aChannel(1, ring('random', 0, 1)), aChannel(2)],
        [anAbility(1, { priority: 9 }), anAbility(2)],
      );
      for (const keyIndex of [0, 1]) rest.openForRetryAfter({ channelId: 1, keyIndex, model: 'm' }, 5_000);
      expect(idOf(pick())).toBe(2);
    });
  });

  it('lists the models of a group, sorted', () => {
    const { picker } = pickerOver(
      [aChannel(1)],
      [anAbility(1, { model: 'b' }), anAbility(1, { model: 'a' })],
    );
    expect(picker.modelsOf('default')).toEqual(['a', 'b']);
    expect(picker.modelsOf('vip')).toEqual([]);
  });
});
