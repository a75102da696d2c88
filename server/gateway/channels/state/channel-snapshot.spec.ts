import { describe, expect, it } from '@jest/globals';
import { aChannel, anAbility } from '../../../../test/support/fixtures/channel-picker.fixture.js';
import { channelRow } from '../../../../test/support/stored-rows.js';
import { buildSnapshot, openedChannel, ringOf, routeOf, type Tier } from './channel-snapshot.js';

const idsOf = (tiers: readonly Tier[]): number[][] =>
  tiers.map((tier) => tier.map(({ route }) => route.channelId));

describe('buildSnapshot', () => {
  it('orders tiers by priority, negative ones last, and keeps channels of one priority together', () => {
    const channels = [1, 2, 3, 4].map((id) => aChannel(id));
    const priorities: Readonly<Record<number, number>> = { 1: -5, 2: 10, 3: 0, 4: 10 };
    const snapshot = buildSnapshot(
      channels,
      channels.map(({ id }) => anAbility(id, { priority: priorities[id] ?? 0 })),
    );
    expect(idsOf(snapshot.tiersOf('default', 'm'))).toEqual([[2, 4], [3], [1]]);
  });

  it('leaves out abilities of channels that are not among the rows', () => {
    const snapshot = buildSnapshot([aChannel(1)], [anAbility(2), anAbility(3, { model: 'n' })]);
    expect(snapshot.tiersOf('default', 'm')).toEqual([]);
    expect(snapshot.modelsOf('default')).toEqual([]);
    expect(snapshot.channel(2)).toBeUndefined();
  });

  it('finds no group and no model by names of object members', () => {
    const snapshot = buildSnapshot([aChannel(1)], [anAbility(1)]);
    for (const word of ['constructor', '__proto__', 'toString', '']) {
      expect(snapshot.tiersOf(word, 'm')).toEqual([]);
      expect(snapshot.tiersOf('default', word)).toEqual([]);
      expect(snapshot.modelsOf(word)).toEqual([]);
      expect(snapshot.isPaused(word, word)).toBe(false);
    }
    const named = buildSnapshot([aChannel(1)], [anAbility(1, { group: '__proto__', model: 'constructor' })]);
    expect(idsOf(named.tiersOf('__proto__', 'constructor'))).toEqual([[1]]);
  });
});

describe('ChannelSnapshot', () => {
  it('serves a personal name from its family under the requested name, the exact name first', () => {
    const mapped = aChannel(1, { modelMapping: '{"gpt-4-gizmo-x":"gpt-4"}' });
    const snapshot = buildSnapshot(
      [mapped, aChannel(2)],
      [anAbility(1, { model: 'gpt-4-gizmo-*', weight: 3 }), anAbility(2, { model: 'gpt-4-gizmo-y' })],
    );
    const [tier] = snapshot.tiersOf('default', 'gpt-4-gizmo-x');
    expect(tier?.[0]).toMatchObject({ weight: 3, route: { upstreamModel: 'gpt-4', isModelMapped: true } });
    const [other] = snapshot.tiersOf('default', 'gpt-4-gizmo-z');
    expect(other?.[0]?.route).toMatchObject({ upstreamModel: 'gpt-4-gizmo-z', isModelMapped: false });
    expect(idsOf(snapshot.tiersOf('default', 'gpt-4-gizmo-y'))).toEqual([[2]]);
    expect(snapshot.tiersOf('default', 'gpt-4-gizmo-')).toEqual([]);
  });

  it('distinguishes paused models from unknown ones, families among them', () => {
    const snapshot = buildSnapshot(
      [],
      [],
      [
        { group: 'default', model: 'm' },
        { group: 'default', model: 'm' },
        { group: 'default', model: 'gpt-4-gizmo-*' },
      ],
    );
    const asked = ['m', 'gpt-4-gizmo-x', 'gpt-4', 'constructor'];
    expect(asked.map((model) => snapshot.isPaused('default', model))).toEqual([true, true, false, false]);
    expect(snapshot.isPaused('vip', 'm')).toBe(false);
  });

  it('routes a prompt to channels that take its length, and drops tiers without a channel left', () => {
    const snapshot = buildSnapshot(
      [aChannel(1, { maxInputTokens: 100 }), aChannel(2, { maxInputTokens: 0 }), aChannel(3)],
      [anAbility(1, { priority: 9 }), anAbility(2), anAbility(3)],
    );
    const tiers = snapshot.tiersOf('default', 'm');
    expect(idsOf(snapshot.tiersFor(100, tiers))).toEqual([[1], [2, 3]]);
    expect(idsOf(snapshot.tiersFor(101, tiers))).toEqual([[2, 3]]);
    expect([1, 2, 3, 4].map((id) => snapshot.inputLimitOf(id))).toEqual([100, Infinity, Infinity, Infinity]);
  });

  it('lists models in the order of their names, each once', () => {
    const snapshot = buildSnapshot(
      [aChannel(1), aChannel(2)],
      [
        anAbility(1, { model: 'b' }),
        anAbility(2, { model: 'b' }),
        anAbility(1, { model: '模' }),
        anAbility(1, { model: 'a' }),
      ],
    );
    expect(snapshot.modelsOf('default')).toEqual(['a', 'b', '模']);
  });

  it('calls a channel renewed that came, or has another key, key ring or address', () => {
    const ring = (...credentials: string[]) => ({
      mode: 'polling' as const,
      keys: credentials.map((credential, index) => ({ index, credential })),
    });
    const before = [
      aChannel(1),
      aChannel(2),
      aChannel(3),
      aChannel(4, { ring: ring('a', 'b') }),
      aChannel(5),
    ];
    const after = [
      aChannel(1, { name: 'other', autoBan: 0 }),
      aChannel(2, { credential: 'other' }),
      aChannel(3, { baseUrl: 'https://other.example' }),
      aChannel(4, { ring: ring('a') }),
      aChannel(6),
    ];
    expect(buildSnapshot(after, []).renewedSince(buildSnapshot(before, []))).toEqual([2, 3, 4, 6]);
    expect(buildSnapshot(before, []).renewedSince(buildSnapshot(before, []))).toEqual([]);
  });
});

