import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../../test/support/code-of.js';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import type { ChannelProbe, FullPlan } from '../probing/channel-probe.service.js';
import type { ChannelsRepository } from '../state/channels.repository.js';
import { ChannelTestsService } from './channel-tests.service.js';

function tests({
  plan = { model: 'gpt-test', endpoint: 'chat' } as FullPlan,
  isThere = true,
  results = [true],
} = {}) {
  const asked: unknown[] = [];
  const recorded: unknown[] = [];
  const service = new ChannelTestsService(
    {
      find: async () => (isThere ? {} : null),
      record: async (_id: number, columns: unknown) => void recorded.push(columns),
    } as unknown as ChannelsRepository,
    {
      planOf: async () => plan,
      test: async (_id: number, wanted: unknown) => {
        asked.push(wanted);
        return { success: results[asked.length - 1], message: 'no answer', timeMs: 0 };
      },
    } as unknown as ChannelProbe,
    new FakeClock(1_700_000_000_000),
  );
  return { service, asked, recorded };
}

describe('ChannelTestsService', () => {
  it('stores when a test was, and how long it took or why it failed', async () => {
    const good = tests();
    await good.service.test(1, {});
    expect(good.recorded).toEqual([{ testTime: 1_700_000_000, responseTime: 1, testFailure: '' }]);
    const bad = tests({ results: [false] });
    await bad.service.test(1, {});
    expect(bad.recorded).toEqual([{ testTime: 1_700_000_000, testFailure: 'no answer' }]);
  });

  it('closes circuits by an administrator’s test, and by no test of a job', async () => {
    const { service, asked } = tests({ results: [true, true] });
    await service.testOnRequest(1, { model: 'm' }, false);
    await service.testFallen(1, undefined);
    expect(asked).toEqual([{ model: 'm', endsRest: true }, {}]);
  });

  it('tests each API that a channel names, and stops at the first failure', async () => {
    const plan: FullPlan = {
      model: 'm',
      endpoint: 'chat',
      others: ['responses', 'messages', 'generate_content'],
    };
    const good = tests({ plan, results: [true, true, true, true] });
    expect(await good.service.testOnRequest(1, {}, false)).toMatchObject({ success: true });
    expect(good.asked).toEqual([
      { endsRest: true },
      { endsRest: true, endpoint: 'responses' },
      { endsRest: true, endpoint: 'messages' },
      { endsRest: true, endpoint: 'generate_content' },
    ]);
    const bad = tests({ plan, results: [true, true, false] });
    expect(await bad.service.testOnRequest(1, {}, false)).toMatchObject({
      success: false,
      message: 'messages: no answer',
    });
    expect(bad.asked).toHaveLength(3);
    const first = tests({ plan, results: [false] });
    expect(await first.service.testOnRequest(1, {}, false)).toMatchObject({ message: 'no answer' });
  });

  it('draws no image unless the cost is confirmed', async () => {
    const { service, asked } = tests({ plan: { model: 'dall-e-3', endpoint: 'images' } });
    expect(await codeOf(service.testOnRequest(1, {}, false))).toBe('channel_test_costs');
    expect(asked).toEqual([]);
    expect(await codeOf(service.testOnRequest(1, {}, true))).toBe('done');
  });

  it('tests a fallen channel by its own test, then by the one that switched it off', async () => {
    const fall = { model: 'vectors', endpoint: 'embeddings' } as const;
    const { service, asked } = tests({ results: [false, true] });
    expect(await service.testFallen(1, fall, 2)).toMatchObject({ success: true });
    expect(asked).toEqual([{ keyIndex: 2 }, { keyIndex: 2, ...fall }]);
    const other = tests({ results: [true] });
    await other.service.testFallen(1, fall);
    expect(other.asked).toEqual([{}]);
  });

  it('tests nothing that is gone', async () => {
    const { service, asked } = tests({ isThere: false });
    expect(await codeOf(service.test(1, {}))).toBe('not_found');
    expect(asked).toEqual([]);
  });
});
