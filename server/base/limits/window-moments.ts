import { bucketMs, ROLLING_MS } from './calendar-periods.js';
import type { LimitDefinition, LimitMeasure } from './limit-definition.js';

type Rolling = Pick<LimitDefinition, 'period' | 'rolling'>;

/** Requests of a minute that a window counts each at its own moment. */
const MOST_MOMENTS = 600;
/** Length of what a window counts together above that, milliseconds: 600 sums a minute. */
const TOGETHER_MS = 100;
const BOOKED_MS = bucketMs('minute');

/** Windows of a rolling minute count moments, which are finer than the buckets of the books. */
export const countsMoments = ({ period, rolling }: Rolling): boolean => rolling && period === 'minute';

/**
 * Field of a call in the window of a rolling minute, and the oldest one that counts. A field is the last moment it stands for: whatever its length, no
 * call leaves the window before its minute is over.
 */
export function momentAt(
  measure: LimitMeasure,
  amount: number,
  nowMs: number,
): { readonly field: number; readonly from: number } {
  const now = Math.floor(nowMs);
  const length = measure === 'requests' && amount <= MOST_MOMENTS ? 1 : TOGETHER_MS;
  return { field: now - (now % length) + length - 1, from: now - ROLLING_MS.minute + 1 };
}

/** Field in a window for use that the books have in a period or bucket. */
export const fieldOfBooked = (limit: Rolling, startsAtMs: number): number =>
  countsMoments(limit) ? startsAtMs + BOOKED_MS - 1 : startsAtMs;

/** Bucket of the books for a field of a rolling minute. */
export const bookedOfField = (field: number): number => field - (field % BOOKED_MS);