describe('routeOf', () => {
  it.each([
    ['nothing', '', 'm', 'm'],
    ['blanks', ' \n', 'm', 'm'],
    ['an empty object', '{}', 'm', 'm'],
    ['a list', '["m"]', 'm', 'm'],
    ['another name', '{"m":"n"}', 'm', 'n'],
    ['a chain of names', '{"m":"n","n":"o"}', 'm', 'o'],
    ['the name itself', '{"m":"m"}', 'm', 'm'],
    ['a circle', '{"m":"n","n":"m"}', 'm', 'm'],
    ['a circle beside the name', '{"m":"n","n":"o","o":"n"}', 'm', 'n'],
    ['an empty name', '{"m":""}', 'm', 'm'],
    ['a number', '{"m":4}', 'm', 'm'],
    ['a word of objects nobody mapped', '{"m":"n"}', 'constructor', 'constructor'],
    ['a word of objects', '{"__proto__":"n"}', '__proto__', 'n'],
    ['a name onto a word of objects', '{"m":"toString"}', 'm', 'toString'],
  ])('maps a model by %s', (_what, modelMapping, model, upstreamModel) => {
    expect(routeOf(aChannel(1, { modelMapping }), model)).toMatchObject({
      upstreamModel,
      isModelMapped: upstreamModel !== model,
    });
  });

  it('has nothing where the columns are empty', () => {
    expect(routeOf(aChannel(1), 'm')).toMatchObject({
      paramOverride: undefined,
      headerOverride: undefined,
      statusMapping: undefined,
      settings: { proxy: undefined, passThrough: undefined },
    });
    const emptied = {
      paramOverride: '{}',
      headerOverride: '{"x":1}',
      statusCodeMapping: '{}',
      setting: '[]',
    };
    expect(routeOf(aChannel(1, emptied), 'm')).toMatchObject({
      paramOverride: undefined,
      headerOverride: undefined,
      statusMapping: undefined,
    });
  });

  it('takes settings only of their own type', () => {
    const setting = JSON.stringify({
      proxy: '',
      system_prompt: 7,
      force_format: 'true',
      thinking_to_content: true,
    });
    expect(routeOf(aChannel(1, { setting, settings: '{"a":1}' }), 'm').settings).toEqual({
      proxy: undefined,
      passThrough: undefined,
      systemPrompt: undefined,
      systemPromptOverride: undefined,
      forceFormat: undefined,
      thinkingToContent: true,
      vendor: { a: 1 },
    });
  });

  it('reads statuses as numbers', () => {
    const { statusMapping } = routeOf(aChannel(1, { statusCodeMapping: '{"429":"503","400":500}' }), 'm');
    expect([...(statusMapping ?? [])]).toEqual([
      [400, 500],
      [429, 503],
    ]);
  });

  it.each(['modelMapping', 'statusCodeMapping', 'paramOverride', 'headerOverride', 'setting', 'settings'])(
    'fails for a column %s that does not parse: the channel is left out',
    (column) => {
      expect(() => routeOf(aChannel(1, { [column]: '{"a":' }), 'm')).toThrow(SyntaxError);
    },
  );
});

describe('openedChannel', () => {
  it('keeps the routing columns, and of the key only the given part', () => {
    const ring = { mode: 'random' as const, keys: [] };
    const row = channelRow({ key: 'sealed' });
    const opened = openedChannel(row, '', ring);
    expect(opened).toMatchObject({ id: 1, credential: '', ring });
    expect(opened).not.toHaveProperty('key');
  });

  it('reads columns that may be absent as empty', () => {
    const row = channelRow({ autoBan: 0, headerOverride: null, settings: null });
    const route = routeOf(openedChannel(row, 'key'), 'm');
    expect(route).toMatchObject({
      credential: 'key',
      headerOverride: undefined,
      settings: {},
      autoBan: false,
    });
  });
});

describe('ringOf', () => {
  it('has none for a channel with one key', () => {
    for (const info of [null, '', '{}', '{"is_multi_key":false}', '[]', 'null'])
      expect(ringOf(info, 'a\nb')).toBeUndefined();
  });

  it('leaves out keys that are off, by their place among all', () => {
    const info = JSON.stringify({
      is_multi_key: true,
      multi_key_size: 3,
      multi_key_status_list: { 1: 2, 7: 3 },
    });
    expect(ringOf(info, 'a\nb\nc')).toEqual({
      mode: 'random',
      keys: [
        { index: 0, credential: 'a' },
        { index: 2, credential: 'c' },
      ],
    });
  });
});
