import { describe, expect, it } from '@jest/globals';
import { aChannel, anAbility } from '../../../../test/support/fixtures/channel-picker.fixture.js';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import { buildSnapshot } from '../state/channel-snapshot.js';
import { type ClientApi, type LoggedCalls, nativeMoves } from './native-moves.js';

const OPENAI = 1;
const ANTHROPIC = 14;
const isNative = ({ channelType }: Route, api: ClientApi) =>
  channelType === (api === 'messages' ? ANTHROPIC : OPENAI);

const calls = (changes: Partial<LoggedCalls>): LoggedCalls => ({
  group: 'default',
  api: 'messages',
  model: 'm',
  channelId: 1,
  count: 1,
  ...changes,
});

const anthropic = (id: number) => aChannel(id, { type: ANTHROPIC });

describe('nativeMoves', () => {
  it('gives calls of a translating channel to the native one beside it, as a share of all calls of the API', () => {
    const snapshot = buildSnapshot([aChannel(1), anthropic(7)], [anAbility(1), anAbility(7)]);
    const logged = [
      calls({ count: 42 }),
      calls({ channelId: 7, count: 58 }),
      calls({ api: 'chat', count: 900 }),
    ];
    expect(nativeMoves(logged, snapshot, isNative)).toEqual([
      { group: 'default', api: 'messages', channelId: 7, calls: 42, of: 100 },
    ]);
  });

  it('divides calls among several native channels by weight + 10', () => {
    const snapshot = buildSnapshot(
      [aChannel(1), anthropic(7), anthropic(8)],
      [anAbility(1), anAbility(7, { weight: 20 }), anAbility(8, { weight: 0 })],
    );
    const moves = nativeMoves([calls({ count: 100 })], snapshot, isNative);
    expect(moves.map(({ channelId, calls: count }) => [channelId, count])).toEqual([
      [7, 75],
      [8, 25],
    ]);
  });

  it('moves nothing to another priority, to another group, or from a channel that is gone', () => {
    const snapshot = buildSnapshot(
      [aChannel(1), anthropic(7), anthropic(8)],
      [anAbility(1, { priority: 5 }), anAbility(7), anAbility(8, { group: 'vip', priority: 5 })],
    );
    const logged = [calls({ count: 10 }), calls({ channelId: 99, count: 10 }), calls({ model: 'x' })];
    expect(nativeMoves(logged, snapshot, isNative)).toEqual([]);
  });

  it('adds the calls of several models, and leaves out what is less than half a call', () => {
    const models = ['m', 'n'];
    const snapshot = buildSnapshot(
      [aChannel(1), anthropic(7), anthropic(8)],
      models.flatMap((model) => [
        anAbility(1, { model }),
        anAbility(7, { model, weight: 990 }),
        anAbility(8, { model }),
      ]),
    );
    const moves = nativeMoves(
      models.map((model) => calls({ model, count: 5 })),
      snapshot,
      isNative,
    );
    expect(moves).toEqual([{ group: 'default', api: 'messages', channelId: 7, calls: 10, of: 10 }]);
  });
});
