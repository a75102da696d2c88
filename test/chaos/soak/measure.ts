import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type { Books } from '../check/books.js';
import type { Instance } from '../rig/instance.js';

/** One look at everything that must not grow: name of the measure and its value. */
export type Sample = ReadonlyMap<string, number>;

export interface Watched {
  readonly instance: Instance;
  readonly metricsUrl: string;
  readonly redis: Redis;
  readonly books: Books;
}

/** Booked charges are kept for seven days, to be booked again after a restore: they grow by design. */
export const FINISHED = 'finished spool segments, MB';
const MEBIBYTE = 1024 * 1024;

/** Memory and descriptors of every process, files of the data folder, what waits for the database, keys of Redis. */
export async function measure(watched: Watched): Promise<Sample> {
  const { instance, metricsUrl, redis, books } = watched;
  const sample = new Map<string, number>();
  const processes = [instance.supervisor ?? 0].concat(instance.workers());
  for (const [index, pid] of processes.entries()) {
    const name = index === 0 ? 'supervisor' : `worker ${index}`;
    sample.set(`${name}: resident, MB`, residentMegabytes(pid));
    sample.set(`${name}: open descriptors`, readdirSync(`/proc/${pid}/fd`).length);
  }
  const metrics = await (await fetch(metricsUrl)).text();
  for (const [worker, bytes] of byWorker(metrics, 'tollgate_nodejs_heap_size_used_bytes'))
    sample.set(`worker ${Number(worker) + 1}: heap in use, MB`, bytes / MEBIBYTE);
  const most = (name: string): number => Math.max(0, ...byWorker(metrics, name).values());
  const sum = (name: string): number => [...byWorker(metrics, name).values()].reduce((a, b) => a + b, 0);
  sample.set('event loop, 99 of 100 turns, ms', most('tollgate_event_loop_delay_p99_seconds') * 1_000);
  sample.set('event loop, latest turn, ms', most('tollgate_event_loop_delay_max_seconds') * 1_000);
  sample.set('charges waiting for the database', sum('tollgate_spool_unbooked_records'));
  sample.set('calls written down and open', sum('tollgate_spool_open_calls'));
  sample.set('calls that hold quota', sum('tollgate_holds'));
  const files = filesIn(instance.settings.dataDir);
  sample.set('files in DATA_DIR', files.count);
  sample.set('bytes in DATA_DIR, MB', files.bytes / MEBIBYTE);
  sample.set(FINISHED, files.finishedBytes / MEBIBYTE);
  sample.set('Redis keys', await redis.dbsize());
  sample.set(
    'Redis memory, MB',
    Number(/used_memory:(\d+)/.exec(await redis.info('memory'))?.[1]) / MEBIBYTE,
  );
  sample.set('open reservations', await books.openReservations());
  return sample;
}

/** Values of a gauge by its worker. */
export function byWorker(metrics: string, name: string): ReadonlyMap<string, number> {
  const lines = metrics.matchAll(new RegExp(`^${name}\\{[^}]*worker="([^"]+)"[^}]*\\} (\\S+)`, 'gm'));
  return new Map([...lines].map(([, worker = '', value]) => [worker, Number(value)]));
}

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
}

interface Files {
  readonly count: number;
  readonly bytes: number;
  readonly finishedBytes: number;
}

function filesIn(folder: string): Files {
  let [count, bytes, finishedBytes] = [0, 0, 0];
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const size = statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size;
    // Spool segments come and go between two looks.
    if (size === undefined) continue;
    if (entry.name.endsWith('.done')) finishedBytes += size;
    else {
      count += 1;
      bytes += size;
    }
  }
  return { count, bytes, finishedBytes };
}
