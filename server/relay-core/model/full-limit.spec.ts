import { describe, expect, it } from '@jest/globals';
import { DIALECTS } from '../dialects/registry.js';
import { limitRefusal } from './full-limit.js';
import {
  anthropicLimitHeaders,
  durationText,
  figuresOfRefusal,
  openaiLimitHeaders,
} from './limit-figures.js';
import type { LimitRefusal } from './limit-refusal.js';
import { namedRefusal } from './named-refusal.js';

const NOW = Date.parse('2026-05-14T10:20:30.500Z');
const PER_DOLLAR = 500_000;
const DAY: LimitRefusal = {
  limitId: 1,
  name: 'CI "nightly"',
  scope: 'token',
  measure: 'quota',
  amount: 2_500_000,
  period: 'day',
  opensAtMs: Date.parse('2026-05-15T00:00:00Z'),
  shared: false,
  channel: false,
};
const MINUTE = { ...DAY, measure: 'requests', amount: 60, period: 'minute', opensAtMs: NOW + 12_300 };

const written = (id: string, full: LimitRefusal) => {
  const reply = DIALECTS.find((dialect) => dialect.id === id)?.writeError(
    limitRefusal(full, NOW, PER_DOLLAR),
    'call-1',
  );
  return { ...reply, body: JSON.parse(reply?.body.toString() ?? '') as unknown };
};

describe('limitRefusal', () => {
  it('answers a limit of a day with 403, when it opens, and no advice to wait', () => {
    const { status, headers, body } = written('openai', DAY);
    expect(status).toBe(403);
    expect(headers).not.toHaveProperty('retry-after');
    expect(headers).toMatchObject({ 'x-should-retry': 'false' });
    expect(body).toEqual({
      error: {
        message:
          'The limit "CI "nightly"" of $5.00 a day for this API key is reached. It has room again at 2026-05-15T00:00:00Z. (request id: call-1)',
        type: 'tollgate_error',
        param: null,
        code: 'limit_reached',
        limit: {
          name: 'CI "nightly"',
          scope: 'token',
          measure: 'money',
          amount: 5,
          unit: 'usd',
          period: 'day',
          resets_at: '2026-05-15T00:00:00Z',
        },
      },
    });
  });

  it('advises to wait below one hour', () => {
    const soon = (waitMs: number) => written('openai', { ...DAY, opensAtMs: NOW + waitMs }).headers;
    expect(soon(3_599_000)).toMatchObject({ 'retry-after': '3599', 'x-should-retry': 'false' });
    expect(soon(3_600_000)).not.toHaveProperty('retry-after');
  });

  it('answers limits of a minute, of an hour and of calls at once with 429', () => {
    expect(written('openai', MINUTE)).toMatchObject({ status: 429, headers: { 'retry-after': '13' } });
    expect(written('openai', { ...MINUTE, period: 'hour' }).status).toBe(429);
    const atOnce = written('openai', { ...MINUTE, measure: 'in_flight', period: '', opensAtMs: null });
    expect(atOnce).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect(atOnce.body).toMatchObject({ error: { limit: { unit: 'calls', period: null, resets_at: null } } });
  });

  it('refuses a call that never fits without a time, whatever the period', () => {
    const { status, headers, body } = written('openai', {
      ...MINUTE,
      measure: 'tokens',
      neverFits: { needed: 4_096 },
    });
    expect(status).toBe(403);
    expect(headers).not.toHaveProperty('retry-after');
    expect(headers).toMatchObject({ 'x-should-retry': 'false' });
    expect(body).toMatchObject({
      error: {
        message: expect.stringContaining('may use 4,096 tokens'),
        code: 'limit_below_call',
        limit: { amount: 60, needed: 4_096 },
      },
    });
  });

  it('names no time for a limit without a period', () => {
    const { status, body } = written('openai', { ...DAY, period: 'ever', opensAtMs: null });
    expect(status).toBe(403);
    expect(body).toMatchObject({ error: { limit: { period: 'ever', resets_at: null } } });
  });

  it('gives each client API the limit in its own place', () => {
    const limit = { name: 'CI "nightly"', amount: 5, resets_at: '2026-05-15T00:00:00Z' };
    expect(written('anthropic', DAY).body).toMatchObject({
      error: { type: 'permission_error', details: { code: 'limit_reached', limit } },
    });
    expect(written('anthropic', MINUTE)).toMatchObject({
      status: 429,
      headers: { 'retry-after': '13' },
      body: { error: { type: 'rate_limit_error', details: { limit: { unit: 'requests' } } } },
    });
    expect(written('midjourney', DAY).body).toMatchObject({ properties: { code: 'limit_reached', limit } });
    expect(written('suno', DAY).body).toMatchObject({ code: 'limit_reached', data: { limit } });
    expect(written('gemini', MINUTE).body).toMatchObject({
      error: {
        status: 'RESOURCE_EXHAUSTED',
        details: [
          {
            reason: 'LIMIT_REACHED',
            metadata: { limit: 'CI "nightly"', limitAmount: '60', limitPeriod: 'minute' },
          },
          { violations: [{ subject: 'token:CI "nightly"' }] },
          { retryDelay: '13s' },
        ],
      },
    });
  });

  it('writes a sentence that the log can name again in another language', () => {
    expect(namedRefusal(limitRefusal(DAY, NOW, PER_DOLLAR))).toMatchObject({
      code: 'limit-period',
      values: { limit: 'CI "nightly"', amount: '$5.00', period: 'day', opens: '2026-05-15T00:00:00Z' },
    });
  });
});

