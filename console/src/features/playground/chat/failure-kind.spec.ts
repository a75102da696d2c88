import { describe, expect, it } from '@jest/globals';
import { failureKind } from './failure-kind';

describe('failureKind', () => {
  it.each([
    ['insufficient_user_quota', 403, 'balance'],
    ['model_price_error', 400, 'price'],
    ['get_playground_channel_failed', 503, 'model'],
    ['rate_limit_exceeded', 429, 'busy'],
    ['', 429, 'busy'],
    ['', 0, 'unreachable'],
    ['upstream_timeout', 200, 'broken'],
    ['bad_response', 502, 'gateway'],
    ['toString', 400, 'request'],
  ] as const)('takes %s with status %d for %s', (code, status, kind) => {
    expect(failureKind({ code, status, message: '', data: '' })).toBe(kind);
  });
});
