import { describe, expect, it } from '@jest/globals';
import { readWorkerReport } from './worker-report.js';

/** Minimal report of the oldest version that is understood: nothing that has a default. */
const LEAST = {
  bootId: 'b',
  instance: 'i',
  host: 'h',
  worker: 1,
  pid: 2,
  version: '0.1.0',
  startedAtMs: 1,
  atMs: 2,
  state: 'running',
  revision: { number: 1, sinceMs: 1 },
  money: {},
  memory: { residentBytes: 1, heapBytes: 1 },
  database: { isUp: true },
  store: { kind: 'memory', isUp: true },
};

describe('readWorkerReport', () => {
  it('takes fields an earlier version lacks for unknown, not for 0', () => {
    expect(readWorkerReport(JSON.stringify(LEAST))).toMatchObject({
      address: '',
      isReady: true,
      callsUnderWay: null,
      eventLoopDelayMs: null,
      money: { spoolRecords: null, holds: null },
      database: { latencyMs: null, clockOffsetMs: null },
      breakers: [],
      restingChannels: [],
      boundedReports: [],
      minutes: [],
    });
  });

  it('ignores additional fields of a later version', () => {
    const later = { ...LEAST, surprise: 1, minutes: [{ minute: 1, calls: 2, errors: 0, surprise: 1 }] };
    expect(readWorkerReport(JSON.stringify(later))?.minutes).toEqual([
      {
        minute: 1,
        calls: 2,
        errors: 0,
        firstTokens: {},
        settlementLagMs: 0,
        writeoffQuota: 0,
        overrunCalls: 0,
        overrunQuota: 0,
      },
    ]);
  });

  it.each([
    ['nothing', ''],
    ['no JSON', '{'],
    ['null', 'null'],
    ['a list', '[]'],
    ['a state nobody knows', JSON.stringify({ ...LEAST, state: 'dreaming' })],
    ['a figure as text', JSON.stringify({ ...LEAST, atMs: '2' })],
    ['no name of its start', JSON.stringify({ ...LEAST, bootId: undefined })],
  ])('takes %s for no report', (_what, text) => {
    expect(readWorkerReport(text)).toBeNull();
  });
});
