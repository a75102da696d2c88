import type { SpeedTone } from '../format/duration';

/** Colour of a speed step: green, lime, amber, red. The figure beside it is the same in numbers. */
export const SPEED_COLOURS: Readonly<Record<SpeedTone, string>> = {
  fast: 'success.main',
  fair: 'light-dark(#4d6310, #c3e06a)',
  slow: 'warning.main',
  bad: 'error.main',
};
