import type { ExecutionContext } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { callerMultiple, CONSOLE_MULTIPLE, THROTTLERS } from './throttle-groups.js';

const contextOf = (callerId: number | undefined) =>
  ({ switchToHttp: () => ({ getRequest: () => ({ callerId }) }) }) as unknown as ExecutionContext;

describe('callerMultiple', () => {
  const multiple = callerMultiple({ guest: 3, user: 5 });

  it.each([
    [undefined, 3],
    [7, 5],
    // An id of 0 counts as signed in, like any other.
    [0, 5],
  ])('multiplies for the caller %s by %i', (callerId, expected) => {
    expect(multiple(contextOf(callerId))).toBe(expected);
  });
});

describe('the limits of the console', () => {
  it('allows a signed-in account more calls than all guests of an address', () => {
    expect(CONSOLE_MULTIPLE(contextOf(7))).toBeGreaterThan(CONSOLE_MULTIPLE(contextOf(undefined)));
  });

  it('gives each group a name of its own', () => {
    const names = Object.values(THROTTLERS);
    expect(new Set(names).size).toBe(names.length);
  });
});
