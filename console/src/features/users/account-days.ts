/** Use of one day. */
export interface DayUse {
  /** Seconds. */
  readonly start: number;
  readonly quota: number;
  readonly calls: number;
}

interface Row {
  readonly created_at: number;
  readonly quota: number;
  readonly count: number;
}

/** One entry per day, days without use included. @param starts  of the days, the oldest first */
export function daysOf(rows: readonly Row[], starts: readonly number[]): DayUse[] {
  return starts.map((start, index) => {
    const next = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    const own = rows.filter(({ created_at: at }) => at >= start && at < next);
    return {
      start,
      quota: own.reduce((sum, { quota }) => sum + quota, 0),
      calls: own.reduce((sum, { count }) => sum + count, 0),
    };
  });
}

export const sumOfDays = (days: readonly DayUse[]): Pick<DayUse, 'quota' | 'calls'> => ({
  quota: days.reduce((sum, { quota }) => sum + quota, 0),
  calls: days.reduce((sum, { calls }) => sum + calls, 0),
});
