import { expect, it } from '@jest/globals';
import { startOfDay } from '../../shared/format/timestamp';
import { NOON } from '../../testing/builders';
import { csvOfAttempts, csvOfUse, fileNameOf } from './use-export';

const HEADS = ['Model', 'USD', 'Calls', 'Tokens', 'Total'] as const;

it('writes exact dollars, quoted names and the total', () => {
  const line = (name: string, quota: number) => ({ name, quota, count: 2, token_used: 30, periods: [] });
  const table = {
    periods: [],
    lines: [line('gpt-4o', 750_000), line('a "b", c', 1), line('=HYPERLINK("x")', 0)],
    total: { quota: 750_001, count: 6, token_used: 90 },
  };
  expect(csvOfUse(table, HEADS, { quotaPerUnit: 500_000, inCurrency: true }).split('\r\n')).toEqual([
    '\uFEFFModel,USD,Calls,Tokens',
    'gpt-4o,1.50,2,30',
    '"a ""b"", c",0.000002,2,30',
    '"\'=HYPERLINK(""x"")",0.00,2,30',
    'Total,1.500002,6,90',
    '',
  ]);
});

it('writes attempts with times in milliseconds, and nothing where none was measured', () => {
  const figures = { attempts: 4, failures: 1, duration_p50_ms: 70, duration_p95_ms: 90 };
  const line = {
    reference: 7,
    name: 'first',
    first_token_p50_ms: null,
    first_token_p95_ms: null,
    ...figures,
  };
  expect(csvOfAttempts([line], 'Channel').split('\r\n')).toEqual([
    '\uFEFFChannel,attempts,failures,first_token_p50_ms,first_token_p95_ms,duration_p50_ms,duration_p95_ms',
    'first,4,1,,,70,90',
    '',
  ]);
});

it('names files by the days that they cover', () => {
  const start = startOfDay(NOON);
  expect(fileNameOf('usage', { start, end: start + 86_400 }, 'csv')).toBe('usage_2026-11-21.csv');
  expect(fileNameOf('usage', { start, end: start + 2 * 86_400 }, 'png')).toBe(
    'usage_2026-11-21_2026-11-22.png',
  );
});