describe('figuresOfRefusal', () => {
  const of = (full: Partial<LimitRefusal>) =>
    figuresOfRefusal(limitRefusal({ ...DAY, ...full }, NOW, PER_DOLLAR));

  it('takes them from a full limit of requests or tokens', () => {
    const resetsAtMs = Date.parse('2026-05-15T00:00:00Z');
    expect(of({ measure: 'requests', amount: 60 })).toEqual({
      requests: { limit: 60, remaining: 0, resetsAtMs },
    });
    expect(of({ measure: 'tokens', amount: 9 })).toEqual({ tokens: { limit: 9, remaining: 0, resetsAtMs } });
  });

  it('has none for money, for calls at once, for calls that never fit and for limits without an end', () => {
    expect(of({})).toBeUndefined();
    expect(of({ measure: 'in_flight', period: '', opensAtMs: null })).toBeUndefined();
    expect(of({ measure: 'tokens', neverFits: { needed: 99 } })).toBeUndefined();
    expect(of({ measure: 'requests', period: 'ever', opensAtMs: null })).toBeUndefined();
  });
});

describe('headers of limits', () => {
  const figures = {
    requests: { limit: 60, remaining: 12, resetsAtMs: NOW + 360_000 },
    tokens: { limit: 2_000_000, remaining: -5, resetsAtMs: NOW + 999 },
  };

  it("has OpenAI's form", () => {
    expect(openaiLimitHeaders(figures, NOW)).toEqual({
      'x-ratelimit-limit-requests': '60',
      'x-ratelimit-remaining-requests': '12',
      'x-ratelimit-reset-requests': '6m0s',
      'x-ratelimit-limit-tokens': '2000000',
      'x-ratelimit-remaining-tokens': '0',
      'x-ratelimit-reset-tokens': '1s',
    });
  });

  it("has Anthropic's form", () => {
    expect(anthropicLimitHeaders({ requests: figures.requests })).toEqual({
      'anthropic-ratelimit-requests-limit': '60',
      'anthropic-ratelimit-requests-remaining': '12',
      'anthropic-ratelimit-requests-reset': '2026-05-14T10:26:31Z',
    });
  });

  it.each([
    [0, '1s'],
    [59_001, '1m0s'],
    [86_400_000, '24h0m0s'],
    [3_723_000, '1h2m3s'],
  ])('writes a wait of %i ms as %s', (waitMs, text) => {
    expect(durationText(waitMs)).toBe(text);
  });
});
