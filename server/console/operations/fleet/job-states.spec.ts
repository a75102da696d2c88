import { describe, expect, it } from '@jest/globals';
import type { JobState } from '../../../infra/schedule/job-leases.js';
import { listJobs } from './job-states.js';

const job = (name: string, outcome: string) =>
  ({
    name,
    outcome,
    message: '',
    startedAtMs: 5,
    endedAtMs: 0,
    dueAtMs: 9,
    host: 'web-1',
  }) as unknown as JobState;

describe('listJobs', () => {
  it('lists jobs by name, one that was only introduced without a beginning', async () => {
    const jobs = await listJobs({ states: async () => [job('sweep', 'done'), job('books', '')] });
    expect(jobs.map(({ name, startedAtMs, nextAtMs }) => [name, startedAtMs, nextAtMs])).toEqual([
      ['books', 0, 9],
      ['sweep', 5, 9],
    ]);
  });
});
