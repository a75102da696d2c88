import { readdirSync, readFileSync } from 'node:fs';
import type { World } from '../rig/world.js';

/** Resources of a worker process. */
interface Holding {
  /** Files and sockets. */
  readonly handles: number;
  readonly residentMegabytes: number;
}

/** Keys are process ids, only of workers that are alive. */
export type Resources = ReadonlyMap<number, Holding>;

/** A tenth by the catalogue; sockets a balancer keeps open for later are a few more. */
const GROWTH = 1.1;
const SPARE_HANDLES = 40;
/** A heap that was never full before grows to what its limit allows: more than this is no longer that. */
const SPARE_MEGABYTES = 150;

export function resourcesOf(world: World): Resources {
  const pids = world.instances.flatMap((instance) => instance.workers());
  return new Map(
    pids.flatMap((pid) => {
      const holding = holdingOf(pid);
      return holding === undefined ? [] : [[pid, holding] as const];
    }),
  );
}

/** Sentences about workers that hold more at the end than they did under the first load. */
export function grownResources(before: Resources, after: Resources): string[] {
  return [...after].flatMap(([pid, now]) => {
    const then = before.get(pid);
    if (then === undefined) return [];
    const hasLeaked =
      now.handles > then.handles * GROWTH + SPARE_HANDLES ||
      now.residentMegabytes > then.residentMegabytes * GROWTH + SPARE_MEGABYTES;
    return hasLeaked
      ? [
          `worker ${pid} holds ${now.handles} handles and ${now.residentMegabytes} MB when all is quiet, ` +
            `${then.handles} and ${then.residentMegabytes} MB before`,
        ]
      : [];
  });
}

function holdingOf(pid: number): Holding | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    return {
      handles: readdirSync(`/proc/${pid}/fd`).length,
      residentMegabytes: Math.round(kilobytes / 1_024),
    };
  } catch {
    return undefined; // It ended meanwhile.
  }
}
