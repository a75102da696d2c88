import { describe, expect, it } from '@jest/globals';
import { SharedBookingOptions } from './shared-booking-options.js';

describe('SharedBookingOptions', () => {
  it.each([
    { logConsumption: false, hourlyFigures: false },
    { logConsumption: true, hourlyFigures: false },
    { logConsumption: false, hourlyFigures: true },
    { logConsumption: true, hourlyFigures: true },
  ])('what one thread writes another reads: %o', (options) => {
    const here = new SharedBookingOptions();
    const there = new SharedBookingOptions(here.memory);
    here.write(options);
    expect(there.read()).toEqual(options);
  });
});
