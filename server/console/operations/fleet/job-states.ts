import type { JobRunner } from '../../../infra/schedule/job-runner.js';
import type { JobState } from '../model/observation.js';

/** Last runs of the recurring jobs of all instances, by name. Fails: with the database's error. */
export async function listJobs(jobs: Pick<JobRunner, 'states'>): Promise<readonly JobState[]> {
  const states = (await jobs.states()).toSorted((left, right) => (left.name < right.name ? -1 : 1));
  return states.map(({ name, outcome, message, startedAtMs, endedAtMs, dueAtMs, host }) => ({
    name,
    outcome,
    message,
    endedAtMs,
    host,
    // A job that was only introduced has a beginning in the table, and no run.
    startedAtMs: outcome === '' ? 0 : startedAtMs,
    nextAtMs: dueAtMs,
  }));
}
