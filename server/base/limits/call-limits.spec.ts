import { describe, expect, it } from '@jest/globals';
import { limitRow } from '../../../test/support/fixtures/limits.fixture.js';
import {
  LimitPeriods,
  markOfWindow,
  opensAt,
  refusalOf,
  replenishedAt,
  usedParts,
  windowKey,
} from './call-limits.js';
import type { LimitDefinition } from './limit-definition.js';
import { marksText, readMarks } from './limit-marks.js';

const NOW = Date.parse('2026-05-14T10:20:30Z');
const NEEDED = { quota: 110, inputTokens: 10, outputTokens: 50 };
const of = (changes: Partial<LimitDefinition>) =>
  new LimitPeriods([{ zone: 'UTC', fromMs: 0 }]).limitsOf(
    [{ limit: limitRow(changes), value: '' }],
    NEEDED,
    NOW,
  );

describe('LimitPeriods', () => {
  it.each([
    ['quota', 110],
    ['tokens', 60],
    ['input_tokens', 10],
    ['output_tokens', 50],
    ['requests', 1],
    ['in_flight', 1],
  ] as const)('takes the worst case of %s', (measure, need) => {
    expect(of({ measure, period: measure === 'in_flight' ? '' : 'day' }).parts[0]?.need).toBe(need);
  });

  it.each([
    ['a day of the calendar', { period: 'day' }, '2026-05-15T00:00:00Z'],
    [
      'a rolling hour, whose bucket of this call counts whole',
      { period: 'hour', rolling: true },
      '2026-05-14T11:21:00Z',
    ],
    ['a rolling minute, to the millisecond', { period: 'minute', rolling: true }, '2026-05-14T10:21:30Z'],
    [
      'a rolling minute of many requests, to a tenth of a second',
      { period: 'minute', rolling: true, amount: 601 },
      '2026-05-14T10:21:30.099Z',
    ],
  ] as const)('has all of the amount free again after %s', (_what, changes, expected) => {
    const [limit] = of(changes).limits;
    expect(limit && replenishedAt(limit)).toBe(Date.parse(expected));
  });

  it('marks the period of the admission, and no calls in flight', () => {
    const { marks } = of({ id: 3, period: 'month' });
    expect(readMarks(marks)).toEqual([
      { limitId: 3, value: '', periodStartMs: Date.parse('2026-05-01T00:00:00Z'), measure: 'requests' },
    ]);
    expect(of({ measure: 'in_flight', period: '' }).marks).toBe('');
  });

  it('counts in the next period from its start on', () => {
    const periods = new LimitPeriods([{ zone: 'UTC', fromMs: 0 }]);
    const fieldAt = (nowMs: number) =>
      periods.limitsOf([{ limit: limitRow({ period: 'minute' }), value: '' }], NEEDED, nowMs).parts[0]?.field;
    expect(fieldAt(59_999)).toBe(0);
    expect(fieldAt(60_000)).toBe(60_000);
    // A clock that is put back counts in the period it shows.
    expect(fieldAt(59_999)).toBe(0);
  });

  it('counts a rolling minute by moments and books it by seconds', () => {
    const periods = new LimitPeriods([{ zone: 'UTC', fromMs: 0 }]);
    const at = (nowMs: number, amount: number) =>
      periods.limitsOf(
        [{ limit: limitRow({ period: 'minute', rolling: true, amount }), value: '' }],
        NEEDED,
        nowMs,
      );
    const { parts, marks } = at(100_456, 5);
    expect(parts[0]).toMatchObject({ field: 100_456, from: 40_457 });
    expect(readMarks(marks)[0]?.periodStartMs).toBe(100_000);
    expect(at(100_456, 601).parts[0]).toMatchObject({ field: 100_499, from: 40_457 });
    // A call counts until its minute is over, and no longer.
    expect(at(160_455, 5).parts[0]?.from).toBe(100_456);
    expect(at(160_456, 5).parts[0]?.from).toBe(100_457);
    expect(markOfWindow(parts[0]?.key ?? '', 100_456)?.periodStartMs).toBe(100_000);
  });

  it('refuses nothing where a limit only warns, and applies an override until it ends', () => {
    expect(of({ action: 'warn' }).parts[0]?.amount).toBe(Number.MAX_SAFE_INTEGER);
    expect(of({ overrideAmount: 500, overrideUntilMs: NOW + 1 }).parts[0]?.amount).toBe(500);
    expect(of({ overrideAmount: 500, overrideUntilMs: NOW }).parts[0]?.amount).toBe(100);
  });
});

describe('the end of a limited call', () => {
  it('counts a failed call as a request alone', () => {
    expect(usedParts(of({}), undefined, true)[0]?.used).toBe(1);
    expect(usedParts(of({ measure: 'tokens' }), undefined, true)[0]?.used).toBe(0);
    expect(usedParts(of({}), undefined, false)[0]?.used).toBe(0);
  });
});

describe('refusalOf', () => {
  it('names the limit that opens last', () => {
    const [day] = of({ id: 1 }).limits;
    const [month] = of({ id: 2, period: 'month' }).limits;
    if (day === undefined || month === undefined) throw new Error('no limits');
    const full = [day, month].map((limit) => ({ limit, opensAtMs: limit.resetsAtMs }));
    expect(refusalOf(full)).toMatchObject({ limitId: 2, opensAtMs: Date.parse('2026-06-01T00:00:00Z') });
  });

  it('names the need of a call that never fits', () => {
    const [limit] = of({ measure: 'tokens', amount: 59 }).limits;
    if (limit === undefined) throw new Error('no limit');
    expect(refusalOf([{ limit, opensAtMs: limit.resetsAtMs }])).toMatchObject({ neverFits: { needed: 60 } });
  });
});

describe('opensAt', () => {
  it('opens a rolling limit when enough buckets have left it', () => {
    const [limit] = of({ measure: 'tokens', amount: 100, period: 'hour', rolling: true }).limits;
    if (limit === undefined) throw new Error('no limit');
    const minute = (minutes: number) => Date.parse('2026-05-14T09:30:00Z') + minutes * 60_000;
    const sums = new Map([
      [minute(0), 30],
      [minute(5), 30],
      [minute(10), 40],
    ]);
    expect(opensAt(limit, sums)).toBe(minute(5) + 61 * 60_000);
  });
});

describe('names of windows', () => {
  it('name the limit, value and measure they count', () => {
    const limit = limitRow({ id: 9, scope: 'tag', measure: 'tokens', rolling: true });
    expect(markOfWindow(windowKey(limit, 'a:b.c'), 5)).toEqual({
      limitId: 9,
      value: 'a:b.c',
      periodStartMs: 5,
      measure: 'tokens',
    });
    expect(markOfWindow(windowKey(limitRow({ measure: 'in_flight', period: '' }), ''), 0)).toBeUndefined();
  });
});

describe('readMarks', () => {
  it('leaves out what it does not know', () => {
    expect(readMarks('[[1,"",0,"requests"],[2,"",0,"seconds"],["x"],null]')).toEqual([
      { limitId: 1, value: '', periodStartMs: 0, measure: 'requests' },
    ]);
    expect(readMarks(marksText([]))).toEqual([]);
    expect(readMarks(null)).toEqual([]);
  });
});
