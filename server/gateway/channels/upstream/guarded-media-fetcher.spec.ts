import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { FetchLimits } from '../../../infra/http-client/fetch-bounded.js';
import type { OutboundClient } from '../../../infra/http-client/outbound-client.js';
import { GuardedMediaFetcher } from './guarded-media-fetcher.js';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a file by address [NET-05]', () => {
  it('has twenty seconds for all its redirects together', async () => {
    let nowMs = 1_000;
    jest.spyOn(performance, 'now').mockImplementation(() => nowMs);
    const given: number[] = [];
    const client = {
      fetch: (_profile: string, _request: unknown, limits: FetchLimits) => {
        given.push(limits.timeoutMs);
        nowMs += 8_000;
        const headers = { location: 'https://elsewhere.example/next' };
        return Promise.resolve({ ok: true, value: { status: 302, headers, body: Buffer.alloc(0) } });
      },
    } as unknown as OutboundClient;
    const answer = await new GuardedMediaFetcher(client).fetchFile(
      'https://slow.example/a.png',
      'image',
      'user',
    );
    expect(given).toEqual([20_000, 12_000, 4_000, 1]);
    expect(answer).toMatchObject({ ok: false, error: { kind: 'invalid-request' } });
  });
});
