import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import { Clock } from '../../common/clock.js';
import { type IntervalState, IntervalRuns } from './interval-runs.js';
import { intervalOf, watchInterval } from './interval.js';
import type { JobRun } from './job-run.js';
import { JobRunner } from './job-runner.js';

interface Lease {
  readonly name: string;
  /** Milliseconds, or a function that returns them; null = not at the moment, undefined = not on this worker. */
  readonly period: (instance: object) => number | null | undefined;
}

const leases = new WeakMap<object, Lease>();

/**
 * Like `@Interval`, for work of one worker of all: the first to take the due job.
 * @param name  of the row in `jobs`: other versions of the program know it by that
 * @param period  milliseconds, or a function that reads them from the instance: null = not at the moment, undefined = never on this
 * worker
 */
export const LeasedInterval =
  <Instance extends object = object>(
    name: string,
    period: number | ((instance: Instance) => number | null | undefined),
  ) =>
  <Method extends (run: JobRun) => Promise<unknown>>(
    _target: Instance,
    _key: string | symbol,
    { value }: TypedPropertyDescriptor<Method>,
  ): void => {
    if (value === undefined) throw new Error(`${name} is declared on what is no method`);
    leases.set(value, {
      name,
      period: (instance) => (typeof period === 'number' ? period : period(instance as Instance)),
    });
  };

/** Begins what is declared, and lets the process end while an interval waits. All of it stops in beforeApplicationShutdown. */
@Injectable()
export class ScheduledWork implements OnApplicationBootstrap {
  private readonly runs = new Map<string, IntervalRuns>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly methods: MetadataScanner,
    private readonly jobs: JobRunner,
    private readonly registry: SchedulerRegistry,
    private readonly clock: Clock,
  ) {}

  /** States of this worker's running intervals. */
  intervals(): readonly IntervalState[] {
    return this.registry.getIntervals().flatMap((name) => this.runs.get(name)?.state ?? []);
  }

  onApplicationBootstrap(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance === 'object' && instance !== null) this.begin(instance as object);
    }
    for (const name of this.registry.getIntervals())
      (this.registry.getInterval(name) as NodeJS.Timeout).unref();
  }

  private begin(instance: object): void {
    const prototype: unknown = Object.getPrototypeOf(instance);
    if (prototype === null || prototype === Object.prototype) return;
    for (const key of this.methods.getAllMethodNames(prototype as object)) {
      const method: unknown = Reflect.get(prototype as object, key);
      if (typeof method !== 'function') continue;
      this.watch(instance, method);
      const lease = leases.get(method);
      if (lease === undefined || lease.period(instance) === undefined) continue;
      this.jobs.every(
        lease.name,
        () => lease.period(instance) ?? null,
        async (run) => {
          await (method as (run: JobRun) => Promise<unknown>).call(instance, run);
        },
      );
    }
  }

  private watch(instance: object, method: object): void {
    const interval = intervalOf(method);
    if (interval === undefined) return;
    const runs = new IntervalRuns(interval.name, interval.periodMs, this.clock);
    this.runs.set(interval.name, runs);
    watchInterval(instance, interval.name, runs);
  }
}
