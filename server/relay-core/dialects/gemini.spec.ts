import { describe, expect, it } from '@jest/globals';
import type { RequestHeaders } from './dialect.js';
import { gemini } from './gemini.js';

const keyOf = (headers: RequestHeaders, query = '') => {
  const found = gemini.findCredential(headers, query);
  return found.ok ? found.value : found.error.message;
};

describe('the key of a caller of Google’s API', () => {
  it.each<[RequestHeaders, string]>([
    [{ 'x-goog-api-key': 'k' }, ''],
    [{}, 'alt=sse&key=k'],
    [{ authorization: 'Bearer k' }, 'key='],
    [{ 'x-goog-api-key': 'k', authorization: 'Bearer k' }, 'key=k&key=k'],
  ])('finds it in %j and %j', (headers, query) => {
    expect(keyOf(headers, query)).toBe('k');
  });

  it.each<[RequestHeaders, string, RegExp]>([
    [{}, '', /x-goog-api-key/],
    [{ 'x-api-key': 'k' }, '', /x-goog-api-key/],
    [{ 'x-goog-api-key': 'k' }, 'key=other', /different/i],
    [{ 'x-goog-api-key': ['k', 'k'] }, '', /exactly one/],
    [{ authorization: 'k' }, 'key=k', /Bearer/],
  ])('refuses %j and %j', (headers, query, sentence) => {
    expect(keyOf(headers, query)).toMatch(sentence);
  });
});

describe('a failure in Google’s words', () => {
  it('fits into one line of an event, whatever it quotes', () => {
    const frame = gemini.writeErrorFrame(
      { kind: 'internal', blame: 'gateway', message: 'a\u2028b\nc' },
      'call-1',
    );
    expect(frame.split('\n')).toHaveLength(3);
    expect(frame).toMatch(/^data: \{.*\}\n\n$/);
    expect(frame).not.toContain('\u2028');
  });

  it('returns when to retry, in whole seconds', () => {
    const error = { kind: 'rate-limited', blame: 'caller', message: 'm', retryAfterMs: 1 } as const;
    expect(gemini.writeError(error, 'call-1')).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
    });
  });
});
