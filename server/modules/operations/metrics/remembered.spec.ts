import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { remembered } from './remembered.js';

describe('remembered', () => {
  it('asks once, however many want to know, and again after 15 seconds', async () => {
    const clock = new FakeClock();
    let asked = 0;
    const ask = remembered(clock, () => Promise.resolve((asked += 1)));
    expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
    clock.advance(14_999);
    expect(await ask()).toBe(1);
    clock.advance(1);
    expect(await ask()).toBe(2);
  });
});
