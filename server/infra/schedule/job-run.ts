import type { EntityManager } from 'typeorm';
import type { Clock } from '../../common/clock.js';
import type { JobLeases } from './job-leases.js';

/** Another worker runs the job now, or this one is to stop: nothing more may be done. */
export class JobOvertakenError extends Error {}

/**
 * One run of a job by this worker. It may be overtaken at any moment (the process was paused, the database away for a while): every effect
 * asks first, or takes the fence into its transaction.
 */
export class JobRun {
  private cancelRenewal: () => void = () => undefined;
  private isOver = false;
  private lastMessage = '';

  constructor(
    readonly name: string,
    /** Grows with every run of the job, by whomever. */
    readonly fence: number,
    private readonly ports: {
      readonly leases: JobLeases;
      readonly clock: Clock;
      readonly renewEveryMs: number;
    },
  ) {
    this.renewLater();
  }

  /** Right before an effect outside the database. Fails: JobOvertakenError; with the database's error. */
  async confirm(): Promise<void> {
    if (this.isOver || !(await this.ports.leases.renew(this.name, this.fence))) this.overtaken();
  }

  /**
   * First in a transaction that makes an effect: no other worker can take the job over before it ends.
   * Fails: JobOvertakenError, so that the transaction is undone.
   */
  async guard(manager: EntityManager): Promise<void> {
    if (this.isOver || !(await this.ports.leases.hold(manager, this.name, this.fence))) this.overtaken();
  }

  /** Sets a message for readers of the job's last run, though it did not fail. */
  setMessage(message: string): void {
    this.lastMessage = message;
  }

  /** Empty = none was set. */
  get message(): string {
    return this.lastMessage;
  }

  /** No more effects of this run. */
  end(): void {
    this.isOver = true;
    this.cancelRenewal();
  }

  private overtaken(): never {
    this.end();
    throw new JobOvertakenError(`job ${this.name} was taken over by another worker`);
  }

  /** Keeps the job while one effect takes long. A renewal that fails is tried again: the lease, not this, decides. */
  private renewLater(): void {
    const { clock, leases, renewEveryMs } = this.ports;
    this.cancelRenewal = clock.after(renewEveryMs, () => {
      const renewal = leases.renew(this.name, this.fence);
      renewal.then(
        (isOurs) => {
          if (isOurs && !this.isOver) this.renewLater();
          else this.end();
        },
        () => {
          if (!this.isOver) this.renewLater();
        },
      );
    });
  }
}
