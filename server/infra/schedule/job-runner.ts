import { Inject, Injectable, Logger, Optional, type BeforeApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { instancePlace } from '../../common/instance-place.js';
import { Env } from '../../config/env.js';
import { Clock } from '../../common/clock.js';
import { BOOT_ID } from '../ids/boot-id.js';
import { RateLimitedFaults } from '../observability/rate-limited-faults.js';
import { Interval } from './interval.js';
import { JobLeases, type JobState } from './job-leases.js';
import { JobOvertakenError, JobRun } from './job-run.js';

/** Interval of checks for due jobs: with the lease, the longest standstill of a job after its worker died. */
const CHECK_INTERVAL_MS = 5_000;
/** A worker that does not renew for so many milliseconds has lost its job; shorter in tests. */
const JOB_LEASE_MS = Symbol('JOB_LEASE_MS');
const DEFAULT_LEASE_MS = 20_000;
/** Longest wait of a shutdown for running jobs to reach their next effect. */
const LEAVE_MS = 5_000;

type Period = number | (() => number | null);
type Work = (run: JobRun) => Promise<void>;

interface Job {
  readonly period: Period;
  readonly work: Work;
}

/**
 * Recurring work that all workers of all instances do once, together: the first worker to take a due job runs it. Owner, lease and
 * result are in the database, which a job needs anyway: jobs go on while the shared store is away, and a worker that was paused
 * notices before it does anything (`JobRun`).
 */
@Injectable()
export class JobRunner implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Jobs');
  private readonly faults: RateLimitedFaults;
  private readonly jobs = new Map<string, Job>();
  private readonly runs = new Map<JobRun, Promise<void>>();
  private readonly leases: JobLeases;
  private readonly leaseMs: number;
  private isStopped = false;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(BOOT_ID) owner: string,
    @Optional() @Inject(JOB_LEASE_MS) leaseMs?: number,
    @Optional() @Inject(Env) env?: Env,
  ) {
    this.faults = new RateLimitedFaults(clock, (line) => this.logger.warn(line));
    this.leaseMs = leaseMs ?? DEFAULT_LEASE_MS;
    this.leases = new JobLeases(dataSource, owner, this.leaseMs, instancePlace(env?.port));
  }

  /**
   * Does `work` once in every period, on one worker of all, first after one period. A failure is logged; the next run comes all the
   * same.
   * @param period  milliseconds, or a function that returns them; null = not at the moment
   * @param work  checks `run` before every effect
   * @returns a function that ends it here
   */
  every(name: string, period: Period, work: Work): () => void {
    this.jobs.set(name, { period, work });
    return () => {
      this.jobs.delete(name);
    };
  }

  /**
   * Takes a job on request. The caller must call `finish` at the end.
   * @returns null when it runs already, here or elsewhere
   * Fails: with the database's error.
   */
  async begin(name: string): Promise<JobRun | null> {
    await this.leases.register(name, 0);
    const fence = await this.leases.take(name);
    return fence === null ? null : this.openRun(name, fence);
  }

  /**
   * @param failure  reason of the failure; null = it succeeded.
   * Fails: with the database's error.
   */
  async finish(run: JobRun, failure: string | null): Promise<void> {
    await this.close(run, failure === null ? 'done' : 'failed', failure ?? '');
  }

  /** Recurring jobs this worker takes part in, with their period of the moment in milliseconds; null = not at the moment. */
  declared(): ReadonlyMap<string, number | null> {
    return new Map([...this.jobs].map(([name, job]) => [name, periodOf(job)]));
  }

  /**
   * Runs a recurring job now, unless it runs already.
   * @param onTaken  records the actor, before it begins; when that fails, it does not begin
   * @returns false when it runs already, or there is no such job here.
   * Fails: with the database's error, or that of `onTaken`.
   */
  async runNow(name: string, onTaken: () => Promise<void> = async () => undefined): Promise<boolean> {
    const job = this.jobs.get(name);
    if (job === undefined || this.isStopped) return false;
    await this.leases.register(name, 0);
    const fence = await this.leases.take(name);
    if (fence === null) return false;
    try {
      await onTaken();
    } catch (error) {
      const message = 'who asked for it could not be recorded';
      await this.leases.end(name, fence, { outcome: 'failed', message, dueAfterMs: periodOf(job) ?? 0 });
      throw error;
    }
    this.start(name, job, fence);
    return true;
  }

  /**
   * Last runs of the jobs of all instances.
   * Fails: with the database's error.
   */
  async states(): Promise<readonly JobState[]> {
    return [...(await this.leases.look()).jobs.values()];
  }

  /**
   * Last run of one job, and the time since its start by the database's clock; null = it never ran.
   * Fails: with the database's error.
   */
  async state(name: string): Promise<(JobState & { readonly sinceStartMs: number }) | null> {
    const { nowMs, jobs } = await this.leases.look();
    const state = jobs.get(name);
    return state === undefined ? null : { ...state, sinceStartMs: nowMs - state.startedAtMs };
  }

  /** Jobs give back what they have: another worker goes on with it at once. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    const running = [...this.runs];
    for (const [run] of running) run.end();
    const late = Promise.withResolvers<void>();
    const cancel = this.clock.after(LEAVE_MS, () => late.resolve());
    await Promise.race([Promise.allSettled(running.map(([, over]) => over)), late.promise]);
    cancel();
  }

  /** Takes due jobs that are free. Never fails. */
  @Interval('jobs', CHECK_INTERVAL_MS)
  async look(): Promise<void> {
    if (this.isStopped || this.jobs.size === 0) return;
    try {
      await this.takeDue();
    } catch (error) {
      // The database is away: no worker runs anything then, and the next check tries again.
      this.logger.debug(`could not look for jobs: ${String(error)}`);
    }
  }

  private async takeDue(): Promise<void> {
    const { nowMs, jobs: known } = await this.leases.look();
    for (const [name, job] of this.jobs) {
      const periodMs = periodOf(job);
      if (periodMs === null || this.isStopped) continue;
      const state = known.get(name);
      if (state === undefined) {
        await this.leases.register(name, periodMs);
        continue;
      }
      if (!isDue(state, periodMs, nowMs)) continue;
      const fence = await this.leases.take(name, state.fence);
      if (fence !== null) this.start(name, job, fence);
    }
  }

  private start(name: string, job: Job, fence: number): void {
    const run = this.openRun(name, fence);
    const over = this.run(run, job).catch((error: unknown) => {
      // The result could not be stored: the lease runs out, and a worker runs the job again.
      this.faults.record(`job ${name} could not be ended`, String(error));
    });
    this.runs.set(run, over);
    void over.finally(() => this.runs.delete(run));
  }

  private openRun(name: string, fence: number): JobRun {
    const { leases, clock } = this;
    return new JobRun(name, fence, { leases, clock, renewEveryMs: this.leaseMs / 4 });
  }

  private async run(run: JobRun, job: Job): Promise<void> {
    try {
      await job.work(run);
    } catch (error) {
      if (error instanceof JobOvertakenError) {
        if (this.isStopped) await this.close(run, 'lost', 'its worker stopped', 0);
        else this.logger.warn(error.message);
        return;
      }
      this.faults.record(`job ${run.name} failed, the next run tries again`, String(error));
      await this.close(run, 'failed', error instanceof Error ? error.message : String(error));
      return;
    }
    await this.close(run, 'done', run.message);
  }

  private async close(
    run: JobRun,
    outcome: 'done' | 'failed' | 'lost',
    message: string,
    dueAfterMs = periodOf(this.jobs.get(run.name)) ?? 0,
  ): Promise<void> {
    run.end();
    await this.leases.end(run.name, run.fence, { outcome, message, dueAfterMs });
  }
}

function periodOf(job: Job | undefined): number | null {
  if (job === undefined) return null;
  return typeof job.period === 'number' ? job.period : job.period();
}

/** A job whose worker is gone or stopped is due at once; any other one period after its last start. */
function isDue({ outcome, startedAtMs, leaseUntilMs }: JobState, periodMs: number, nowMs: number): boolean {
  if (leaseUntilMs > nowMs) return false;
  return outcome === 'lost' || startedAtMs + periodMs <= nowMs;
}
