import { describe, expect, it } from '@jest/globals';
import type { RelayError } from '../model/relay-error.js';
import { openai } from './openai.js';

const keyOf = (headers: Record<string, string | string[]>) => {
  const found = openai.findCredential(headers, '');
  return found.ok ? found.value : found.error.kind;
};

describe('findCredential [TOK-02]', () => {
  it.each([
    [{}, 'unauthenticated'],
    [{ authorization: '' }, 'unauthenticated'],
    [{ authorization: 'sk-1' }, 'unauthenticated'],
    [{ authorization: 'Basic sk-1' }, 'unauthenticated'],
    [{ authorization: 'Bearer' }, 'unauthenticated'],
    [{ authorization: 'Bearer a b' }, 'unauthenticated'],
    [{ authorization: ['Bearer a', 'Bearer a'] }, 'unauthenticated'],
    [{ authorization: 'Bearer a', 'x-api-key': 'b' }, 'unauthenticated'],
    [{ authorization: 'Bearer a', 'x-api-key': 'a' }, 'a'],
    [{ authorization: 'Bearer a' }, 'a'],
    [{ authorization: 'bearer   a' }, 'a'],
    [{ authorization: ' BEARER a ' }, 'a'],
    [{ 'x-api-key': 'a' }, 'a'],
  ])('%j → %s', (headers, expected) => {
    expect(keyOf(headers as Record<string, string | string[]>)).toBe(expected);
  });
});

describe('writeError', () => {
  const write = (error: RelayError) => {
    const { status, headers, body } = openai.writeError(error, 'call-9');
    return {
      status,
      headers,
      error: (JSON.parse(body.toString()) as { error: Record<string, unknown> }).error,
    };
  };

  it.each<[RelayError, number, string]>([
    [{ kind: 'unauthenticated', blame: 'caller', message: 'm' }, 401, 'invalid_api_key'],
    [
      { kind: 'quota-insufficient', blame: 'caller', scope: 'user', message: 'm' },
      403,
      'insufficient_user_quota',
    ],
    [
      { kind: 'quota-insufficient', blame: 'caller', scope: 'token', message: 'm' },
      403,
      'pre_consume_token_quota_failed',
    ],
    [{ kind: 'price-missing', blame: 'gateway', message: 'm' }, 400, 'model_price_error'],
    [{ kind: 'channel-unavailable', blame: 'gateway', message: 'm' }, 503, 'model_not_found'],
    [{ kind: 'model-not-found', blame: 'caller', message: 'm' }, 404, 'model_not_found'],
    [{ kind: 'not-implemented', blame: 'caller', message: 'm' }, 501, 'api_not_implemented'],
    [{ kind: 'body-too-large', blame: 'caller', message: 'm' }, 413, 'read_request_body_failed'],
    [{ kind: 'content-refused', blame: 'caller', message: 'm' }, 400, 'sensitive_words_detected'],
    [{ kind: 'upstream-timeout', blame: 'upstream', message: 'm' }, 504, 'upstream_timeout'],
    [{ kind: 'upstream-unreachable', blame: 'upstream', message: 'm' }, 502, 'do_request_failed'],
  ])('%j → %i %s', (error, status, code) => {
    expect(write(error)).toMatchObject({ status, error: { code, param: null } });
  });

  it('ends every message with the call id', () => {
    expect(write({ kind: 'internal', blame: 'gateway', message: 'Failed.' }).error['message']).toBe(
      'Failed. (request id: call-9)',
    );
  });

  it('returns when to retry, in whole seconds', () => {
    const error: RelayError = { kind: 'rate-limited', blame: 'caller', message: 'm', retryAfterMs: 1_200 };
    expect(write(error)).toMatchObject({ status: 429, headers: { 'retry-after': '2' } });
  });

  const refusal = (kind: 'not-implemented' | 'model-not-found' | 'invalid-request'): RelayError => ({
    kind,
    blame: 'caller',
    message: 'm',
  });

  it.each<RelayError>([
    refusal('not-implemented'),
    refusal('model-not-found'),
    refusal('invalid-request'),
    { kind: 'channel-unavailable', blame: 'gateway', isUnserved: true, message: 'm' },
    { kind: 'price-missing', blame: 'gateway', message: 'm' },
    { kind: 'quota-insufficient', blame: 'caller', scope: 'user', message: 'm' },
  ])('advises SDKs not to repeat a call that cannot succeed: %j', (error) => {
    expect(write(error).headers).toMatchObject({ 'x-should-retry': 'false' });
  });

  it.each<RelayError>([
    { kind: 'rate-limited', blame: 'caller', message: 'm', retryAfterMs: 1 },
    { kind: 'unavailable', blame: 'gateway', message: 'm', retryAfterMs: 1 },
    { kind: 'channel-unavailable', blame: 'gateway', message: 'm' },
    { kind: 'shutting-down', blame: 'gateway', message: 'm' },
    { kind: 'upstream-overloaded', blame: 'upstream', message: 'm' },
    { kind: 'upstream-rate-limited', blame: 'upstream', message: 'm' },
    { kind: 'upstream-unreachable', blame: 'upstream', message: 'm' },
  ])('leaves repeating what may pass to the SDK: %j', (error) => {
    expect(write(error).headers).not.toHaveProperty('x-should-retry');
  });

  it('shows a vendor’s own status, type, code and param; never a success or a redirect', () => {
    const error = (upstreamStatus: number): RelayError => ({
      kind: 'upstream-request-rejected',
      blame: 'upstream',
      message: 'm',
      upstreamStatus,
      vendorType: 't',
      vendorCode: 'c',
      vendorParam: 'p',
    });
    expect(write(error(422))).toMatchObject({ status: 422, error: { type: 't', code: 'c', param: 'p' } });
    expect(write(error(200)).status).toBe(502);
    expect(write(error(302)).status).toBe(502);
  });

  it('keeps the cause to itself', () => {
    const error: RelayError = {
      kind: 'internal',
      blame: 'gateway',
      message: 'm',
      cause: new Error('secret host'),
    };
    expect(openai.writeError(error, 'c').body.toString()).not.toContain('secret');
    expect(openai.writeErrorFrame(error, 'c')).toMatch(/^data: \{"error":.*\}\n\n$/);
  });
});
