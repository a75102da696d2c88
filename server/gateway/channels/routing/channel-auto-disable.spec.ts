import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { aRoute } from '../../../../test/support/memory-ports.js';
import type { RelayError } from '../../../relay-core/model/relay-error.js';
import type { ChannelRequest } from '../../../relay-core/ports/channel-health.js';
import type { ChannelProbe } from '../probing/channel-probe.service.js';
import type { ChannelSwitch, SwitchOutcome } from '../state/channel-switch.js';
import type { ProbePlan } from '../state/probe-kinds.js';
import type { ChannelFaults } from './channel-fault.js';
import type { ChannelNotifications } from './channel-notifications.js';
import { ChannelAutoDisable } from './channel-auto-disable.js';

const refused: RelayError = { kind: 'upstream-key-refused', blame: 'upstream', message: 'refused' };
const otherwise: RelayError = { kind: 'upstream-timeout', blame: 'upstream', message: 'slow' };
const chat = { model: 'gpt-test', endpoint: 'chat' } as const;

interface Situation {
  /** Plan of the channel's own test; null = the channel is gone. */
  readonly own?: ProbePlan | null;
  /** Error of each test; undefined = it succeeds. */
  readonly meets?: readonly (RelayError | undefined)[];
  readonly outcome?: SwitchOutcome;
}

function autoDisable({ own = chat, meets = [refused, refused], outcome = 'key' }: Situation = {}) {
  const clock = new FakeClock();
  const tests: unknown[] = [];
  const done: unknown[] = [];
  const service = new ChannelAutoDisable(
    { of: (error: RelayError) => (error === refused ? 'key refused' : null) } as unknown as ChannelFaults,
    {
      planOf: async () => own,
      test: async (_id: number, plan: unknown) => {
        const error = meets[tests.length];
        tests.push(plan);
        return { success: error === undefined, error };
      },
    } as unknown as ChannelProbe,
    {
      disable: async (...off: unknown[]) => done.push(['off', ...off]),
      disableKey: async (...off: unknown[]) => {
        done.push(['key off', ...off]);
        return outcome;
      },
    } as unknown as ChannelSwitch,
    {
      tell: async ({ change }: { change: string }) => void done.push(`told ${change}`),
    } as unknown as ChannelNotifications,
    clock,
  );
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const confirmAndDisable = async (
    request: ChannelRequest = { kind: 'chat', model: 'gpt-test', startedAtMs: 0 },
    route = aRoute(),
    error = refused,
  ) => {
    service.confirmAndDisable(route, error, request);
    await settle();
  };
  return { service, clock, tests, done, confirmAndDisable, settle };
}

describe('ChannelAutoDisable', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

  it('switches a channel off once its own test has met the same', async () => {
    const { tests, done, confirmAndDisable } = autoDisable();
    await confirmAndDisable();
    expect(tests).toEqual([chat]);
    expect(done).toEqual([['off', 1, 'key refused', undefined], 'told off']);
  });

  it('switches off the key that was refused, and reports the last one', async () => {
    const route = aRoute({ keyIndex: 1, credential: 'second' });
    const one = autoDisable();
    await one.confirmAndDisable(undefined, route);
    expect(one.tests).toEqual([{ ...chat, keyIndex: 1 }]);
    expect(one.done).toEqual([
      ['key off', 1, { credential: 'second', reason: 'key refused' }, undefined],
      'told key',
    ]);
    const last = autoDisable({ outcome: 'channel' });
    await last.confirmAndDisable(undefined, route);
    expect(last.done.at(-1)).toBe('told off');
    const none = autoDisable({ outcome: 'nothing' });
    await none.confirmAndDisable(undefined, route);
    expect(none.done).toHaveLength(1);
  });

  it.each<[string, Situation]>([
    ['its own test succeeds', { meets: [undefined] }],
    ['no test meets the same', { meets: [otherwise, otherwise] }],
    ['it is gone', { own: null }],
  ])('leaves a channel on when %s', async (_, situation) => {
    const { done, confirmAndDisable } = autoDisable(situation);
    await confirmAndDisable({ kind: 'embed', model: 'vectors', startedAtMs: 0 });
    expect(done).toEqual([]);
  });

  it('tests nothing for a failure that is not the channel’s fault', async () => {
    const { tests, confirmAndDisable } = autoDisable();
    await confirmAndDisable(undefined, undefined, otherwise);
    expect(tests).toEqual([]);
  });

  it('repeats the call’s kind of request when the own test fails for another reason, and keeps that for the way back', async () => {
    const { tests, done, confirmAndDisable } = autoDisable({ meets: [otherwise, refused] });
    await confirmAndDisable({ kind: 'embed', model: 'vectors', startedAtMs: 0 });
    const ofCall = { model: 'vectors', endpoint: 'embeddings' };
    expect(tests).toEqual([chat, ofCall]);
    expect(done[0]).toEqual(['off', 1, 'key refused', ofCall]);
  });

  it('repeats no test, and no request that cannot be repeated', async () => {
    for (const request of [
      { kind: 'chat', model: 'gpt-test', startedAtMs: 0 },
      { kind: 'submit', model: 'mj', startedAtMs: 0 },
    ] as const) {
      const { tests, confirmAndDisable } = autoDisable({ meets: [otherwise, refused] });
      await confirmAndDisable(request);
      expect(tests).toEqual([chat]);
    }
  });

  it('draws an image every ten minutes at most', async () => {
    const { clock, tests, confirmAndDisable } = autoDisable({
      own: { model: 'dall-e-3', endpoint: 'images' },
      meets: [otherwise, otherwise, otherwise],
    });
    const request = { kind: 'image', model: 'dall-e-3', startedAtMs: 0 } as const;
    await confirmAndDisable(request);
    clock.advance(599_999);
    await confirmAndDisable(request);
    expect(tests).toHaveLength(1);
    clock.advance(1);
    await confirmAndDisable(request);
    expect(tests).toHaveLength(2);
  });

  it('tests once for many calls that fail at once', async () => {
    const { service, tests, settle } = autoDisable();
    for (let count = 0; count < 5; count += 1)
      service.confirmAndDisable(aRoute(), refused, { kind: 'chat', model: 'gpt-test', startedAtMs: 0 });
    await settle();
    expect(tests).toHaveLength(1);
  });

  it('tests once a minute for what callers may provoke', async () => {
    const { service, clock, tests, settle } = autoDisable({ meets: [] });
    const provoke = async () => {
      service.confirmAtMostOncePerMinute(aRoute(), refused, {
        kind: 'chat',
        model: 'gpt-test',
        startedAtMs: 0,
      });
      await settle();
    };
    await provoke();
    clock.advance(59_999);
    await provoke();
    expect(tests).toHaveLength(1);
    clock.advance(1);
    await provoke();
    expect(tests).toHaveLength(2);
  });
});
