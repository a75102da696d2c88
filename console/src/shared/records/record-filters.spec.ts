import { expect, it } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { jest } from '@jest/globals';
import { boundText, NO_BOUND, RECORD_FILTERS, spanOf, useRangeMinute } from './record-filters';

const usual = { start: 1_000, end: undefined };

it.each([
  ['nothing, the usual', '', 1_000],
  ['nonsense, the usual', 'soon', 1_000],
  ['a moment, that one', '1795262400', 1_795_262_400],
  ['an emptied field, no bound', NO_BOUND, undefined],
])('reads from the address: %s', (_what, start, wanted) => {
  expect(spanOf({ ...RECORD_FILTERS, start }, usual)).toEqual({ start: wanted, end: undefined });
});

it('writes an emptied field only where it differs from the usual', () => {
  expect(boundText(undefined, 1_000)).toBe(NO_BOUND);
  expect(boundText(undefined, undefined)).toBe('');
  expect(boundText(60, 1_000)).toBe('60');
});

it('counts the usual range from one minute until it is renewed', () => {
  jest.useFakeTimers({ now: 1_795_262_430_000 });
  try {
    const { result } = renderHook(() => useRangeMinute());
    expect(result.current[0]).toBe(1_795_262_400);
    let renewed = true;
    act(() => {
      renewed = result.current[1]();
    });
    expect(renewed).toBe(false);
    act(() => {
      jest.advanceTimersByTime(120_000);
    });
    expect(result.current[0]).toBe(1_795_262_400);
    act(() => {
      renewed = result.current[1]();
    });
    expect(renewed).toBe(true);
    expect(result.current[0]).toBe(1_795_262_520);
    act(() => {
      jest.advanceTimersByTime(2_000_000);
    });
    expect(result.current[0]).toBeGreaterThan(1_795_262_520 + 1_700);
  } finally {
    jest.useRealTimers();
  }
});
