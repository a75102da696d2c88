import { describe, expect, it } from '@jest/globals';
import { startOfDay } from '../../shared/format/timestamp';
import { foldLines, periodStart, sumUse } from './use-sums';

const monday = startOfDay(new Date(2026, 10, 16, 12).getTime() / 1000);
const hour = 3_600;
const use = (created_at: number, model_name: string, quota: number) => ({
  created_at,
  model_name,
  quota,
  count: 1,
  token_used: quota * 2,
});
const byModel = (row: { model_name: string }) => row.model_name;

describe('sums of use', () => {
  it('sums hours into days of the reader, largest model first, empty days included', () => {
    const rows = [
      use(monday + hour, 'a', 10),
      use(monday + 5 * hour, 'b', 30),
      use(monday + 50 * hour, 'a', 5),
    ];
    const table = sumUse(rows, byModel, 'day', { start: monday, end: monday + 71 * hour }, 'quota');
    expect(table.periods).toHaveLength(3);
    expect(table.lines.map((line) => [line.name, line.periods.map((sums) => sums.quota)])).toEqual([
      ['b', [30, 0, 0]],
      ['a', [10, 0, 5]],
    ]);
    expect(table.total).toEqual({ quota: 45, count: 3, token_used: 90 });
  });

  it('begins weeks on Monday, also for a Sunday', () => {
    expect(periodStart(monday + 6 * 24 * hour + hour, 'week')).toBe(monday);
    expect(periodStart(monday - hour, 'week')).toBe(startOfDay(monday - 7 * 24 * hour + 12 * hour));
  });

  it('orders by what is looked at', () => {
    const rows = [use(monday, 'a', 10), use(monday, 'b', 3), use(monday, 'b', 3)];
    const span = { start: monday, end: monday + hour };
    expect(sumUse(rows, byModel, 'hour', span, 'count').lines.map(byName)).toEqual(['b', 'a']);
    expect(sumUse(rows, byModel, 'hour', span, 'quota').lines.map(byName)).toEqual(['a', 'b']);
  });

  it('folds what does not fit into one line and loses nothing', () => {
    const rows = ['a', 'b', 'c', 'd'].map((name, index) => use(monday, name, 10 - index));
    const { lines, total } = sumUse(rows, byModel, 'day', { start: monday, end: monday + hour }, 'quota');
    const folded = foldLines(lines, 2, 'others');
    expect(folded.map(byName)).toEqual(['a', 'b', 'others']);
    expect(folded.reduce((sum, line) => sum + (line.periods[0]?.quota ?? 0), 0)).toBe(total.quota);
  });

  it('puts what the server summed up into the rest, however large it is', () => {
    const rows = ['a', 'others', 'b', 'c'].map((name, index) => use(monday, name, [5, 50, 4, 3][index] ?? 0));
    const { lines } = sumUse(rows, byModel, 'day', { start: monday, end: monday + 24 * hour }, 'quota');
    const folded = foldLines(lines, 2, 'others');
    expect(folded.map(({ name, quota }) => [name, quota])).toEqual([
      ['a', 5],
      ['b', 4],
      ['others', 53],
    ]);
    expect(foldLines(lines, 7, 'others').map(byName)).toEqual(['a', 'b', 'c', 'others']);
  });
});

function byName(line: { name: string }): string {
  return line.name;
}
