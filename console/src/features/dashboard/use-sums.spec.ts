import { afterEach, describe, expect, it } from '@jest/globals';
import {
  dayAfter,
  dayBefore,
  formatSeconds,
  fromInputTime,
  startOfDay,
  toInputTime,
} from '../../shared/format/timestamp';
import { accountZone, momentOfWall } from '../../shared/format/zone';
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

afterEach(() => accountZone.clear());

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

  it.each([
    ['Asia/Kolkata', '2026-11-16'],
    ['Asia/Kathmandu', '2026-11-16'],
    ['Australia/Lord_Howe', '2026-10-05'],
    ['America/St_Johns', '2026-11-02'],
  ])('begins days and hours at the clock of the shown time zone: %s', (zone, day) => {
    accountZone.write(zone);
    const midnight = momentOfWall(Date.parse(`${day}T00:00:00Z`) / 1000);
    expect(formatSeconds(midnight)).toBe(`${day} 00:00:00`);
    expect([periodStart(midnight - 1, 'day'), periodStart(midnight, 'day')]).toEqual([
      dayBefore(midnight),
      midnight,
    ]);
    expect(periodStart(midnight + 6 * 24 * hour + hour, 'week')).toBe(midnight);
    expect(formatSeconds(periodStart(midnight + 5 * hour + 1_234, 'hour'))).toBe(`${day} 05:00:00`);
    expect(fromInputTime(toInputTime(midnight + 90 * 60))).toBe(midnight + 90 * 60);
    const rows = [use(midnight - 900, 'a', 1), use(midnight, 'a', 2), use(dayAfter(midnight) - 900, 'a', 4)];
    const span = { start: dayBefore(midnight), end: dayAfter(midnight) };
    expect(sumUse(rows, byModel, 'day', span, 'quota').lines[0]?.periods.map(({ quota }) => quota)).toEqual([
      1, 6,
    ]);
  });

  it('begins days of UTC at its midnight, wherever the reader is', () => {
    accountZone.write('America/St_Johns');
    const day = 20_000 * 86_400;
    expect([periodStart(day - 1, 'utcDay'), periodStart(day + 5, 'utcDay')]).toEqual([day - 86_400, day]);
    const span = { start: day - 86_400, end: day + 86_400 };
    const { periods, lines } = sumUse([use(day, 'a', 4)], byModel, 'utcDay', span, 'quota');
    expect(periods).toEqual([day - 86_400, day]);
    expect(lines[0]?.periods.map(({ quota }) => quota)).toEqual([0, 4]);
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
