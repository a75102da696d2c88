import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { act, renderHook } from '@testing-library/react';
import { useCountdown } from './use-countdown';

describe('countdown', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('counts whole seconds down to nothing and can be started again', () => {
    const { result } = renderHook(() => useCountdown(30));
    expect(result.current.leftSeconds).toBe(0);
    act(() => result.current.start());
    expect(result.current.leftSeconds).toBe(30);
    act(() => jest.advanceTimersByTime(1_000));
    expect(result.current.leftSeconds).toBe(29);
    act(() => jest.advanceTimersByTime(28_750));
    expect(result.current.leftSeconds).toBe(1);
    act(() => jest.advanceTimersByTime(500));
    expect(result.current.leftSeconds).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
    act(() => result.current.start());
    expect(result.current.leftSeconds).toBe(30);
  });

  it('follows the clock: a tab that slept is not behind', () => {
    const { result } = renderHook(() => useCountdown(30));
    act(() => result.current.start());
    jest.setSystemTime(Date.now() + 29_500);
    act(() => jest.advanceTimersByTime(250));
    expect(result.current.leftSeconds).toBe(1);
  });
});
