import { describe, expect, it } from '@jest/globals';
import { groupFleet, shownFleet } from './fleet.js';
import type { ReceivedReport } from './worker-report.js';

const NOW = 1_000_000;
const heard = (worker: number, startedAtMs: number, heardAtMs = NOW, state = 'up'): ReceivedReport =>
  ({
    heardAtMs,
    report: { instance: 'one', host: 'host', worker, startedAtMs, state },
  }) as unknown as ReceivedReport;
const gone = (...reports: ReceivedReport[]): readonly number[] =>
  shownFleet(groupFleet(reports, NOW), NOW).flatMap(({ workers }) =>
    workers.flatMap(({ state, report }) => (state === 'gone' ? [report.worker] : [])),
  );
const SILENT = NOW - 60_000;

describe('a worker that vanished', () => {
  it('stays listed until another one has its place', () => {
    expect(gone(heard(0, 1), heard(1, 2, SILENT))).toEqual([1]);
    expect(gone(heard(0, 1), heard(1, 2, SILENT), heard(1, SILENT + 5_000))).toEqual([]);
  });

  it('gives its place to one with another number, after an exchange', () => {
    const before = [heard(0, 1, SILENT - 9_000, 'stopped'), heard(1, 2, SILENT - 9_000, 'stopped')];
    const exchanged = [...before, heard(2, 3, SILENT), heard(3, 4)];
    expect(gone(...exchanged)).toEqual([2]);
    expect(gone(...exchanged, heard(0, SILENT + 5_000))).toEqual([]);
  });

  it('needs one newcomer each, and no sibling that was there all along', () => {
    const two = [heard(0, 1, SILENT), heard(1, 2, SILENT), heard(2, 3)];
    expect(gone(...two)).toEqual([0, 1]);
    expect(gone(...two, heard(3, SILENT + 1_000))).toEqual([1]);
    expect(gone(...two, heard(0, SILENT + 1_000))).toEqual([1]);
  });
});
