import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import type { JobRunner } from '../../../infra/schedule/job-runner.js';
import type { Finding } from '../model/finding.js';
import { AlertJobAlarm } from './alert-job-alarm.js';
import type { DirectNotifier } from './direct-notifier.js';

interface Run {
  readonly outcome: string;
  readonly message?: string;
  readonly sinceStartMs?: number;
}

function alarm() {
  const clock = new FakeClock();
  const told: string[] = [];
  const state: { run: Run | null | Error } = { run: null };
  const job = new AlertJobAlarm(
    {
      state: async () => {
        if (state.run instanceof Error) throw state.run;
        return state.run && { message: '', sinceStartMs: 0, ...state.run };
      },
    } as unknown as JobRunner,
    clock,
    {
      nowMs: () => clock.nowMs(),
      notifyFiring: async ({ facts }: Finding) => {
        told.push(`begun: ${facts['fault']}`);
        return clock.nowMs();
      },
      notifyResolved: async () => void told.push('over'),
    } as unknown as DirectNotifier,
  );
  const look = async (run: Run | null | Error, afterMs = 0) => {
    clock.advance(afterMs);
    state.run = run;
    await job.look();
  };
  return { told, look };
}

const failed = { outcome: 'failed', message: 'no rule' };

describe('AlertJobAlarm', () => {
  beforeAll(() => Logger.overrideLogger(false));
  afterAll(() => Logger.overrideLogger(['log', 'warn', 'error', 'fatal']));

  it('sends an alert once the job has failed for a minute, and a resolution when it works again', async () => {
    const { told, look } = alarm();
    await look(failed);
    await look(failed, 59_999);
    expect(told).toEqual([]);
    await look(failed, 1);
    await look({ outcome: 'done' });
    expect(told).toEqual(['begun: no rule', 'over']);
  });

  it('sends an alert when the job, due every ten seconds, stands still', async () => {
    const { told, look } = alarm();
    await look({ outcome: 'running', sinceStartMs: 299_999 });
    await look({ outcome: 'running', sinceStartMs: 300_000 }, 60_000);
    await look({ outcome: 'running', sinceStartMs: 360_000 }, 60_000);
    expect(told).toEqual(['begun: it has not run for 6 min']);
  });

  it('keeps its state while the job runs, and while its last run cannot be read', async () => {
    const { told, look } = alarm();
    await look(failed);
    await look({ outcome: 'running' }, 30_000);
    await look(new Error('database away'), 20_000);
    await look({ outcome: 'running' }, 10_000);
    expect(told).toEqual(['begun: no rule']);
  });

  it('sends nothing about a job that never ran', async () => {
    const { told, look } = alarm();
    await look(null);
    await look(null, 600_000);
    expect(told).toEqual([]);
  });
});
