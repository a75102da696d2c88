import { describe, expect, it } from '@jest/globals';
import type { RelayError } from '../../model/relay-error.js';
import { parseStatusRanges } from '../../model/status-ranges.js';
import { mayRetry } from './retries.js';

type UpstreamError = Extract<RelayError, { blame: 'upstream' }>;

const failed = (kind: UpstreamError['kind'], more: Partial<UpstreamError> = {}): RelayError => ({
  kind,
  blame: 'upstream',
  message: '',
  ...more,
});

describe('mayRetry', () => {
  it('tries another channel where the channel is at fault, not where the request is', () => {
    const retried = [401, 402, 403, 404, 429, 500, 502, 503, 529];
    const final = [400, 408, 413, 415, 422, 504, 524];
    const outcome = (upstreamStatus: number) =>
      mayRetry(failed('upstream-request-rejected', { upstreamStatus }));
    expect(retried.map(outcome)).toEqual(retried.map(() => true));
    expect(final.map(outcome)).toEqual(final.map(() => false));
  });

  it('follows the operators list of statuses', () => {
    const statuses = parseStatusRanges('422,504') ?? [];
    expect(mayRetry(failed('upstream-request-rejected', { upstreamStatus: 422 }), statuses)).toBe(true);
    expect(mayRetry(failed('upstream-timeout', { upstreamStatus: 504 }), statuses)).toBe(true);
    expect(mayRetry(failed('upstream-rate-limited', { upstreamStatus: 429 }), statuses)).toBe(false);
  });

  it('tries again after a refused connection, a broken stream and an unreadable answer, not after our own time limit', () => {
    expect(mayRetry(failed('upstream-unreachable'))).toBe(true);
    expect(mayRetry(failed('upstream-broken'))).toBe(true);
    expect(mayRetry(failed('upstream-malformed'))).toBe(true);
    expect(mayRetry(failed('upstream-timeout'))).toBe(false);
  });

  it('sends a task once where its vendor may have accepted it', () => {
    const isSubmission = true;
    const outcome = (kind: UpstreamError['kind'], more = {}) =>
      mayRetry(failed(kind, more), undefined, { isSubmission });
    expect(outcome('upstream-broken')).toBe(false);
    expect(outcome('upstream-malformed')).toBe(false);
    expect(outcome('upstream-unreachable')).toBe(true);
    expect(outcome('upstream-rate-limited', { upstreamStatus: 429 })).toBe(true);
    expect(outcome('upstream-request-rejected', { upstreamStatus: 503 })).toBe(true);
  });

  it('stops where the operators own rule refused the call', () => {
    expect(mayRetry(failed('upstream-request-rejected', { upstreamStatus: 503, isFinal: true }))).toBe(false);
  });
});
