import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { aChannel, anAbility, pickerOver } from '../../../test/support/fixtures/channel-picker.fixture.js';
import { someOptions } from '../../../test/support/memory-ports.js';
import type { CallLine, LogsRepository } from '../../base/logs/logs.repository.js';
import type { RelayOptionsSource } from '../../relay-core/ports/relay-options.js';
import { countCalls, FORECAST_LINES, NativeForecaster } from './native-forecast.js';

const line = (path: string, changes: Partial<CallLine> = {}): CallLine => ({
  group: 'default',
  model: 'm',
  channelId: 1,
  details: `{"model_ratio":1,"request_path":${JSON.stringify(path)},"eviden`,
  ...changes,
});

describe('countCalls', () => {
  it('reads the API of a call from its path, and leaves out other calls', () => {
    const paths = [
      '/v1/messages',
      '/v1/messages',
      '/v1/chat/completions',
      '/pg/chat/completions',
      '/v1/completions',
      '/v1/responses',
      '/v1beta/models/m:generateContent',
      '/v1beta/models/m:streamGenerateContent',
      '/v1/embeddings',
    ];
    const counted = countCalls([...paths.map((path) => line(path)), line('', { details: '' })]);
    expect(Object.fromEntries(counted.map(({ api, count }) => [api, count]))).toEqual({
      messages: 2,
      chat: 2,
      completions: 1,
      responses: 1,
      gemini: 2,
    });
  });
});

describe('NativeForecaster', () => {
  it('reads a bounded number of lines once a minute, and leaves out groups that prefer native channels', async () => {
    const asked: number[][] = [];
    const logs = {
      newestCalls: (since: number, limit: number) => {
        asked.push([since, limit]);
        return Promise.resolve([line('/v1/messages'), line('/v1/messages', { group: 'vip' })]);
      },
    } as unknown as LogsRepository;
    const { picker } = pickerOver(
      [aChannel(1), aChannel(7, { type: 14 })],
      ['default', 'vip'].flatMap((group) => [anAbility(1, { group }), anAbility(7, { group })]),
    );
    let preferring = 'vip';
    const options = {
      current: () => someOptions({ prefersNative: (group) => group === preferring }),
    } as RelayOptionsSource;
    const clock = new FakeClock();
    const forecaster = new NativeForecaster(logs, picker, options, clock);
    const move = { group: 'default', api: 'messages', channelId: 7, calls: 1, of: 1 };
    expect(await forecaster.forecast()).toEqual({ calls: 2, moves: [move] });
    preferring = 'default';
    expect((await forecaster.forecast()).moves).toEqual([{ ...move, group: 'vip' }]);
    expect(asked).toEqual([[Math.floor(clock.nowMs() / 1000) - 7 * 86_400, FORECAST_LINES]]);
  });
});
