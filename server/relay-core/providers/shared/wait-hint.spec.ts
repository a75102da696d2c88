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
