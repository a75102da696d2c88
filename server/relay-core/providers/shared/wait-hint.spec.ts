import { describe, expect, it } from '@jest/globals';
import { waitHintOf } from './wait-hint.js';

const NOW = 'Wed, 25 Nov 2026 10:00:00 GMT';

describe('how long a vendor asks to wait', () => {
  it.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '7' }, 7_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': ' 2 ' }, 2_000],
    [{ 'retry-after-ms': '1500' }, 1_500],
    [{ 'x-ms-retry-after-ms': '250' }, 250],
    [{ 'retry-after-ms': '1500', 'retry-after': '60' }, 1_500],
    [{ 'retry-after-ms': 'soon', 'retry-after': '60' }, 60_000],
    [{ 'retry-after': 'Wed, 25 Nov 2026 10:00:30 GMT', date: NOW }, 30_000],
    [{ 'retry-after': 'Wed, 25 Nov 2026 09:59:30 GMT', date: NOW }, undefined],
    [{ 'retry-after': 'Wed, 25 Nov 2026 10:00:30 GMT' }, undefined],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': '1e3' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{ 'retry-after': '999999999' }, undefined],
    [{}, undefined],
  ])('headers %j say %s', (headers, wait) => {
    expect(waitHintOf(headers, undefined)).toBe(wait);
  });

  it.each<[Record<string, string>, number | undefined]>([
    [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '12s' }, 12_000],
    [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '6m0s' }, 360_000],
    [{ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '120ms' }, 120],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '9' }, 9_000],
    [{ 'ratelimit-remaining': '0', 'ratelimit-reset': '9' }, 9_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795600815', date: NOW }, 15_000],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795600815000', date: NOW }, 15_000],
    [
      {
        'anthropic-ratelimit-requests-remaining': '0',
        'anthropic-ratelimit-requests-reset': '2026-11-25T10:00:20Z',
        'anthropic-ratelimit-tokens-remaining': '0',
        'anthropic-ratelimit-tokens-reset': '2026-11-25T10:00:50Z',
        'anthropic-ratelimit-input-tokens-remaining': '9',
        'anthropic-ratelimit-input-tokens-reset': '2026-11-25T10:09:00Z',
        date: NOW,
      },
      50_000,
    ],
    [{ 'x-ratelimit-remaining-requests': '5', 'x-ratelimit-reset-requests': '12s' }, undefined],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': 'soon' }, undefined],
    [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1795600815' }, undefined],
    [{ 'x-ratelimit-remaining': '0' }, undefined],
  ])('limits that are used up say it of themselves: %j say %s', (headers, wait) => {
    expect(waitHintOf(headers, '')).toBe(wait);
    expect(waitHintOf({ ...headers, 'retry-after': '7' }, '')).toBe(7_000);
    // The failure was not a limit.
    expect(waitHintOf(headers, undefined)).toBeUndefined();
  });

  it.each<[string, number | undefined]>([
    ['Rate limit reached for gpt-x. Please try again in 1.2s. Visit …', 1_200],
    ['Please try again in 20ms.', 20],
    ['Please try again in 6m0s.', 360_000],
    ['Please try again in 1h2m3.5s', 3_723_500],
    ['exceeded call rate limit. Please retry after 45 seconds. Please go here', 45_000],
    ['Quota exceeded. Please retry in 12.5s.', 12_500],
    ['Try again in 5 minutes', 300_000],
    ['try again in 1 hour 30 minutes', 5_400_000],
    ['retry after 300 milliseconds', 300],
    ['Please try again in a moment.', undefined],
    ['Please try again in 3 days.', undefined],
    ['Please try again in 12 shots', undefined],
    ['try again in 200h', undefined],
    ['wait 5s', undefined],
  ])('%j says %s, where no header does', (sentence, wait) => {
    expect(waitHintOf({}, sentence)).toBe(wait);
    expect(waitHintOf({ 'retry-after': '7' }, sentence)).toBe(7_000);
  });
});
