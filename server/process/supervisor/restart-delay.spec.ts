import { expect, it } from '@jest/globals';
import { restartDelayMs } from './worker-group.js';

it('replaces a dead worker within 2 s, with growing pauses after five deaths in a minute', () => {
  const delays = Array.from({ length: 12 }, (_, index) => restartDelayMs(index + 1));
  expect(delays).toEqual([100, 100, 100, 100, 100, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});
