import { readdirSync, readFileSync } from 'node:fs';

/**
 * What the kernel knows about processes and the machine. Linux only, as the bench is.
 */

/** CPU time of a process with all its threads, in nanoseconds; 0 when it is gone. */
export function cpuNs(pid) {
  let total = 0;
  let threads;
  try {
    threads = readdirSync(`/proc/${pid}/task`);
  } catch {
    return 0;
  }
  for (const thread of threads) {
    try {
      total += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0]);
    } catch {
      // The thread ended between the two reads: what it used is lost to us, and small.
    }
  }
  return total;
}

export const cpuNsOf = (pids) => pids.reduce((sum, pid) => sum + cpuNs(pid), 0);

/** Resident memory of some processes together, in bytes. */
export function rssBytes(pids) {
  return pids.reduce((sum, pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return sum + Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1024;
  }, 0);
}

/** @returns {{busyTicks: number, stolenTicks: number, totalTicks: number}} of all cores since boot */
export function machineTicks() {
  const fields = readFileSync('/proc/stat', 'latin1')
    .split('\n', 1)[0]
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  const [user, nice, system, idle, iowait, irq, softirq, steal] = fields;
  return {
    // Interrupts are left out: those of the loopback device are nobody's, and ours anyway.
    busyTicks: user + nice + system,
    stolenTicks: steal,
    totalTicks: user + nice + system + idle + iowait + irq + softirq + steal,
  };
}

const NS_PER_TICK = 1e7;

/**
 * Watches a stretch of time for anybody else using the machine.
 * @param {readonly number[]} ownPids processes whose work is ours
 * @returns a function that ends the stretch: shares of the whole machine, 0..1
 */
export function watchMachine(ownPids) {
  const before = machineTicks();
  const ownBefore = cpuNsOf(ownPids);
  return () => {
    const after = machineTicks();
    const total = Math.max(1, after.totalTicks - before.totalTicks);
    const ownTicks = (cpuNsOf(ownPids) - ownBefore) / NS_PER_TICK;
    return {
      stolenShare: (after.stolenTicks - before.stolenTicks) / total,
      foreignShare: Math.max(0, (after.busyTicks - before.busyTicks - ownTicks) / total),
    };
  };
}
