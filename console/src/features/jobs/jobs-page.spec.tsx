import { afterEach, describe, expect, it } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { aStatus, NOON } from '../../testing/builders';
import { FakeApi } from '../../testing/fake-api';
import { renderConsole } from '../../testing/render';
import type { OperationsJobs, ScheduledJob, WorkerInterval } from './api';
import { formatPeriod } from './period';

let api: FakeApi;
afterEach(() => api.stop());

function aJob(parts: Partial<ScheduledJob> = {}): ScheduledJob {
  return {
    name: 'books-check',
    title: 'Check the books',
    description: 'Compares balances, charges and ledger.',
    period_ms: 86_400_000,
    outcome: 'done',
    message: '',
    started_at: NOON - 600,
    ended_at: NOON - 599,
    next_at: NOON + 85_800,
    last_place: 'web-1:3000',
    holder: null,
    can_run: true,
    ...parts,
  };
}

function anInterval(parts: Partial<WorkerInterval> = {}): WorkerInterval {
  return {
    name: 'revisions',
    title: 'Read changed settings',
    description: 'Looks for changes.',
    period_ms: 5_000,
    outcome: 'done',
    message: '',
    started_at: NOON - 3,
    ended_at: NOON - 3,
    next_at: NOON + 2,
    ...parts,
  };
}

function jobsApi(parts: Partial<OperationsJobs> = {}): FakeApi {
  const data: OperationsJobs = {
    answered_by: 'boot-a-0',
    place: 'web-1:3000',
    worker: 0,
    jobs: [aJob()],
    intervals: [anInterval()],
    ...parts,
  };
  api = new FakeApi({ 'GET /api/status': { data: aStatus() }, 'GET /api/operations/jobs': { data } });
  return api;
}

const shared = async () => within(await screen.findByRole('region', { name: 'Once for all instances' }));

describe('the page of jobs', () => {
  it('refuses ordinary users', async () => {
    jobsApi();
    renderConsole('/job', api, { role: 1 });
    expect(await screen.findByText('You don’t have access to this page')).toBeVisible();
  });

  it('shows purpose, interval and last outcome of each', async () => {
    jobsApi();
    renderConsole('/job', api, { role: 10 });
    const jobs = await shared();
    expect(await jobs.findByText('Compares balances, charges and ledger.')).toBeVisible();
    for (const text of ['books-check', '1 day', 'Done', 'web-1:3000'])
      expect(jobs.getByText(text)).toBeVisible();
    const intervals = within(await screen.findByRole('region', { name: 'On every worker' }));
    for (const text of ['revisions', 'Looks for changes.', '5 seconds', 'Done'])
      expect(intervals.getByText(text)).toBeVisible();
    expect(
      intervals.getByText('As reported by worker 0 of web-1:3000, which answered this request.'),
    ).toBeVisible();
  });

  it('shows which worker has a job, and which jobs run by hand only', async () => {
    const holder = { boot_id: 'boot-b-1', place: 'web-2:3000', worker: 1 };
    jobsApi({
      jobs: [
        aJob({ outcome: 'running', holder }),
        aJob({ name: 'x', title: 'x', period_ms: null, next_at: 0 }),
      ],
    });
    renderConsole('/job', api, { role: 10 });
    const jobs = await shared();
    expect(await jobs.findByText('web-2:3000, worker 1')).toBeVisible();
    expect(jobs.getByText('Manual only')).toBeVisible();
  });

  it('lets root start an idle job', async () => {
    const started = {
      ...aJob(),
      name: 'alerts',
      title: 'Watch the installation',
      outcome: 'running' as const,
    };
    jobsApi({ jobs: [aJob(), started, aJob({ name: 'y', title: 'Elsewhere', can_run: false })] }).answer({
      'POST /api/operations/jobs/books-check/run': { data: null },
    });
    const { user } = renderConsole('/job', api, { role: 100 });
    const jobs = await shared();
    expect(await jobs.findByRole('button', { name: 'Run “Watch the installation” now' })).toBeDisabled();
    expect(jobs.queryByRole('button', { name: 'Run “Elsewhere” now' })).toBeNull();
    await user.click(jobs.getByRole('button', { name: 'Run “Check the books” now' }));
    expect(await screen.findByText('The job has started')).toBeVisible();
    expect(api.made('POST /api/operations/jobs/books-check/run')).toHaveLength(1);
    await waitFor(() => expect(api.made('GET /api/operations/jobs').length).toBeGreaterThan(1));
  });

  it('offers an administrator who is not root nothing to start', async () => {
    jobsApi();
    renderConsole('/job', api, { role: 10 });
    expect(await (await shared()).findByText('Done')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Run / })).toBeNull();
  });

  it('reports when it cannot be loaded, and tries again', async () => {
    jobsApi().answer({ 'GET /api/operations/jobs': { refused: 'not now' } });
    renderConsole('/job', api, { role: 10 });
    expect(await screen.findByText('Could not load the jobs')).toBeVisible();
  });

  it.each([
    [1_000, '1 second'],
    [3_500, '3.5 seconds'],
    [60_000, '1 minute'],
    [21_600_000, '6 hours'],
    [86_400_000, '1 day'],
  ])('writes a period of %d ms as %s', (periodMs, text) => expect(formatPeriod(periodMs, 'en')).toBe(text));
});
