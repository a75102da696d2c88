import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { HttpAdapterHost } from '@nestjs/core';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { loadEnv } from '../../../config/env-file.js';
import type { Readiness } from '../../../infra/health/readiness.js';
import type { WorkerReports } from './worker-reports.js';
import type { WorkerHealth } from './worker-health.js';
import { WorkerIdentity } from './worker-identity.js';
import type { WorkerReport } from '../model/worker-report.js';
import { WorkerReporter } from './worker-reporter.js';

describe('the reports of a worker', () => {
  let server: EventEmitter & { listening: boolean };
  let said: string[];
  let describeHealth: () => Promise<object>;
  let reporter: WorkerReporter;

  beforeEach(() => {
    const clock = new FakeClock();
    server = Object.assign(new EventEmitter(), { listening: false, address: () => null });
    const host = { httpAdapter: { getInstance: () => ({ server }) } } as unknown as HttpAdapterHost;
    said = [];
    describeHealth = () => Promise.resolve({});
    reporter = new WorkerReporter(
      new WorkerIdentity('boot', loadEnv({ DATA_DIR: '/data' }), host, clock),
      { describe: () => describeHealth() } as unknown as WorkerHealth,
      { isReady: () => Promise.resolve(true), stopping: false } as unknown as Readiness,
      {
        publish: (report: WorkerReport) => Promise.resolve(said.push(report.state)),
      } as unknown as WorkerReports,
      clock,
    );
    reporter.onApplicationBootstrap();
  });

  it('continues after a report that could not be written', async () => {
    const fault = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    describeHealth = () => Promise.reject(fault);
    server.emit('listening');
    await expect(reporter.say()).resolves.toBeUndefined();
    expect(said).toEqual([]);

    describeHealth = () => Promise.resolve({});
    await reporter.republish();
    expect(said).toEqual(['running']);
    await reporter.beforeApplicationShutdown();
    expect(said).toEqual(['running', 'stopped']);
  });

  it('begins when it listens: no report of a start that was refused', async () => {
    await reporter.republish();
    await reporter.beforeApplicationShutdown();
    server.emit('listening');
    expect(said).toEqual([]);
  });
});
