import { describe, expect, it } from '@jest/globals';
import type { RelayError } from '../model/relay-error.js';
import type { RequestHeaders } from './dialect.js';
import { midjourneyDialect } from './midjourney.js';

function written(error: RelayError) {
  const { status, body } = midjourneyDialect.writeError(error, 'call-1');
  return [status, JSON.parse(body.toString()) as unknown];
}
const rejected = (changes: object): RelayError => ({
  kind: 'upstream-request-rejected',
  blame: 'upstream',
  message: 'No.',
  ...changes,
});

describe('the key of a caller of midjourney-proxy’s API', () => {
  it.each<[RequestHeaders, string]>([
    [{ 'mj-api-secret': ' k ' }, 'k'],
    [{ 'mj-api-secret': 'k', authorization: 'Bearer midjourney-proxy' }, 'k'],
    [{ 'mj-api-secret': 'k', authorization: 'Bearer other' }, 'other'],
    [{ 'mj-api-secret': ' ', authorization: 'Bearer other' }, 'other'],
    [{ 'mj-api-secret': ['k', 'k'] }, 'unauthenticated'],
    [{}, 'unauthenticated'],
  ])('finds in %j %s', (headers, key) => {
    const found = midjourneyDialect.findCredential(headers, '');
    expect(found.ok ? found.value : found.error.kind).toBe(key);
  });
});

describe('failures in midjourney-proxy’s words', () => {
  it.each<[RelayError, number, object]>([
    [{ kind: 'invalid-request', blame: 'caller', message: 'm' }, 400, { code: 4 }],
    [
      { kind: 'quota-insufficient', blame: 'caller', scope: 'user', message: 'm' },
      403,
      { code: 4, properties: { code: 'insufficient_user_quota' } },
    ],
    [{ kind: 'rate-limited', blame: 'caller', message: 'm', retryAfterMs: 1 }, 429, { code: 30 }],
    [{ kind: 'internal', blame: 'gateway', message: 'm' }, 500, { code: 9 }],
    [rejected({ vendorCode: '24', upstreamStatus: 500 }), 400, { code: 24, type: 'upstream_error' }],
    [rejected({ vendorCode: 'bad_word', upstreamStatus: 422 }), 400, { code: 9 }],
    [rejected({ vendorCode: '24', upstreamStatus: 503, isStatusMapped: true }), 503, { code: 24 }],
    [rejected({ upstreamStatus: 422 }), 422, { code: 9 }],
    [rejected({}), 502, { code: 9 }],
  ])('answers %j with %i %j', (error, status, document) => {
    expect(written(error)).toMatchObject([
      status,
      { ...document, description: `${error.message} (request id: call-1)` },
    ]);
  });
});
