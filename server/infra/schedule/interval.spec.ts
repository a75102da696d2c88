import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { ScheduleModule, SchedulerRegistry } from '@nestjs/schedule';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { Clock } from '../../common/clock.js';
import { Interval } from './interval.js';
import type { JobRun } from './job-run.js';
import { JobRunner } from './job-runner.js';
import { LeasedInterval, ScheduledWork } from './leased-interval.js';

@Injectable()
class Watch {
  begun = 0;
  release: () => void = () => undefined;
  refuse: (error: Error) => void = () => undefined;
  periodMs: number | null | undefined = 60_000;

  @Interval('slow-look', 1_000)
  look(): Promise<void> {
    this.begun += 1;
    return new Promise((resolve, reject) => {
      this.release = resolve;
      this.refuse = reject;
    });
  }

  @LeasedInterval('sweep', 5_000)
  async sweep(run: JobRun): Promise<string> {
    return run.name;
  }

  @LeasedInterval('as-the-options-say', (watch: Watch) => watch.periodMs)
  async round(): Promise<void> {
    this.begun += 1;
  }

  @LeasedInterval('elsewhere', () => undefined)
  async elsewhere(): Promise<void> {
    this.begun += 1;
  }
}

type Every = JobRunner['every'];

describe('scheduled work', () => {
  const jobs = new Map<string, Parameters<Every>>();
  let app: INestApplicationContext;
  let watch: Watch;
  let clock: FakeClock;

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
    jobs.clear();
    clock = new FakeClock(1_000_000);
    const every = (...job: Parameters<Every>): (() => void) => (jobs.set(job[0], job), () => undefined);
    @Module({
      imports: [DiscoveryModule, ScheduleModule.forRoot()],
      providers: [
        Watch,
        ScheduledWork,
        { provide: JobRunner, useValue: { every } },
        { provide: Clock, useValue: clock },
      ],
    })
    class TestModule {}
    app = await NestFactory.createApplicationContext(TestModule, { logger: false });
    watch = app.get(Watch);
  });

  afterEach(async () => {
    await app.close();
    jest.useRealTimers();
  });

  it('begins every period, and never while a turn is under way', async () => {
    jest.advanceTimersByTime(1_000);
    expect(watch.begun).toBe(1);
    jest.advanceTimersByTime(5_000);
    expect(watch.begun).toBe(1);
    const joined = watch.look();
    expect(watch.begun).toBe(1);
    watch.release();
    await joined;
    jest.advanceTimersByTime(1_000);
    expect(watch.begun).toBe(2);
  });

  it('remembers when a turn began, when the next one comes, and how the last one ended', async () => {
    const scheduled = app.get(ScheduledWork);
    const state = () => scheduled.intervals()[0];
    expect(state()).toMatchObject({ outcome: '', startedAtMs: 0, endedAtMs: 0, nextAtMs: 1_001_000 });
    clock.advance(400);
    const turn = watch.look();
    expect(state()).toMatchObject({ outcome: 'running', startedAtMs: 1_000_400, nextAtMs: 1_001_400 });
    clock.advance(100);
    watch.release();
    await turn;
    expect(state()).toMatchObject({ periodMs: 1_000, outcome: 'done', message: '', endedAtMs: 1_000_500 });
    const failing = watch.look();
    watch.refuse(new Error('no answer'));
    await expect(failing).rejects.toThrow('no answer');
    expect(state()).toMatchObject({ outcome: 'failed', message: 'no answer', endedAtMs: 1_000_500 });
  });

  it('names the intervals that run, and no others', () => {
    const scheduled = app.get(ScheduledWork);
    expect(scheduled.intervals().map(({ name }) => name)).toEqual(['slow-look']);
    app.get(SchedulerRegistry).deleteInterval('slow-look');
    expect(scheduled.intervals()).toEqual([]);
  });

  it('keeps no process alive', () => {
    const interval = app.get(SchedulerRegistry).getInterval('slow-look') as NodeJS.Timeout;
    expect(interval.hasRef()).toBe(false);
  });

  it('ends with the application', async () => {
    await app.close();
    jest.advanceTimersByTime(10_000);
    expect(watch.begun).toBe(0);
    expect(app.get(SchedulerRegistry).getIntervals()).toEqual([]);
  });

  it('hands leased work to the job runner, with the period of the moment', () => {
    expect([...jobs.keys()]).toEqual(['sweep', 'as-the-options-say']);
    const periodOf = (name: string): unknown => {
      const period = jobs.get(name)?.[1];
      return typeof period === 'function' ? period() : period;
    };
    expect(periodOf('sweep')).toBe(5_000);
    expect(periodOf('as-the-options-say')).toBe(60_000);
    watch.periodMs = null;
    expect(periodOf('as-the-options-say')).toBeNull();
  });

  it('runs leased work on its own instance', async () => {
    const work = jobs.get('as-the-options-say')?.[2];
    await work?.({ name: 'as-the-options-say' } as JobRun);
    expect(watch.begun).toBe(1);
  });
});
