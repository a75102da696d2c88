import { momentOf } from '../../../common/moment.js';
import { TOLERATED_SKEW_MS } from '../../../infra/health/clock-watch.js';
import { aliveWorkers, type FleetInstance, type FleetWorker } from '../model/fleet.js';
import type { Finding } from '../model/finding.js';
import type { Observation, RuleTable } from '../model/observation.js';

/** Starts of one worker within RESTART_WINDOW_MS that are too many. */
const MANY_STARTS = 4;
export const RESTART_WINDOW_MS = 900_000;
/** Workers that see a change apart by less than this have converged. */
const REVISION_GRACE_MS = 10_000;
const SKEW_NOTICE_MS = 2_000;
const MINUTE_MS = 60_000;

export const placeName = (instance: Pick<FleetInstance, 'host' | 'id'>, worker?: number): string =>
  worker === undefined ? `${instance.host} (${instance.id})` : `${instance.host} (${instance.id}) #${worker}`;

/** Instances and workers that vanished, restart or are at odds with the others. */
export const FLEET_RULES = {
  'instance-gone': goneInstances,
  'worker-gone': goneWorkers,
  'worker-restarting': restartingWorkers,
  'revision-differs': differingRevisions,
  'version-differs': differingVersions,
  'clock-skew': skewedClocks,
} satisfies Partial<RuleTable>;

function goneInstances({ fleet }: Observation): Finding[] {
  return fleet
    .filter(({ state }) => state === 'gone')
    .map((instance) => ({
      rule: 'instance-gone',
      subject: instance.id,
      severity: 'fault',
      facts: { instance: placeName(instance), heardAtMs: instance.heardAtMs },
      sinceMs: momentOf(instance.heardAtMs),
      notifyAfterMs: 0,
    }));
}

/** One worker of an instance that lives otherwise; a supervisor replaces it within seconds, or something keeps it from that. */
function goneWorkers({ fleet }: Observation): Finding[] {
  return fleet
    .filter(({ state }) => state === 'up')
    .flatMap((instance) =>
      instance.workers
        .filter(({ state, isReplaced }) => state === 'gone' && !isReplaced)
        .map(({ report, heardAtMs }): Finding => ({
          rule: 'worker-gone',
          subject: `${instance.id}#${report.worker}`,
          severity: 'warning',
          facts: { worker: placeName(instance, report.worker), pid: report.pid, heardAtMs },
          sinceMs: momentOf(heardAtMs),
          notifyAfterMs: MINUTE_MS,
        })),
    );
}

function restartingWorkers({ fleet, starts }: Observation): Finding[] {
  const places = Map.groupBy(starts, ({ instance, worker }) => `${instance}#${worker}`);
  return [...places].flatMap(([subject, ofPlace]): Finding[] => {
    const [first] = ofPlace;
    if (first === undefined || ofPlace.length < MANY_STARTS) return [];
    const instance = fleet.find(({ id }) => id === first.instance);
    return [
      {
        rule: 'worker-restarting',
        subject,
        severity: 'fault',
        facts: {
          worker: instance === undefined ? subject : placeName(instance, first.worker),
          starts: ofPlace.length,
          minutes: RESTART_WINDOW_MS / MINUTE_MS,
        },
        sinceMs: momentOf(first.startedAtMs),
        notifyAfterMs: 0,
      },
    ];
  });
}

/** Workers behind the newest revision for longer than a change takes to arrive. */
function differingRevisions({ fleet, nowMs }: Observation): Finding[] {
  const alive = aliveWorkers(fleet);
  const newest = alive.reduce((most, { report }) => Math.max(most, report.revision.number), 0);
  const behind = alive.filter(({ report }) => report.revision.number < newest);
  if (behind.length === 0) return [];
  const sinceMs = Math.min(
    ...alive
      .filter(({ report }) => report.revision.number === newest)
      .map(({ report }) => report.revision.sinceMs),
  );
  if (nowMs - sinceMs < REVISION_GRACE_MS) return [];
  return [
    {
      rule: 'revision-differs',
      subject: '',
      severity: 'fault',
      facts: {
        newest,
        workers: namesOf(fleet, behind),
        revisions: [...new Set(behind.map(({ report }) => report.revision.number))].join(', '),
      },
      sinceMs: momentOf(sinceMs),
      notifyAfterMs: 20_000,
    },
  ];
}

/** Normal while an upgrade goes round; odd when it stays. */
function differingVersions({ fleet }: Observation): Finding[] {
  const alive = aliveWorkers(fleet);
  const versions = [...new Set(alive.map(({ report }) => report.version))].sort();
  if (versions.length < 2) return [];
  return [
    {
      rule: 'version-differs',
      subject: '',
      severity: 'notice',
      facts: { versions: versions.join(', ') },
      sinceMs: momentOf(
        Math.max(
          ...versions.map((version) =>
            Math.min(
              ...alive
                .filter(({ report }) => report.version === version)
                .map(({ report }) => report.startedAtMs),
            ),
          ),
        ),
      ),
      notifyAfterMs: 60 * MINUTE_MS,
    },
  ];
}

function skewedClocks({ fleet, nowMs }: Observation): Finding[] {
  return fleet.flatMap((instance): Finding[] => {
    const offsets = instance.workers
      .filter(({ state }) => state === 'up')
      .flatMap(({ report }) => report.database.clockOffsetMs ?? []);
    const worst = offsets.reduce((most, each) => (Math.abs(each) > Math.abs(most) ? each : most), 0);
    if (Math.abs(worst) < SKEW_NOTICE_MS) return [];
    const isFault = Math.abs(worst) > TOLERATED_SKEW_MS;
    return [
      {
        rule: 'clock-skew',
        subject: instance.id,
        severity: isFault ? 'fault' : 'notice',
        facts: { instance: placeName(instance), seconds: Math.round(worst / 100) / 10 },
        sinceMs: nowMs,
        notifyAfterMs: isFault ? 0 : Number.POSITIVE_INFINITY,
      },
    ];
  });
}

function namesOf(fleet: readonly FleetInstance[], workers: readonly FleetWorker[]): string {
  return workers
    .map(({ report }) => {
      const instance = fleet.find(({ id }) => id === report.instance);
      return placeName(instance ?? { host: report.host, id: report.instance }, report.worker);
    })
    .join(', ')
    .slice(0, 400);
}
