import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { JobRunner } from '../../../infra/schedule/job-runner.js';
import type { JobRun } from '../../../infra/schedule/job-run.js';
import { JobOvertakenError } from '../../../infra/schedule/job-run.js';
import { type Json, SharedStore, StoreUnavailableError } from '../../../infra/shared-store/shared-store.js';
import { Clock } from '../../../common/clock.js';

/** Progress of a job, for a progress bar that can be left and reopened. */
export interface JobProgress {
  readonly running: boolean;
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  /** Seconds. */
  readonly startedAt: number;
  /** Seconds, 0 while it runs. */
  readonly endedAt: number;
}

/**
 * One step of a job. Answers false when it failed.
 * @param run  asked before anything is changed that was found out by a long wait
 */
export type JobStep = (run: JobRun) => Promise<boolean>;

const PROGRESS_TTL_MS = 86_400_000;
/** Longer than any single step. */
const PROGRESS_WHILE_RUNNING_MS = 900_000;
const NEVER_RUN: JobProgress = { running: false, done: 0, total: 0, failed: 0, startedAt: 0, endedAt: 0 };

/**
 * Long jobs over many channels: one at a time on all instances, by a lease that ends with its owner, so that a crash never
 * leaves a job "running".
 */
@Injectable()
export class BackgroundJobs implements OnApplicationShutdown {
  private readonly logger = new Logger(BackgroundJobs.name);
  private readonly running = new Set<Promise<void>>();
  private isStopping = false;

  constructor(
    private readonly store: SharedStore,
    private readonly jobs: JobRunner,
    private readonly clock: Clock,
  ) {}

  /**
   * Starts a job in the background.
   * @param onEnd  called with how many steps were done, and how many of them failed
   * @returns false when it is running already, here or elsewhere
   */
  async start(
    name: string,
    steps: readonly JobStep[],
    onEnd: (done: number, failed: number) => void = () => undefined,
  ): Promise<boolean> {
    const run = await this.jobs.begin(name);
    if (run === null) return false;
    // Published before the start is answered, so that no client takes the end of the last run for the end of this one.
    await this.tell(name, {
      running: true,
      done: 0,
      total: steps.length,
      failed: 0,
      startedAt: this.nowSeconds(),
      endedAt: 0,
    });
    const over = this.run(name, steps, run, onEnd).catch((error: unknown) => {
      // No caller waits for a job: its own log line is where a fault belongs.
      this.logger.error(`${name}: ${error instanceof Error ? error.message : 'failed'}`);
    });
    this.running.add(over);
    void over.then(() => this.running.delete(over));
    return true;
  }

  async progressOf(name: string): Promise<JobProgress> {
    const stored = await this.store.cache.get(progressKey(name));
    return isProgress(stored) ? stored : NEVER_RUN;
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.running);
  }

  private async run(
    name: string,
    steps: readonly JobStep[],
    run: JobRun,
    onEnd: (done: number, failed: number) => void,
  ): Promise<void> {
    const progress = { total: steps.length, startedAt: this.nowSeconds(), done: 0, failed: 0 };
    let isOvertaken = false;
    try {
      for (const step of steps) {
        if (this.isStopping) break;
        await this.tell(name, { ...progress, running: true, endedAt: 0 });
        await run.confirm();
        if (!(await this.isDone(name, step, run))) progress.failed += 1;
        progress.done += 1;
      }
    } catch (error) {
      // Another worker runs the job now: its progress is what counts.
      if (!(error instanceof JobOvertakenError)) throw error;
      isOvertaken = true;
    } finally {
      run.end();
      if (!isOvertaken) {
        await this.tell(name, { ...progress, running: false, endedAt: this.nowSeconds() });
        await this.jobs.finish(run, null);
      }
    }
    if (!isOvertaken) onEnd(progress.done, progress.failed);
  }

  /** A job whose owner died stops being shown as running by itself. */
  private async tell(name: string, progress: JobProgress): Promise<void> {
    const keptMs = progress.running ? PROGRESS_WHILE_RUNNING_MS : PROGRESS_TTL_MS;
    try {
      await this.store.cache.set(progressKey(name), { ...progress }, keptMs);
    } catch (error) {
      // Progress is invisible for now; the job itself needs the database only.
      if (!(error instanceof StoreUnavailableError)) throw error;
    }
  }

  private async isDone(name: string, step: JobStep, run: JobRun): Promise<boolean> {
    try {
      return await step(run);
    } catch (error) {
      if (error instanceof JobOvertakenError) throw error;
      // One channel's fault must not end the job for the others.
      this.logger.warn(`${name}: a step failed: ${error instanceof Error ? error.message : 'unknown'}`);
      return false;
    }
  }

  private nowSeconds(): number {
    return Math.floor(this.clock.nowMs() / 1000);
  }
}

const progressKey = (name: string): string => `job-progress:${name}`;

function isProgress(value: Json | undefined): value is Json & JobProgress {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    'running' in value &&
    'total' in value
  );
}
