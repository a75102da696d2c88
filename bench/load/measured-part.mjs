import { cpuNsOf, watchCores } from '../lib/proc.mjs';

/** The part of a slice that counts: what comes in the lead before it brings caches, heaps and clocks of an idle process back. */
export class MeasuredPart {
  hasBegun = false;
  #pids;
  #cpuBefore = 0;
  #endWatch;

  /** @param {{leadMs: number, pids: number[], cores: {core: number, pids: number[]}[]}} slice `leadMs`: unmeasured milliseconds */
  constructor({ leadMs, pids, cores }) {
    this.#pids = pids;
    const begin = () => {
      this.hasBegun = true;
      this.#endWatch = watchCores(cores);
      this.#cpuBefore = cpuNsOf(pids);
    };
    if (leadMs === 0) begin();
    else setTimeout(begin, leadMs);
  }

  /** CPU time of the target since the part began, in nanoseconds. */
  get cpuNs() {
    return cpuNsOf(this.#pids) - this.#cpuBefore;
  }

  /** @returns {{stolenShare: number, foreignShare: number}} of the worse core, 0 to 1 */
  end() {
    return this.#endWatch();
  }
}
