import { describe, expect, it } from '@jest/globals';
import { SharedBookingOptions } from './shared-booking-options.js';

describe('SharedBookingOptions', () => {
  it.each([
    { logConsumption: false, useFigures: false },
    { logConsumption: true, useFigures: false },
    { logConsumption: false, useFigures: true },
    { logConsumption: true, useFigures: true },
  ])('reads in one thread the options another writes: %o', (options) => {
    const here = new SharedBookingOptions();
    const there = new SharedBookingOptions(here.memory);
    here.write(options);
    expect(there.read()).toEqual(options);
  });
});
