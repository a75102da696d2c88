import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import type { Clock } from '../../../common/clock.js';
import { JobLeases } from '../../../infra/schedule/job-leases.js';
import { JobRun } from '../../../infra/schedule/job-run.js';

/** Name of the lease in the table `jobs`. */
export const IMPORT_JOB = 'import';
/** A run that does not renew its lease for so many milliseconds has lost it. */
export const IMPORT_LEASE_MS = 10_000;
const POLL_MS = 500;

/** Another run holds the lease; the message names its host. Nothing was written. */
export class ImportRunning extends Error {
  constructor(readonly place: string) {
    super(
      `another import is running on ${place}: wait until it ends, or stop it, and start this one again. Nothing was changed`,
    );
  }
}

/** Name of this process, by which another one on this machine sees that it is gone. */
export const processPlace = (): string => `${hostname()} (process ${process.pid})`;

function isGone(place: string): boolean {
  const [, host, pid] = /^(.*) \(process (\d+)\)$/.exec(place) ?? [];
  if (host !== hostname() || pid === undefined) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** The lease of one run. */
export class ImportTurn {
  constructor(
    private readonly run: JobRun,
    private readonly leases: JobLeases,
  ) {}

  get fence(): number {
    return this.run.fence;
  }

  /** First in a transaction: no other run begins before it ends. Fails: JobOvertakenError. */
  guard(manager: EntityManager): Promise<void> {
    return this.run.guard(manager);
  }

  /** @param failure  reason; null = it succeeded */
  async finish(failure: string | null): Promise<void> {
    this.run.end();
    await this.leases.end(IMPORT_JOB, this.run.fence, {
      outcome: failure === null ? 'done' : 'failed',
      message: failure ?? '',
      dueAfterMs: 0,
    });
  }
}

/** Lets one import run at a time, over all processes on one database. */
export class ImportLock {
  private readonly leases: JobLeases;

  constructor(
    dataSource: DataSource,
    private readonly clock: Clock,
    /** Names the process that runs the import, for other processes and for operators. */
    holder: { readonly owner: string; readonly place: string },
    private readonly leaseMs = IMPORT_LEASE_MS,
  ) {
    this.leases = new JobLeases(dataSource, holder.owner, leaseMs, holder.place);
  }

  /**
   * Takes the lease. A lease that its holder renews belongs to a living process; one that only runs out is taken over.
   * @param waits  false = refuses at once
   * Fails: ImportRunning; with the database's error.
   */
  async take(waits = true): Promise<ImportTurn> {
    const { leases, clock } = this;
    await leases.register(IMPORT_JOB, 0);
    let seen: number | undefined;
    for (;;) {
      const fence = await leases.take(IMPORT_JOB);
      if (fence !== null) {
        const run = new JobRun(IMPORT_JOB, fence, { leases, clock, renewEveryMs: this.leaseMs / 4 });
        return new ImportTurn(run, leases);
      }
      const state = await this.state();
      if (isGone(state.place)) {
        // No process renews the lease: waiting for its end would gain nothing.
        const message = 'its process was killed';
        await leases.end(IMPORT_JOB, state.fence, { outcome: 'lost', message, dueAfterMs: 0 });
        continue;
      }
      if (!waits || (seen !== undefined && state.leaseUntilMs > seen)) throw new ImportRunning(state.place);
      seen ??= state.leaseUntilMs;
      await delay(POLL_MS);
    }
  }

  /** Takes the lease for as long as `work` runs. Fails: as `take`, and with the error of `work`. */
  async during<T>(work: (turn: ImportTurn) => Promise<T>): Promise<T> {
    const turn = await this.take();
    try {
      const result = await work(turn);
      await turn.finish(null);
      return result;
    } catch (error) {
      // The cause is what the person reads; a lease that cannot be returned runs out.
      await turn.finish(error instanceof Error ? error.message : String(error)).catch(() => undefined);
      throw error;
    }
  }

  /** @returns the last run: its number, and whether its process still renews it */
  async state(): Promise<{
    readonly fence: number;
    readonly isHeld: boolean;
    readonly leaseUntilMs: number;
    readonly place: string;
  }> {
    const { nowMs, jobs } = await this.leases.look();
    const job = jobs.get(IMPORT_JOB);
    const leaseUntilMs = job?.leaseUntilMs ?? 0;
    return {
      fence: job?.fence ?? 0,
      isHeld: leaseUntilMs > nowMs,
      leaseUntilMs,
      place: job?.host ?? '',
    };
  }
}
