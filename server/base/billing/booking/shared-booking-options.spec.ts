import { describe, expect, it } from '@jest/globals';
import { SharedBookingOptions } from './shared-booking-options.js';

describe('SharedBookingOptions', () => {
  it.each([
    { logConsumption: false, useFigures: false, tagValuesPerDay: 0 },
    { logConsumption: true, useFigures: false, tagValuesPerDay: 0 },
    { logConsumption: false, useFigures: true, tagValuesPerDay: 1_000 },
    { logConsumption: true, useFigures: true, tagValuesPerDay: 1_000 },
  ])('reads in one thread the options another writes: %o', (options) => {
    const here = new SharedBookingOptions();
    const there = new SharedBookingOptions(here.memory);
    here.write(options);
    expect(there.read()).toEqual(options);
  });
});
