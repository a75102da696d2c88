import type { Clock } from '../../common/clock.js';
import type { JobRun } from './job-run.js';

/** Part of the hour between two runs: the rest waits for the next one. */
const MAX_MS = 50 * 60_000;
const MAX_PAUSE_MS = 1_000;

/**
 * Goes on in small batches while something is due. After each it pauses as long as the batch took, so that others have the database half
 * of the time at least. When the time is over, the job's last run reports that more is due.
 * @param batch  does a part of what is due; answers how much, 0 = nothing is left
 * @returns how much was done. Fails: JobOvertakenError; with the error of `batch`.
 */
export async function clearInBatches(
  clock: Clock,
  run: JobRun | undefined,
  batch: () => Promise<number>,
): Promise<number> {
  const startedMs = clock.monotonicMs();
  let done = 0;
  for (;;) {
    const beganMs = clock.monotonicMs();
    await run?.confirm();
    const count = await batch();
    if (count === 0) return done;
    done += count;
    const nowMs = clock.monotonicMs();
    if (nowMs - startedMs >= MAX_MS) {
      run?.setMessage(`${done} rows were cleared in the time of one run; more are due, the next run goes on`);
      return done;
    }
    const pauseMs = Math.min(nowMs - beganMs, MAX_PAUSE_MS);
    await new Promise<void>((resolve) => clock.after(pauseMs, resolve));
  }
}
