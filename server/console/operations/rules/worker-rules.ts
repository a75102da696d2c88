import { momentOf } from '../../../common/moment.js';
import type { FleetInstance } from '../model/fleet.js';
import type { WorkerReport } from '../model/worker-report.js';
import { failureFacts } from './channel-rules.js';
import { placeName } from './fleet-rules.js';
import type { Finding, Severity } from '../model/finding.js';
import type { Observation, RuleTable } from '../model/observation.js';

const MINUTE_MS = 60_000;
/** Modes in which calls are refused or money waits. */
const FAULT_MODES: ReadonlySet<string> = new Set([
  'database-away',
  'database-read-only',
  'database-behind',
  'spool-full',
  'event-loop-slow',
  'options-not-converged',
]);

interface Place {
  readonly instance: FleetInstance;
  readonly report: WorkerReport;
}

/** Rules about the reports of workers. */
export const WORKER_RULES = {
  'degraded-mode': degradedModes,
  'breaker-open': openBreakers,
  'event-loop': slowLoops,
  'spool-old': oldSpools,
  'settlement-lag': settlementLags,
  'bounded-reports': boundedReports,
  'job-failed': failedJobs,
} satisfies Partial<RuleTable>;

/** Workers with a current report. */
const placesOf = ({ fleet }: Observation): readonly Place[] =>
  fleet.flatMap((instance) =>
    instance.workers
      .filter(({ state }) => state === 'up' || state === 'draining')
      .map(({ report }) => ({ instance, report })),
  );

/** Recurring job that evaluates alerts: its own failure is reported separately (alert-job-alarm.ts). */
export const ALERTS_JOB = 'alerts';

/** Alerts are stored in the database: a read-only database is reported separately (database-alarm.ts). */
const NOTIFIED_ELSEWHERE = 'database-read-only';

/** It was believed only after a while, and everything stands still. */
const NOTIFIED_AT_ONCE = 'database-behind';

function notifyAfterMs(mode: string): number {
  if (mode === NOTIFIED_AT_ONCE) return 0;
  return mode === NOTIFIED_ELSEWHERE ? Infinity : MINUTE_MS;
}

/** The cause need not repeat the text of the mode. */
const MODE_OF_STORE: Readonly<Record<string, string>> = {
  database: 'database-away',
  redis: 'shared-store-away',
};

/** One finding per mode: one message about three workers is clearer than three. */
function degradedModes(observation: Observation): Finding[] {
  const { databaseAwaySinceMs } = observation;
  const seen = placesOf(observation).flatMap((place) =>
    place.report.degraded
      .filter(({ mode }) => mode !== 'database-away' || databaseAwaySinceMs === null)
      .map((degraded) => ({ place, degraded })),
  );
  return [...Map.groupBy(seen, ({ degraded }) => degraded.mode)].map(([mode, each]) => {
    const first = each.toSorted((left, right) => left.degraded.sinceMs - right.degraded.sinceMs)[0];
    return {
      rule: 'degraded-mode',
      subject: mode,
      severity: FAULT_MODES.has(mode) ? 'fault' : 'warning',
      facts: {
        mode,
        workers: namesOf(each.map(({ place }) => place)),
        cause: (first?.degraded.cause ?? '').slice(0, 300),
      },
      sinceMs: momentOf(first?.degraded.sinceMs ?? 0),
      notifyAfterMs: notifyAfterMs(mode),
    } satisfies Finding;
  });
}

/** Breakers of stores, and of channels that calls keep failing on. */
function openBreakers(observation: Observation): Finding[] {
  const { stored, databaseAwaySinceMs } = observation;
  const places = placesOf(observation);
  const stores = places.flatMap((place) =>
    place.report.breakers
      .filter(({ name }) => !place.report.degraded.some(({ mode }) => mode === MODE_OF_STORE[name]))
      .filter(({ name }) => name !== 'database' || databaseAwaySinceMs === null)
      .map(({ name, sinceMs }) => ({ place, key: name, channelId: 0, name, sinceMs })),
  );
  const channels = places.flatMap((place) =>
    place.report.restingChannels.map(({ channelId, model, sinceMs }) => ({
      place,
      key: `channel ${channelId}`,
      channelId,
      name: `${stored?.channelNames.get(channelId) ?? ''} #${channelId}${model === '' ? '' : ` (${model})`}`.trim(),
      sinceMs,
    })),
  );
  return [...Map.groupBy([...stores, ...channels], ({ key }) => key)].map(([key, each]) => {
    const first = each.toSorted((left, right) => left.sinceMs - right.sinceMs)[0];
    const isChannel = key.startsWith('channel ');
    return {
      rule: 'breaker-open',
      subject: key,
      severity: isChannel ? 'notice' : 'warning',
      facts: {
        kind: isChannel ? 'channel' : 'store',
        name: first?.name ?? key,
        workers: namesOf(each.map(({ place }) => place)),
        ...(isChannel ? failureFacts(stored?.channelFailures.get(first?.channelId ?? 0)) : {}),
      },
      sinceMs: momentOf(first?.sinceMs ?? 0),
      notifyAfterMs: MINUTE_MS,
    } satisfies Finding;
  });
}

