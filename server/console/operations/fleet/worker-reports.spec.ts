import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { aReport, NOON_MS } from '../../../../test/support/observations.js';
import { MemorySharedStore } from '../../../infra/shared-store/memory-shared-store.js';
import type { WorkerReport } from '../model/worker-report.js';
import type { ReportStore, StoredReport } from './report-store.js';
import { WorkerReports } from './worker-reports.js';

function boards() {
  const clock = new FakeClock(NOON_MS);
  const shared = new MemorySharedStore(clock, 'epoch');
  const stored = { reports: [] as StoredReport[], reads: 0, isAway: false, written: 0, forgotten: '' };
  const store = {
    list: async () => {
      if (stored.isAway) throw new Error('away');
      stored.reads += 1;
      return stored.reports;
    },
    write: async () => {
      if (stored.isAway) throw new Error('away');
      stored.written += 1;
    },
    forgetInstance: async (instance: string) => void (stored.forgotten = instance),
  } as unknown as ReportStore;
  const board = () => new WorkerReports(shared, store, clock);
  return { clock, shared, stored, board };
}
const ages = async (board: WorkerReports): Promise<Record<string, number>> =>
  Object.fromEntries((await board.list()).map(({ report, heardAtMs }) => [report.bootId, heardAtMs]));
const report = (changes: Partial<WorkerReport> = {}): WorkerReport => aReport(changes);

describe('WorkerReports', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

  it('reaches the others through the shared store, also while the database is away', async () => {
    const { stored, board } = boards();
    const [one, other] = [board(), board()];
    stored.isAway = true;
    await one.publish(report());
    await new Promise((resolve) => setImmediate(resolve));
    expect(await ages(other)).toEqual({ 'boot-a': NOON_MS });
  });

  it("takes the age of other workers' reports from the database", async () => {
    const { stored, board } = boards();
    stored.reports = [{ report: report({ bootId: 'far' }), ageMs: 30_000 }];
    expect(await ages(board())).toEqual({ far: NOON_MS - 30_000 });
  });

  it('keeps the newest report of a worker, whichever way it came', async () => {
    const { clock, stored, board } = boards();
    const own = board();
    await own.publish(report({ atMs: NOON_MS, callsUnderWay: 2 }));
    stored.reports = [{ report: report({ atMs: NOON_MS - 5_000, callsUnderWay: 1 }), ageMs: 0 }];
    expect((await own.list())[0]?.report.callsUnderWay).toBe(2);
    stored.reports = [{ report: report({ atMs: NOON_MS + 5_000, callsUnderWay: 3 }), ageMs: 0 }];
    clock.advance(2_000);
    expect((await own.list())[0]?.report.callsUnderWay).toBe(3);
  });

  it('queries the database every two seconds, however many readers', async () => {
    const { clock, stored, board } = boards();
    const own = board();
    await Promise.all([own.list(), own.list()]);
    await own.list();
    expect(stored.reads).toBe(1);
    clock.advance(2_000);
    await own.list();
    expect(stored.reads).toBe(2);
  });

  it('forgets workers that were silent for a day, and a silent instance on request', async () => {
    const { clock, stored, board } = boards();
    const own = board();
    await own.publish(report({ bootId: 'old', instance: 'gone' }));
    clock.advance(60_000);
    await own.publish(report({ bootId: 'new', instance: 'gone', atMs: NOON_MS + 60_000 }));
    await own.forgetInstance('gone', 30_000);
    expect([stored.forgotten, Object.keys(await ages(own))]).toEqual(['gone', ['new']]);
    clock.advance(24 * 3_600_000 + 1);
    expect(await ages(own)).toEqual({});
  });
});
