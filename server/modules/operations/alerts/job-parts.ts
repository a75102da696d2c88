import { JobOvertakenError } from '../../../infra/schedule/job-run.js';

/** Parts of a job that are done one after another, whatever becomes of those before. */
export class JobParts {
  private readonly faults: string[] = [];

  /** Fails: JobOvertakenError, which ends the job; any other failure is noted. */
  async make(part: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof JobOvertakenError) throw error;
      this.note(part, error instanceof Error ? error.message : String(error));
    }
  }

  note(part: string, fault: string): void {
    this.faults.push(`${part}: ${fault}`);
  }

  /** Fails: when a part did, naming all of them. */
  demandAll(): void {
    if (this.faults.length > 0) throw new Error(this.faults.join('; '));
  }
}