/** Share of a channel's calls from which on its reports are not believed by accident. */
const BOUNDED_PERCENT = 1;

/** Shown for any channel that reports more than its requests allow; notified from one call in a hundred on. */
function boundedReports(observation: Observation): Finding[] {
  const { stored } = observation;
  const reports = placesOf(observation).flatMap(({ report }) => report.boundedReports);
  return [...Map.groupBy(reports, ({ channelId }) => channelId)].map(([channelId, each]) => {
    const bounded = each.reduce((sum, report) => sum + report.bounded, 0);
    const calls = Math.max(
      bounded,
      each.reduce((sum, report) => sum + report.calls, 0),
    );
    const percent = (bounded / calls) * 100;
    const isMuch = percent >= BOUNDED_PERCENT;
    return {
      rule: 'bounded-reports',
      subject: String(channelId),
      severity: isMuch ? 'warning' : 'notice',
      facts: {
        channel: `${stored?.channelNames.get(channelId) ?? ''} #${channelId}`.trim(),
        channelId,
        bounded,
        calls,
        percent: Math.round(percent * 10) / 10,
      },
      sinceMs: momentOf(Math.min(...each.map(({ sinceMs }) => sinceMs))),
      notifyAfterMs: isMuch ? 0 : Number.POSITIVE_INFINITY,
    } satisfies Finding;
  });
}

function slowLoops(observation: Observation): Finding[] {
  return worstOf(observation, 'event-loop', observation.thresholds.eventLoopMs, ({ report }) => {
    const delayMs = report.eventLoopDelayMs ?? 0;
    return { value: delayMs, facts: { milliseconds: Math.round(delayMs) }, ageMs: 0 };
  });
}

function oldSpools(observation: Observation): Finding[] {
  return worstOf(observation, 'spool-old', observation.thresholds.spoolAgeSeconds, ({ report }) => {
    const seconds = report.money.spoolOldestSeconds ?? 0;
    const facts = { seconds: Math.round(seconds), records: report.money.spoolRecords ?? 0 };
    return { value: seconds, facts, ageMs: seconds * 1_000 };
  });
}

function settlementLags(observation: Observation): Finding[] {
  return worstOf(observation, 'settlement-lag', observation.thresholds.settlementLagSeconds, ({ report }) => {
    const seconds = (report.money.settlementLagMs ?? 0) / 1_000;
    return { value: seconds, facts: { seconds: Math.round(seconds * 10) / 10 }, ageMs: 0 };
  });
}

/** One finding per instance whose worst worker is above a limit. */
function worstOf(
  observation: Observation,
  rule: Finding['rule'],
  limit: number,
  measure: (place: Place) => { value: number; facts: Finding['facts']; ageMs: number },
): Finding[] {
  const severity: Severity = 'fault';
  return [...Map.groupBy(placesOf(observation), ({ instance }) => instance.id)].flatMap(
    ([subject, ofInstance]) => {
      const measured = ofInstance
        .map((place) => ({ place, ...measure(place) }))
        .toSorted((left, right) => right.value - left.value)[0];
      if (measured === undefined || measured.value <= limit) return [];
      const { place, facts, ageMs } = measured;
      const worker = placeName(place.instance, place.report.worker);
      return [
        {
          rule,
          subject,
          severity,
          facts: { worker, limit, ...facts },
          sinceMs: momentOf(observation.nowMs - ageMs),
          notifyAfterMs: 0,
        },
      ];
    },
  );
}

function failedJobs({ jobs }: Observation): Finding[] {
  return jobs
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'lost')
    .map(({ name, message, endedAtMs, startedAtMs }) => ({
      rule: 'job-failed',
      subject: name,
      severity: 'warning',
      facts: { job: name, fault: message.slice(0, 300) },
      sinceMs: momentOf(endedAtMs || startedAtMs),
      notifyAfterMs: name === ALERTS_JOB ? Infinity : 15 * MINUTE_MS,
    }));
}

const namesOf = (places: readonly Place[]): string =>
  [...new Set(places.map(({ instance, report }) => placeName(instance, report.worker)))]
    .join(', ')
    .slice(0, 400);
