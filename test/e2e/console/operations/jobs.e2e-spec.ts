import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { JobRunner } from '../../../../server/infra/schedule/job-runner.js';
import type { JobRun } from '../../../../server/infra/schedule/job-run.js';
import { AuditEventEntity } from '../../../../server/base/audit/audit-event.entity.js';
import type { OperationsJobsView } from '../../../../server/console/operations/dto/job.dto.js';
import { ApiClient } from '../../../support/api-client.ts';
import {
  ROOT_ACCOUNT,
  setUpRoot,
  signUp,
  startTestApp,
  type TestApp,
} from '../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';
import { until } from '../../../support/until.js';

const SECRETS = { SESSION_SECRET: 's'.repeat(40), CRYPTO_SECRET: 'c'.repeat(40) };

describe.each(DATABASE_KINDS)('jobs in the console, two instances on %s', (kind) => {
  let database: TestDatabase;
  let one: TestApp;
  let two: TestApp;
  let root: ApiClient;
  let rootOfTwo: ApiClient;
  let admin: ApiClient;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    const env = { DATABASE_URL: database.url, ...SECRETS };
    one = await startTestApp({ env });
    two = await startTestApp({ env: { ...env, UPDATE_TASK: 'false' } });
    root = await setUpRoot(one);
    rootOfTwo = await ApiClient.signIn(two.url, ROOT_ACCOUNT.username, ROOT_ACCOUNT.password);
    admin = await signUp(root, { username: 'watcher', role: 'admin' });
  });
  afterAll(async () => {
    await one.close();
    await two.close();
    await database.drop();
  });

  const listFor = (client: ApiClient): Promise<OperationsJobsView> =>
    client.expectSuccess<OperationsJobsView>('GET', '/api/operations/jobs');
  const jobOf = async (client: ApiClient, name: string) =>
    (await listFor(client)).jobs.find((job) => job.name === name);
  const run = (client: ApiClient, name: string) => client.post(`/api/operations/jobs/${name}/run`, {});
  const runnerOf = ({ app }: TestApp): JobRunner => app.get(JobRunner, { strict: false });
  const recorded = (name: string) =>
    one.dataSource.getRepository(AuditEventEntity).findBy({ action: 'job.run', targetId: name });

  it('describes in both languages every job and interval', async () => {
    for (const language of ['en', 'zh']) {
      root.headers['accept-language'] = language;
      const { jobs, intervals } = await listFor(root);
      expect(jobs.length).toBeGreaterThan(12);
      expect(intervals.length).toBeGreaterThan(12);
      for (const { name, title, description } of [...jobs, ...intervals]) {
        expect([name, title]).not.toEqual([name, name]);
        expect([name, description]).not.toEqual([name, '']);
        expect(/\p{Script=Han}/u.test(title + description)).toBe(language === 'zh');
      }
    }
    delete root.headers['accept-language'];
  });

  it('shows how often each runs and when it runs next, and the intervals of the worker that answers', async () => {
    const found = await listFor(admin);
    expect(found).toMatchObject({ place: expect.any(String), worker: 0 });
    expect(await jobOf(admin, 'channel-test-turn')).toMatchObject({ period_ms: null, next_at: 0 });
    expect(await jobOf(admin, 'stored-ids')).toMatchObject({ period_ms: 3_600_000, can_run: true });
    const revisions = found.intervals.find(({ name }) => name === 'revisions');
    const seconds = Date.now() / 1_000;
    expect(revisions?.period_ms).toBe(5_000);
    expect(Math.abs((revisions?.next_at ?? 0) - seconds)).toBeLessThan(30);
    await until(async () =>
      (await listFor(admin)).intervals.some(
        ({ name, outcome }) => name === 'money-modes' && outcome === 'done',
      ),
    );
  });

  it('starts a job that is not running, on the worker that answers, and records the actor', async () => {
    expect((await run(root, 'session-sweep')).body).toMatchObject({ success: true });
    await until(async () => (await jobOf(root, 'session-sweep'))?.outcome === 'done');
    const job = await jobOf(rootOfTwo, 'session-sweep');
    expect(job).toMatchObject({ holder: null, message: '' });
    expect(job?.next_at).toBe((job?.started_at ?? 0) + 3_600);
    expect(await recorded('session-sweep')).toMatchObject([{ actorId: root.userId, targetType: 'job' }]);
  });

  it('refuses a job that another instance runs, and names it', async () => {
    const turn = (await runnerOf(two).begin('books-check')) as JobRun;
    const { answered_by: bootId, place } = await listFor(rootOfTwo);
    expect((await run(root, 'books-check')).body.code).toBe('job_runs');
    expect((await run(rootOfTwo, 'books-check')).body.code).toBe('job_runs');
    expect(await jobOf(root, 'books-check')).toMatchObject({
      outcome: 'running',
      holder: { boot_id: bootId, place },
    });
    expect(await recorded('books-check')).toEqual([]);
    await runnerOf(two).finish(turn, 'it broke');
    expect(await jobOf(root, 'books-check')).toMatchObject({
      outcome: 'failed',
      message: 'it broke',
      holder: null,
      last_place: place,
    });
  });

  it('starts one run for requests to both instances at the same moment', async () => {
    const codes = await Promise.all([run(root, 'stored-ids'), run(rootOfTwo, 'stored-ids')]);
    const answers = codes.map(({ body }) => body.code ?? 'started');
    // One that ended before the other began is no overlap.
    expect(answers).toContain('started');
    expect(await recorded('stored-ids')).toHaveLength(
      answers.filter((answer) => answer === 'started').length,
    );
  });

  it('refuses unknown jobs, and those this worker takes no part in', async () => {
    expect((await run(root, 'no-such-job')).body.code).toBe('not_found');
    await runnerOf(one).finish((await runnerOf(one).begin('task-poll')) as JobRun, null);
    expect(await jobOf(rootOfTwo, 'task-poll')).toMatchObject({ can_run: false, period_ms: null });
    expect((await run(rootOfTwo, 'task-poll')).body.code).toBe('job_not_here');
    expect(await recorded('task-poll')).toEqual([]);
  });

  it('lets administrators read and root alone run', async () => {
    const user = await signUp(root, { username: 'ordinary' });
    expect((await user.get('/api/operations/jobs')).body.code).toBe('not_permitted');
    expect((await run(admin, 'stored-ids')).body.code).toBe('not_permitted');
    expect((await listFor(admin)).jobs).not.toEqual([]);
  });
});
