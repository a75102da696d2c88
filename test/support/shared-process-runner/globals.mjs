// What `@jest/globals` gives to test files that are imported plainly.
import { jestExpect } from '@jest/expect';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
export { afterAll, afterEach, beforeAll, beforeEach, describe, it, test } from 'jest-circus';

export const expect = jestExpect;

const mocks = new ModuleMocker(globalThis);
const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });

/** As much of `jest` as the tests use. */
export const jest = {
  /** @param {number} timeoutMs for every test and hook of the file */
  setTimeout: (timeoutMs) => {
    globalThis[Symbol.for('TEST_TIMEOUT_SYMBOL')] = timeoutMs;
  },
  fn: mocks.fn.bind(mocks),
  spyOn: mocks.spyOn.bind(mocks),
  restoreAllMocks: () => mocks.restoreAllMocks(),
  useFakeTimers: (config) => timers.useFakeTimers(config),
  useRealTimers: () => timers.useRealTimers(),
  setSystemTime: (now) => timers.setSystemTime(now),
  advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  advanceTimersByTimeAsync: (ms) => timers.advanceTimersByTimeAsync(ms),
  getTimerCount: () => timers.getTimerCount(),
};

/** What a file changed is put back before the next one. */
export function putBack() {
  timers.useRealTimers();
  mocks.restoreAllMocks();
}
