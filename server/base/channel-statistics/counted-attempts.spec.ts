import { describe, expect, it } from '@jest/globals';
import { isChannelFailure, isFailedAttempt } from './attempt-reasons.js';
import { attemptsOfCall, hadFailedAttempt } from './counted-attempts.js';

const CALL = {
  channelId: 7,
  startedAtMs: 1_000,
  firstByteMs: 2_300,
  outcome: 'ok',
  usage: { input: { total: 10 }, output: { total: 40 } },
  shape: { stream: true },
  attempts: [
    { channelId: 5, channelName: 'a', startedAtMs: 1_000, endedAtMs: 3_000, failure: 'upstream-timeout' },
    { channelId: 7, channelName: 'b', startedAtMs: 3_100, endedAtMs: 4_300 },
  ],
} as const;

describe('attempts of a call', () => {
  it('gives each attempt its own time, and the first token to the one that answered', () => {
    expect(attemptsOfCall(CALL, 9_000)).toEqual([
      { channelId: 5, reason: 'upstream-timeout', status: 0, endedAtMs: 3_000, durationMs: 2_000 },
      {
        channelId: 7,
        reason: '',
        status: 0,
        endedAtMs: 4_300,
        durationMs: 1_200,
        firstTokenMs: 200,
        outputTokens: 40,
        outputMs: 1_000,
      },
    ]);
  });

  it('counts the tokens that a provider bills for a failed attempt', () => {
    const billedUsage = { input: { total: 171 }, output: { total: 2 } };
    const empty = { ...CALL.attempts[0], billedUsage };
    const [failed] = attemptsOfCall({ ...CALL, attempts: [empty, CALL.attempts[1]] }, 9_000);
    expect(failed?.billedTokens).toBe(173);
  });

  it('counts no first token of an answer that was not streamed', () => {
    const [, answered] = attemptsOfCall({ ...CALL, shape: { stream: false } }, 9_000);
    expect(answered).toEqual({ channelId: 7, reason: '', status: 0, endedAtMs: 4_300, durationMs: 1_200 });
  });

  it('keeps the provider’s sentence about an answer that broke off, without secrets', () => {
    const broken = { ...CALL.attempts[1], failure: 'upstream-broken' } as const;
    const vendorSays = { status: 500, sentence: `no luck with sk-${'a'.repeat(40)}` };
    const [one] = attemptsOfCall({ ...CALL, outcome: 'partial', attempts: [broken], vendorSays }, 9_000);
    expect(one).toMatchObject({ reason: 'upstream-broken', status: 500 });
    expect(one?.message).toMatch(/^no luck with /);
    expect(one?.message).not.toContain('aaaa');
  });

  it('counts one unfinished attempt of a call whose worker died, and none of a charge without a channel', () => {
    const recovered = { ...CALL, outcome: 'recovered', attempts: [] } as const;
    expect(attemptsOfCall(recovered, 9_000)).toEqual([
      { channelId: 7, reason: 'unfinished', status: 0, endedAtMs: 9_000 },
    ]);
    expect(attemptsOfCall({ ...recovered, channelId: 0 }, 9_000)).toEqual([]);
  });

  it.each([
    ['', 0, false, false],
    ['unfinished', 0, false, false],
    ['client-gone', 0, false, false],
    ['upstream-request-rejected', 400, true, false],
    ['upstream-request-rejected', 404, true, true],
    ['upstream-rate-limited', 429, true, true],
    ['upstream-unreachable', 0, true, true],
  ])('reason "%s" with status %d: failed %s, against the channel %s', (reason, status, failed, counts) => {
    expect([isFailedAttempt(reason), isChannelFailure(reason, status)]).toEqual([failed, counts]);
  });

  it('marks a call of which an attempt failed', () => {
    expect(hadFailedAttempt([{ failure: 'upstream-timeout' }, {}])).toBe(1);
    expect(hadFailedAttempt([{ failure: 'client-gone' }, {}])).toBe(0);
  });
});
