import { describeSkew } from '../../infra/health/clock-watch.js';
import { StartRefusal } from '../../common/errors/start-refusal.js';

/** A start with a clock this far off fails; a process whose clock drifts goes on, and is not ready. */
const REFUSED_SKEW_MS = 120_000;

/** @param skewMs  this machine's clock less the database's. Fails: StartRefusal when they differ by more than two minutes. */
export function checkClock(skewMs: number): void {
  if (Math.abs(skewMs) <= REFUSED_SKEW_MS) return;
  throw new StartRefusal(
    `The clock of this machine is ${describeSkew(skewMs)} the database's. Let both keep time by NTP, then start again.`,
  );
}
