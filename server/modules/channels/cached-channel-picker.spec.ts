import { describe, expect, it } from '@jest/globals';
import type { Caller } from '../../relay-core/model/call.js';
import type { Clock } from '../../relay-core/ports/clock.js';
import { CachedChannelPicker } from './cached-channel-picker.js';
import { ChannelRest } from './channel-rest.js';
import { buildSnapshot, type ChannelRow, type EnabledAbility } from './channel-snapshot.js';
import type { ChannelSnapshotStore } from './channel-snapshot.store.js';

const aChannel = (id: number, fields: Partial<ChannelRow> = {}): ChannelRow => ({
  id,
  type: 1,
  name: `channel ${id}`,
  status: 1,
  baseUrl: '',
  credential: `key-${id}`,
  organization: '',
  other: '',
  modelMapping: '',
  statusCodeMapping: '',
  paramOverride: '',
  setting: '',
  autoBan: true,
  ...fields,
});

const anAbility = (channelId: number, fields: Partial<EnabledAbility> = {}): EnabledAbility => ({
  group: 'default',
  model: 'm',
  channelId,
  priority: 0,
  weight: 0,
  ...fields,
});

const aCaller = (fields: Partial<Caller> = {}): Caller => ({
  userId: 1,
  username: 'ann',
  role: 1,
  tokenId: 1,
  tokenName: 't',
  tokenLimited: false,
  group: 'default',
  modelLimits: null,
  acceptsUnsetPrice: false,
  pinnedChannelId: null,
  ...fields,
});

class SteppedClock implements Clock {
  now = 1_000;
  nowMs = (): number => this.now;
  monotonicMs = (): number => this.now;
  after = (): (() => void) => () => undefined;
}

function pickerOver(channels: readonly ChannelRow[], abilities: readonly EnabledAbility[]) {
  const clock = new SteppedClock();
  const rest = new ChannelRest(clock);
  const snapshot = buildSnapshot(channels, abilities);
  const picker = new CachedChannelPicker({ current: () => snapshot } as ChannelSnapshotStore, rest);
  const pick = (fields: Partial<Parameters<typeof picker.pick>[0]> = {}) =>
    picker.pick({ caller: aCaller(), model: 'm', attempt: 0, tried: new Set<number>(), ...fields });
  return { picker, pick, rest, clock };
}

const idOf = (result: ReturnType<CachedChannelPicker['pick']>): number | string =>
  result.ok ? result.value.channelId : result.error.kind;

describe('CachedChannelPicker', () => {
  it('names group and model when nobody serves them', () => {
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

  it('leaves out abilities whose channel is not there', () => {
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
    expect(idOf(pick({ attempt: 1, tried: new Set([2]) }))).toBe(1);
    expect(idOf(pick({ attempt: 1, tried: new Set([1, 2]) }))).toBe(2);
  });

  it('prefers channels that are not resting, and takes a resting one when it must', () => {
    const { pick, rest, clock } = pickerOver(
      [aChannel(1), aChannel(2)],
      [anAbility(1, { priority: 9 }), anAbility(2)],
    );
    rest.coolDown(1, 'm', 10_000);
    expect(idOf(pick())).toBe(2);
    expect(idOf(pick({ tried: new Set([2]) }))).toBe(1);
    clock.now += 10_001;
    expect(idOf(pick())).toBe(1);
  });

  it('opens after half of 20 calls failed, lets one call try after 30 s, and closes on its success', () => {
    const { pick, rest, clock } = pickerOver(
      [aChannel(1), aChannel(2)],
      [anAbility(1, { priority: 9 }), anAbility(2)],
    );
    for (let call = 0; call < 19; call += 1) rest.recordFailure(1, 'm');
    expect(idOf(pick())).toBe(1);
    rest.recordFailure(1, 'm');
    expect(idOf(pick())).toBe(2);
    clock.now += 30_001;
    expect(idOf(pick())).toBe(1);
    expect(idOf(pick())).toBe(2);
    rest.recordFailure(1, 'm');
    clock.now += 29_000;
    expect(idOf(pick())).toBe(2);
    clock.now += 2_000;
    expect(idOf(pick())).toBe(1);
    rest.recordSuccess(1, 'm');
    expect([idOf(pick()), idOf(pick())]).toEqual([1, 1]);
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

  it('TOK-04 pins a call to its channel, which must serve the group and the model, once', () => {
    const { pick } = pickerOver([aChannel(1), aChannel(2)], [anAbility(1), anAbility(2, { group: 'vip' })]);
    const pinned = (pinnedChannelId: number, tried: number[] = []) =>
      idOf(pick({ caller: aCaller({ role: 10, pinnedChannelId }), tried: new Set(tried) }));
    expect(pinned(1)).toBe(1);
    expect(pinned(2)).toBe('forbidden');
    expect(pinned(3)).toBe('forbidden');
    expect(pinned(1, [1])).toBe('channel-unavailable');
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
