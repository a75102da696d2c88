import type { ReceivedReport } from './worker-report.js';

/** A worker without a report for this long is gone. Four reports. */
export const GONE_AFTER_MS = 20_000;
/** Time a vanished worker is shown. */
const SHOWN_AFTER_MS = 600_000;

/** up: reported recently; draining: finishes running calls; gone: silent without a last report; stopped: ended in order. */
export type WorkerState = 'up' | 'draining' | 'gone' | 'stopped';

export interface FleetWorker extends ReceivedReport {
  readonly state: WorkerState;
  /** Another process has taken this one's place since. */
  readonly isReplaced: boolean;
}

export interface FleetInstance {
  readonly id: string;
  readonly host: string;
  /** up: at least one worker is; gone: none is, and at least one vanished. */
  readonly state: WorkerState;
  /** Newest of each place first, places in order. */
  readonly workers: readonly FleetWorker[];
  /** When a worker of it last reported. */
  readonly heardAtMs: number;
}

const isAlive = ({ state }: { readonly state: WorkerState }): boolean =>
  state === 'up' || state === 'draining';

/** Reports put together by instance, by name. @param nowMs  the clock `heardAtMs` was read from */
export function groupFleet(reports: readonly ReceivedReport[], nowMs: number): readonly FleetInstance[] {
  const byInstance = Map.groupBy(reports, ({ report }) => report.instance);
  return [...byInstance]
    .map(([id, heard]) => instanceOf(id, heard, nowMs))
    .sort((left, right) => left.host.localeCompare(right.host) || left.id.localeCompare(right.id));
}

/** Workers that serve now. */
export function aliveWorkers(fleet: readonly FleetInstance[]): readonly FleetWorker[] {
  return fleet.flatMap(({ workers }) => workers.filter(isAlive));
}

/** The fleet without workers that are of no interest any more: stopped, replaced, or gone for long. */
export function shownFleet(fleet: readonly FleetInstance[], nowMs: number): readonly FleetInstance[] {
  return fleet
    .map((instance) => ({
      ...instance,
      workers: instance.workers.filter(
        (worker) =>
          isAlive(worker) ||
          (worker.state === 'gone' && !worker.isReplaced && nowMs - worker.heardAtMs <= SHOWN_AFTER_MS),
      ),
    }))
    .filter(({ workers }) => workers.length > 0);
}

function instanceOf(id: string, heard: readonly ReceivedReport[], nowMs: number): FleetInstance {
  const workers = withNewcomers(
    [...Map.groupBy(heard, ({ report }) => report.worker)]
      .sort(([left], [right]) => left - right)
      .flatMap(([, ofPlace]) => placeOf(ofPlace, nowMs)),
  );
  const heardAtMs = Math.max(...heard.map((each) => each.heardAtMs));
  const newest = heard.find((each) => each.heardAtMs === heardAtMs)?.report.host ?? '';
  return { id, host: newest, state: stateOf(workers), workers, heardAtMs };
}

function placeOf(heard: readonly ReceivedReport[], nowMs: number): FleetWorker[] {
  const sorted = heard.toSorted((left, right) => right.report.startedAtMs - left.report.startedAtMs);
  return sorted.map((each, index) => ({
    ...each,
    state: workerState(each, nowMs),
    isReplaced: index > 0,
  }));
}

/**
 * A rolling replacement gives new places, and the successor of a dead worker may have another place: each worker that began after a
 * vanished one fell silent has replaced one.
 */
function withNewcomers(workers: readonly FleetWorker[]): FleetWorker[] {
  const free = workers.filter(
    ({ state, report: { worker } }) =>
      state === 'up' &&
      !workers.some((other) => other.state === 'gone' && other.isReplaced && other.report.worker === worker),
  );
  const replaced = new Set<FleetWorker>();
  const vanished = workers.filter(({ state, isReplaced }) => state === 'gone' && !isReplaced);
  for (const gone of vanished.toSorted((left, right) => left.heardAtMs - right.heardAtMs)) {
    const index = free.findIndex(({ report }) => report.startedAtMs > gone.heardAtMs);
    if (index === -1) continue;
    free.splice(index, 1);
    replaced.add(gone);
  }
  return workers.map((worker) => (replaced.has(worker) ? { ...worker, isReplaced: true } : worker));
}

function workerState({ report, heardAtMs }: ReceivedReport, nowMs: number): WorkerState {
  if (report.state === 'stopped') return 'stopped';
  if (nowMs - heardAtMs > GONE_AFTER_MS) return 'gone';
  return report.state === 'draining' ? 'draining' : 'up';
}

function stateOf(workers: readonly FleetWorker[]): WorkerState {
  if (workers.some(({ state }) => state === 'up')) return 'up';
  if (workers.some(({ state }) => state === 'draining')) return 'draining';
  return workers.some(({ state, isReplaced }) => state === 'gone' && !isReplaced) ? 'gone' : 'stopped';
}
