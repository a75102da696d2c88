import { readdirSync, readFileSync } from 'node:fs';

/** Reads the kernel's figures about processes and the machine. Linux only, as the bench is. */

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

/** @returns {{busyTicks: number, stolenTicks: number, totalTicks: number}} of one core since boot */
function coreTicks(core) {
  const line = readFileSync('/proc/stat', 'latin1')
    .split('\n')
    .find((text) => text.startsWith(`cpu${core} `));
  const [user, nice, system, idle, iowait, irq, softirq, steal] = line.split(/\s+/).slice(1).map(Number);
  return {
    // Interrupts are left out: those of the loopback device are shared, and ours anyway.
    busyTicks: user + nice + system,
    stolenTicks: steal,
    totalTicks: user + nice + system + idle + iowait + irq + softirq + steal,
  };
}

const NS_PER_TICK = 1e7;

/**
 * Watches a stretch of time for other load on the cores we use.
 * @param {readonly {core: number, pids: readonly number[]}[]} cores our processes, by the core they are pinned to
 * @returns a function that ends the stretch: the worse core's shares, 0..1
 */
export function watchCores(cores) {
  const before = cores.map(({ core, pids }) => ({ ticks: coreTicks(core), ownNs: cpuNsOf(pids) }));
  return () => {
    let stolenShare = 0;
    let foreignShare = 0;
    cores.forEach(({ core, pids }, index) => {
      const after = coreTicks(core);
      const { ticks, ownNs } = before[index];
      const total = Math.max(1, after.totalTicks - ticks.totalTicks);
      const ownTicks = (cpuNsOf(pids) - ownNs) / NS_PER_TICK;
      stolenShare = Math.max(stolenShare, (after.stolenTicks - ticks.stolenTicks) / total);
      foreignShare = Math.max(foreignShare, (after.busyTicks - ticks.busyTicks - ownTicks) / total);
    });
    return { stolenShare, foreignShare };
  };
}
