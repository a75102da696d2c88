import { isConnectionLost } from '../database/database-faults.js';
import { type JobRun, JobOvertakenError } from './job-run.js';

/** Faults that are named in the end; of the others there is a number. */
const MAX_NAMED = 10;

/** Parts of a job that are done one after another, whatever becomes of those before. */
export class JobParts {
  private readonly faults: string[] = [];
  private unnamed = 0;

  /** Fails: JobOvertakenError, which ends the job; any other failure is noted. */
  async make(part: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof JobOvertakenError) throw error;
      this.note(part, error);
    }
  }

  /**
   * One row after another: the fault of one is noted, and the rest goes on.
   * Fails: JobOvertakenError; with the database's error when it is away, which is no row's fault.
   */
  async each<Row>(
    rows: readonly Row[],
    {
      run,
      nameOf,
      work,
    }: {
      readonly run: Pick<JobRun, 'confirm'> | undefined;
      readonly nameOf: (row: Row) => string;
      readonly work: (row: Row) => Promise<void>;
    },
  ): Promise<void> {
    for (const row of rows) {
      await run?.confirm();
      try {
        await work(row);
      } catch (error) {
        if (error instanceof JobOvertakenError || isConnectionLost(error)) throw error;
        this.note(nameOf(row), error);
      }
    }
  }

  note(part: string, fault: unknown): void {
    const text = fault instanceof Error ? fault.message : String(fault);
    if (this.faults.length < MAX_NAMED) this.faults.push(`${part}: ${text}`);
    else this.unnamed += 1;
  }

  /** Fails: when a part did, naming them. */
  throwIfAnyFailed(): void {
    if (this.faults.length === 0) return;
    const more = this.unnamed === 0 ? [] : [`${this.unnamed} more`];
    throw new Error([...this.faults, ...more].join('; '));
  }
}
