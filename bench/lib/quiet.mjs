import { cpuNsOf } from './proc.mjs';

const LOOK_EVERY_MS = 200;
/** Share of one core that idle gateways, their stores and their timers take together. */
const QUIET_SHARE = 0.1;
const PATIENCE_MS = 10_000;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Waits until a target and everything behind it has done its deferred work: a gateway books in batches, and its database writes.
 * Else that work is not counted as its own, and slows the next target.
 * @param {readonly number[]} pids  the target's processes
 * @param {readonly {core: number, pids: readonly number[]}[]} cores  all processes of the bench, by core
 * @param {number} leastMs  at least so long
 * @param {(line: string) => void} say  called when the time was not enough
 */
export async function untilQuiet(pids, cores, leastMs, say) {
  const all = [...new Set([...pids, ...cores.flatMap((core) => core.pids)])];
  const deadline = performance.now() + PATIENCE_MS;
  await pause(leastMs);
  for (;;) {
    const before = cpuNsOf(all);
    await pause(LOOK_EVERY_MS);
    // This very process is among them: it does nothing meanwhile but wait.
    const share = (cpuNsOf(all) - before) / 1e6 / LOOK_EVERY_MS;
    if (share < QUIET_SHARE) return;
    if (performance.now() > deadline) {
      say(
        `still not quiet after ${PATIENCE_MS / 1000} s (${share.toFixed(2)} cores): the next slice pays for it`,
      );
      return;
    }
  }
}
