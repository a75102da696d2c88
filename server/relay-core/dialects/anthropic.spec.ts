import { describe, expect, it } from '@jest/globals';
import type { RelayError } from '../model/relay-error.js';
import { anthropic } from './anthropic.js';

const find = (headers: Readonly<Record<string, string | string[]>>) => anthropic.findCredential(headers, '');
const written = (error: RelayError) => {
  const { status, headers, body } = anthropic.writeError(error, 'call-1');
  return { status, headers, document: JSON.parse(body.toString()) as unknown };
};

describe('the key of a caller', () => {
  it.each([
    ['x-api-key', { 'x-api-key': 'sk-1' }],
    ['a Bearer, as agents send it', { authorization: 'Bearer sk-1' }],
    ['both, when they say the same', { 'x-api-key': 'sk-1', authorization: 'bearer sk-1' }],
    ['x-api-key beside an empty Bearer', { 'x-api-key': 'sk-1', authorization: '' }],
  ])('finds it in %s', (_name, headers) => {
    expect(find(headers)).toEqual({ ok: true, value: 'sk-1' });
  });

  it.each([
    ['none', {}],
    ['an empty one', { 'x-api-key': ' ' }],
    ['two different ones', { 'x-api-key': 'sk-1', authorization: 'Bearer sk-2' }],
    ['the same header twice', { 'x-api-key': ['sk-1', 'sk-1'] }],
    ['another scheme', { authorization: 'Basic c2stMQ==' }],
  ])('refuses it: %s', (_name, headers) => {
    expect(find(headers)).toMatchObject({ ok: false, error: { kind: 'unauthenticated' } });
  });
});

describe('failures', () => {
  const message = 'No.';
  it.each<[RelayError, number, string]>([
    [{ kind: 'unauthenticated', blame: 'caller', message }, 401, 'authentication_error'],
    [{ kind: 'forbidden', blame: 'caller', message }, 403, 'permission_error'],
    [{ kind: 'invalid-request', blame: 'caller', message }, 400, 'invalid_request_error'],
    [{ kind: 'body-too-large', blame: 'caller', message }, 413, 'request_too_large'],
    [{ kind: 'not-found', blame: 'caller', message }, 404, 'not_found_error'],
    [{ kind: 'not-implemented', blame: 'caller', message }, 501, 'api_error'],
    [{ kind: 'rate-limited', blame: 'caller', message, retryAfterMs: 1_500 }, 429, 'rate_limit_error'],
    [{ kind: 'channel-unavailable', blame: 'gateway', message }, 503, 'api_error'],
    [{ kind: 'upstream-timeout', blame: 'upstream', message }, 504, 'timeout_error'],
    [
      { kind: 'upstream-overloaded', blame: 'upstream', message, upstreamStatus: 529 },
      529,
      'overloaded_error',
    ],
    [
      {
        kind: 'upstream-request-rejected',
        blame: 'upstream',
        message,
        upstreamStatus: 400,
        vendorType: 'invalid_request_error',
      },
      400,
      'invalid_request_error',
    ],
    // A type this dialect's clients do not know does not help them.
    [
      {
        kind: 'upstream-overloaded',
        blame: 'upstream',
        message,
        upstreamStatus: 500,
        vendorType: 'server_error',
      },
      500,
      'api_error',
    ],
  ])('%#: %j', (error, status, type) => {
    const reply = written(error);
    expect(reply.status).toBe(status);
    expect(reply.document).toEqual({
      type: 'error',
      error: { type, message: 'No. (request id: call-1)' },
      request_id: 'call-1',
    });
  });

  it('returns when to retry, and when not to', () => {
    expect(
      written({ kind: 'rate-limited', blame: 'caller', message, retryAfterMs: 1_500 }).headers,
    ).toMatchObject({
      'retry-after': '2',
    });
    expect(written({ kind: 'invalid-request', blame: 'caller', message }).headers).toMatchObject({
      'x-should-retry': 'false',
    });
    expect(written({ kind: 'internal', blame: 'gateway', message }).headers).not.toHaveProperty(
      'x-should-retry',
    );
  });

  it('writes a failure inside a stream as an event of its own', () => {
    const frame = anthropic.writeErrorFrame(
      { kind: 'upstream-broken', blame: 'upstream', message },
      'call-1',
    );
    expect(frame).toMatch(/^event: error\ndata: \{"type":"error".*\}\n\n$/);
  });
});
