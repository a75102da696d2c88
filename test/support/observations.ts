import { momentOf } from '../../server/common/moment.js';
import { groupFleet } from '../../server/console/operations/model/fleet.js';
import type { ReceivedReport, WorkerReport } from '../../server/console/operations/model/worker-report.js';
import type { Observation, StoredFacts } from '../../server/console/operations/model/observation.js';

/** A moment on the hour, so that minutes come out even. */
export const NOON_MS = 1_795_262_400_000;

/** A worker that is well. */
export function aReport(parts: Partial<WorkerReport> = {}): WorkerReport {
  return {
    bootId: 'boot-a',
    instance: 'aaaaaaaa',
    host: 'web-1',
    worker: 0,
    pid: 100,
    version: '1.2.0',
    address: '10.0.0.1:3000',
    startedAtMs: NOON_MS - 3_600_000,
    atMs: NOON_MS,
    state: 'running',
    isReady: true,
    revision: { number: 12, sinceMs: NOON_MS - 600_000 },
    callsUnderWay: 3,
    streamsUnderWay: 1,
    money: { spoolRecords: 0, spoolOldestSeconds: 0, settlementLagMs: 90, holds: 3 },
    eventLoopDelayMs: 4,
    memory: { residentBytes: 90_000_000, heapBytes: 40_000_000 },
    database: {
      isUp: true,
      latencyMs: 1,
      clockOffsetMs: 0,
      connectionsUsed: 1,
      connectionsWaiting: 0,
    },
    store: { kind: 'redis', isUp: true, latencyMs: 0.5 },
    breakers: [],
    restingChannels: [],
    boundedReports: [],
    degraded: [],
    minutes: [],
    ...parts,
  };
}

export const heard = (report: WorkerReport, agoMs = 1_000): ReceivedReport => ({
  report,
  heardAtMs: NOON_MS - agoMs,
});

export const NOTHING_WRONG: StoredFacts = {
  modelsOut: [],
  balances: [],
  orders: [],
  booksCheck: null,
  mail: null,
  channelNames: new Map(),
  attempts: [],
  channelFailures: new Map(),
  reserved: { quota: 0, oldestSeconds: 0 },
};

/** Two instances of one worker each, all well, unless said otherwise. */
export function anObservation(
  parts: Partial<Observation> & { readonly reports?: readonly ReceivedReport[] } = {},
): Observation {
  const { reports = twoInstances(), ...rest } = parts;
  return {
    nowMs: momentOf(NOON_MS),
    fleet: groupFleet(reports, NOON_MS),
    starts: [],
    minutes: [],
    jobs: [],
    stored: NOTHING_WRONG,
    databaseAwaySinceMs: null,
    thresholds: {
      spoolAgeSeconds: 300,
      settlementLagSeconds: 30,
      eventLoopMs: 1_000,
      errorRatePercent: 2,
      channelFailurePercent: 10,
      channelBalance: 5,
      writeoffQuota: 500_000,
    },
    ...rest,
  };
}

export const twoInstances = (): ReceivedReport[] => [
  heard(aReport()),
  heard(aReport({ bootId: 'boot-b', instance: 'bbbbbbbb', host: 'web-2' })),
];
