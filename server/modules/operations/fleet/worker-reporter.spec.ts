import { beforeEach, describe, expect, it } from '@jest/globals';
import { EventEmitter } from 'node:events';
import type { HttpAdapterHost } from '@nestjs/core';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import type { Readiness } from '../../../infra/health/readiness.js';
import type { WorkerReports } from './worker-reports.js';
import type { WorkerHealth } from './worker-health.js';
import type { WorkerIdentity } from './worker-identity.js';
import type { WorkerReport } from '../model/worker-report.js';
import { WorkerReporter } from './worker-reporter.js';

describe('the reports of a worker', () => {
  let server: EventEmitter & { listening: boolean };
  let said: string[];
  let describeHealth: () => Promise<object>;
  let reporter: WorkerReporter;

  beforeEach(() => {
    server = Object.assign(new EventEmitter(), { listening: false });
    said = [];
    describeHealth = () => Promise.resolve({});
    reporter = new WorkerReporter(
      { describe: () => ({}) } as unknown as WorkerIdentity,
      { describe: () => describeHealth() } as unknown as WorkerHealth,
      { isReady: () => Promise.resolve(true), stopping: false } as unknown as Readiness,
      {
        publish: (report: WorkerReport) => Promise.resolve(said.push(report.state)),
      } as unknown as WorkerReports,
      new FakeClock(),
      { httpAdapter: { getInstance: () => ({ server }) } } as unknown as HttpAdapterHost,
    );
    reporter.onApplicationBootstrap();
  });

  it('goes on after one that could not be written', async () => {
    const fault = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
    describeHealth = () => Promise.reject(fault);
    server.emit('listening');
    await expect(reporter.say()).resolves.toBeUndefined();
    expect(said).toEqual([]);

    describeHealth = () => Promise.resolve({});
    await reporter.sayAgain();
    expect(said).toEqual(['running']);
    await reporter.beforeApplicationShutdown();
    expect(said).toEqual(['running', 'stopped']);
  });

  it('begins when it listens: a start that was refused is missed by nobody', async () => {
    await reporter.sayAgain();
    await reporter.beforeApplicationShutdown();
    server.emit('listening');
    expect(said).toEqual([]);
  });
});
