import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { JobRunner } from '../../../../server/infra/schedule/job-runner.js';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';
import { LogsRepository } from '../../../../server/base/logs/logs.repository.js';
import { DrawingEntity } from '../../../../server/gateway/tasks/drawing.entity.js';
import { TaskLog } from '../../../../server/gateway/tasks/task-log.js';
import { TaskEntity } from '../../../../server/gateway/tasks/task.entity.js';
import { TokenEntity } from '../../../../server/gateway/tokens/token.entity.js';
import { PersonalDataTables } from '../../../../server/base/users/personal-data-tables.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { DATABASE_KINDS } from '../../../support/database.ts';
import { IMAGINE_QUOTA, MIDJOURNEY, MUSIC_QUOTA, TasksFixture } from './tasks.fixture.ts';
import { until } from '../../../support/until.ts';

const HOUR_MS = 3_600_000;
const LIMITED = 1_000_000;

describe.each(DATABASE_KINDS)('what becomes of tasks on %s', (kind) => {
  let fixture: TasksFixture;
  let ann: ApiClient;
  beforeAll(async () => {
    fixture = await TasksFixture.open(kind);
    ann = await fixture.person();
  });
  afterAll(() => fixture?.close());
  beforeEach(async () => {
    fixture.drawer.says([]);
    fixture.singer.says({ code: 'success', data: [] });
  });
  afterEach(async () => {
    expect(await checkMoney(fixture.app.dataSource)).toEqual([]);
    // Unfinished tasks of one test must not affect the next.
    const unfinished = { status: 'SUBMITTED' };
    await fixture.app.dataSource.getRepository(DrawingEntity).update(unfinished, { status: 'SUCCESS' });
    await fixture.app.dataSource.getRepository(TaskEntity).update(unfinished, { status: 'SUCCESS' });
  });

  const failures = (userId: number) =>
    fixture.app.dataSource.getRepository(LogEntity).findBy({ userId, type: 4 });
  const remainderOf = async (tokenId: number): Promise<number> => {
    const list = await ann.expectSuccess<{ id: number; remain_quota: number }[]>(
      'GET',
      '/api/token/?size=100',
    );
    return list.find(({ id }) => id === tokenId)?.remain_quota ?? -1;
  };

  it('a drawing goes on and finishes as its upstream reports, asked with the channel’s key; then nothing changes it', async () => {
    const { mjId } = await fixture.drawing({ userId: ann.userId });
    fixture.drawer.says([{ id: mjId, status: 'IN_PROGRESS', progress: '30%', startTime: 1_700_000_000_001 }]);
    await fixture.poll();
    expect(fixture.drawer.asked).toMatchObject([
      { path: '/mj/task/list-by-condition', body: { ids: [mjId] } },
    ]);
    expect(fixture.drawer.asked[0]?.headers['mj-api-secret']).toMatch(/^key-of-/);
    expect(await fixture.drawingOf(mjId)).toMatchObject({ status: 'IN_PROGRESS', progress: '30%' });
    const done = {
      id: mjId,
      status: 'SUCCESS',
      progress: '100%',
      finishTime: 1_700_000_060_000,
      promptEn: 'cat',
      imageUrl: 'https://up.example/a.png',
      buttons: [{ customId: 'U1' }],
      properties: { finalPrompt: 'p' },
      videoUrl: 'https://up.example/v1',
      videoUrls: [{ url: 'https://up.example/v2' }],
      state: 'mine',
      description: 'drawn',
      prompt: 'a cat, big',
      submitTime: 1,
    };
    fixture.drawer.says([done]);
    await fixture.poll();
    const finished = await fixture.drawingOf(mjId);
    expect(finished).toMatchObject({
      status: 'SUCCESS',
      progress: '100%',
      startTime: 1_700_000_000_001,
      finishTime: 1_700_000_060_000,
      imageUrl: 'https://up.example/a.png',
      buttons: '[{"customId":"U1"}]',
      promptEn: 'cat',
      videoUrls: '["https://up.example/v1","https://up.example/v2"]',
      properties: '{"finalPrompt":"p"}',
      description: 'drawn',
      prompt: 'a cat, big',
      state: 'mine',
      logPending: 0,
    });
    expect(finished?.submitTime).toBeGreaterThan(1_700_000_000_000);
    fixture.drawer.says([{ ...done, status: 'FAILURE', failReason: 'late' }]);
    await fixture.poll();
    expect(fixture.drawer.asked).toEqual([]);
    expect(await fixture.drawingOf(mjId)).toEqual(finished);
  });

  it('a song finishes with its record', async () => {
    const { taskId } = await fixture.song({ userId: ann.userId });
    fixture.singer.says({ code: 'success', data: [{ task_id: taskId, status: 'QUEUED', progress: '10%' }] });
    await fixture.poll();
    expect(fixture.singer.asked).toMatchObject([{ path: '/suno/fetch', body: { ids: [taskId] } }]);
    expect(fixture.singer.asked[0]?.headers['authorization']).toMatch(/^Bearer key-of-/);
    const clips = [{ id: 'c', audio_url: 'https://up.example/c.mp3' }];
    fixture.singer.says({
      code: 'success',
      data: [
        { task_id: taskId, status: 'SUCCESS', progress: '100%', finish_time: 1_700_000_000, data: clips },
      ],
    });
    await fixture.poll();
    expect(await fixture.songOf(taskId)).toMatchObject({
      status: 'SUCCESS',
      progress: '100%',
      finishTime: 1_700_000_000,
      data: JSON.stringify(clips),
    });
  });

  it('relay pain 14: a failure gives back once what was charged, to account and limited token, however many look [TASK-101, TASK-103]', async () => {
    const { id: tokenId, relay } = await fixture.key(ann, LIMITED);
    const before = await fixture.balanceOf(ann);
    const { mjId, quota, requestId } = await fixture.submit(relay, 'mj-to-fail');
    expect(quota).toBe(IMAGINE_QUOTA);
    fixture.drawer.says([
      { id: mjId, status: 'FAILURE', progress: '50%', failReason: 'banned by https://up.example' },
    ]);
    await Promise.all([fixture.poll(), fixture.poll(), fixture.poll()]);
    await fixture.poll();
    const failed = await fixture.drawingOf(mjId);
    expect(failed).toMatchObject({ status: 'FAILURE', progress: '100%', quota, logPending: 0 });
    expect(failed?.failReason).toMatch(/^banned by /);
    expect(failed?.failReason).not.toContain('up.example');
    expect(await fixture.balanceOf(ann)).toBe(before);
    expect(await remainderOf(tokenId)).toBe(LIMITED);
    const ledger = await fixture.app.dataSource
      .getRepository('ledger')
      .findBy({ kind: 'refund', ref: `task:${requestId}` });
    expect(ledger).toMatchObject([{ userId: ann.userId, amount: IMAGINE_QUOTA }]);
    const lines = (await failures(ann.userId)).filter(({ content }) => content.includes(mjId));
    expect(lines).toMatchObject([{ type: 4, quota: IMAGINE_QUOTA }]);
    expect(lines[0]?.content).toBe(`Drawing ${mjId} failed, refunded $0.100000: ${failed?.failReason}`);
    expect(JSON.parse(lines[0]?.other ?? '')).toMatchObject({
      event: { code: 'task_failed', platform: 'midjourney', task_id: mjId, request_id: requestId },
    });
    relay.close();
  });

  it('a song that failed gives back what was charged; what cost nothing gives back nothing [TASK-102]', async () => {
    const { relay } = await fixture.key(ann);
    const before = await fixture.balanceOf(ann);
    fixture.singer.says({ code: 'success', message: '', data: 'song-to-fail' });
    const answer = await relay.ask({ path: '/suno/submit/music', body: { prompt: 'la' } });
    expect(answer.status).toBe(200);
    await until(async () => (await fixture.songOf('song-to-fail')) !== null);
    expect((await fixture.songOf('song-to-fail'))?.quota).toBe(MUSIC_QUOTA);
    const { mjId } = await fixture.drawing({ userId: ann.userId, quota: 70_000 });
    fixture.singer.says({
      data: [{ task_id: 'song-to-fail', status: 'IN_PROGRESS', fail_reason: 'out of tune' }],
    });
    fixture.drawer.says([{ id: mjId, status: 'CANCEL' }]);
    await fixture.poll();
    expect(await fixture.songOf('song-to-fail')).toMatchObject({
      status: 'FAILURE',
      failReason: 'out of tune',
    });
    expect(await fixture.drawingOf(mjId)).toMatchObject({ status: 'FAILURE' });
    expect(await fixture.balanceOf(ann)).toBe(before);
    relay.close();
  });

  it('a token that is gone gets nothing back, its owner does', async () => {
    const { id, relay } = await fixture.key(ann, LIMITED);
    const before = await fixture.balanceOf(ann);
    const { mjId } = await fixture.submit(relay, 'mj-of-no-token');
    await ann.expectSuccess('DELETE', `/api/token/${id}`);
    fixture.drawer.says([{ id: mjId, status: 'FAILURE' }]);
    await fixture.poll();
    await until(async () => (await fixture.balanceOf(ann)) === before);
    const token = await fixture.app.dataSource.getRepository(TokenEntity).findOneByOrFail({ id });
    expect(token.usedQuota).toBe(IMAGINE_QUOTA);
    expect(await fixture.drawingOf(mjId)).toMatchObject({ failReason: 'The upstream did not say why.' });
    relay.close();
  });

  it('fails at once when its channel is gone or it has no name, and after an hour without a report', async () => {
    const gone = await fixture.channel(MIDJOURNEY, fixture.drawer.url, 'mj_imagine');
    const orphan = await fixture.drawing({ userId: ann.userId, channelId: gone });
    const unnamed = await fixture.song({ userId: ann.userId, taskId: '' });
    const old = await fixture.drawing({
      userId: ann.userId,
      submitTime: fixture.clock.nowMs() - HOUR_MS + 30_000,
    });
    const unheard = await fixture.song({ userId: ann.userId });
    await fixture.root.expectSuccess('DELETE', `/api/channel/${gone}`);
    fixture.drawer.says('the upstream is broken', 502);
    await fixture.poll();
    expect(await fixture.drawingOf(orphan.mjId)).toMatchObject({
      status: 'FAILURE',
      failReason: 'The channel that took the task on does not exist any more.',
    });
    expect(await fixture.songOf('')).toMatchObject({ id: unnamed.id, status: 'FAILURE' });
    expect(await fixture.drawingOf(old.mjId)).toMatchObject({ status: 'SUBMITTED' });
    fixture.clock.advance(60_000);
    await fixture.poll();
    expect(await fixture.drawingOf(old.mjId)).toMatchObject({
      status: 'FAILURE',
      failReason: 'The upstream did not finish the task within one hour.',
    });
    expect(await fixture.songOf(unheard.taskId)).toMatchObject({ status: 'SUBMITTED' });
    fixture.clock.advance(HOUR_MS);
    await fixture.poll();
    expect(await fixture.songOf(unheard.taskId)).toMatchObject({ status: 'FAILURE' });
  });

  it('queries each key of a channel with several for the tasks no other knew', async () => {
    const { ids } = await fixture.root.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', {
      type: MIDJOURNEY,
      name: 'several keys',
      mode: 'multi_to_single',
      key: 'first\nsecond',
      base_url: fixture.drawer.url,
      models: 'mj_imagine',
      group: 'default',
    });
    const channelId = ids[0] ?? 0;
    const [one, two] = [await fixture.drawing({ channelId }), await fixture.drawing({ channelId })];
    const known = new Map([
      ['first', one.mjId],
      ['second', two.mjId],
    ]);
    fixture.drawer.asked.length = 0;
    fixture.drawer.say = ({ headers }) => ({
      body: [{ id: known.get(String(headers['mj-api-secret'])), status: 'SUCCESS' }],
    });
    await fixture.poll();
    expect(fixture.drawer.asked.map(({ body }) => (body as { ids: string[] }).ids)).toEqual([
      [one.mjId, two.mjId],
      [two.mjId],
    ]);
    for (const { mjId } of [one, two])
      expect(await fixture.drawingOf(mjId)).toMatchObject({ status: 'SUCCESS' });
  });

  it('queries all tasks, also more than fit one page, a hundred drawings at a time', async () => {
    const template = await fixture.drawing({ userId: ann.userId });
    const rows = Array.from({ length: 510 }, (_, index) => ({
      ...template,
      id: undefined,
      requestId: `page-${index}`,
      mjId: `page-${index}`,
    }));
    await fixture.app.dataSource.getRepository(DrawingEntity).insert(rows);
    fixture.drawer.say = ({ body }) => ({
      body: (body as { ids: string[] }).ids.map((id) => ({ id, status: 'SUCCESS' })),
    });
    fixture.drawer.asked.length = 0;
    await fixture.poll();
    const asked = fixture.drawer.asked.map(({ body }) => (body as { ids: string[] }).ids.length);
    expect(asked).toEqual([100, 100, 100, 100, 100, 11]);
    const unfinished = { status: 'SUBMITTED' };
    expect(await fixture.app.dataSource.getRepository(DrawingEntity).countBy(unfinished)).toBe(0);
  });

  it('whatever an upstream sends, unknown ids and broken records included, the others go on [TASK-104]', async () => {
    const { mjId } = await fixture.drawing({ userId: ann.userId });
    const other = await fixture.drawing({ userId: ann.userId });
    const answers: unknown[] = [
      '',
      'null',
      '7',
      '"text"',
      '{',
      '<html>',
      '{"data":7}',
      '[null,1,[],"x"]',
      '[{"id":{}}]',
      '['.repeat(50_000),
      [{ id: 'somebody-else', status: 'SUCCESS' }],
      [
        {
          id: mjId,
          status: 5,
          progress: {},
          imageUrl: 'javascript:alert(1)',
          startTime: -1,
          finishTime: 1e300,
        },
      ],
      [{ id: mjId, buttons: 'x', properties: [], videoUrls: {}, prompt: 4, failReason: ['x'] }],
    ];
    for (const answer of answers) {
      fixture.drawer.says(answer);
      await fixture.poll();
      expect(await fixture.drawingOf(mjId)).toMatchObject({
        status: 'SUBMITTED',
        imageUrl: '',
        prompt: 'a cat',
      });
    }
    fixture.drawer.says([
      {
        id: mjId,
        status: 'IN_PROGRESS',
        prompt: 'nul\0here',
        progress: `${'9'.repeat(500)}%`,
        state: '\ud800',
      },
      { id: other.mjId, status: 'SUCCESS', prompt: 'x'.repeat(100_000) },
    ]);
    await fixture.poll();
    const changed = await fixture.drawingOf(mjId);
    expect(changed).toMatchObject({ status: 'IN_PROGRESS', prompt: 'nulhere' });
    expect(changed?.progress).toHaveLength(30);
    expect(await fixture.drawingOf(other.mjId)).toMatchObject({ status: 'SUCCESS', progress: '100%' });
    fixture.drawer.says([{ id: mjId, status: 'SUCCESS' }]);
    await fixture.poll();
  });

  it('finds by money:check a failure without its refund, and a refund without a failure', async () => {
    const { relay } = await fixture.key(ann);
    const { id, mjId, requestId } = await fixture.submit(relay, 'mj-tampered-with');
    const rows = fixture.app.dataSource.getRepository(DrawingEntity);
    await rows.update({ id }, { status: 'FAILURE' });
    const findings = () => checkMoney(fixture.app.dataSource);
    const subject = `drawing of call ${requestId}`;
    expect(await findings()).toEqual([
      { invariant: 'I16', subject, expected: String(IMAGINE_QUOTA), found: '0' },
    ]);
    await rows.update({ id }, { status: 'SUBMITTED' });
    fixture.drawer.says([{ id: mjId, status: 'FAILURE' }]);
    await fixture.poll();
    expect(await findings()).toEqual([]);
    await rows.update({ id }, { status: 'SUCCESS' });
    expect(await findings()).toEqual([
      { invariant: 'I16', subject, expected: '0', found: String(IMAGINE_QUOTA) },
    ]);
    await rows.update({ id }, { status: 'FAILURE' });
    relay.close();
  });

  it('removes a user’s drawings and songs with other personal data [SELF-05]', () => {
    const tables = fixture.app.app.get(PersonalDataTables, { strict: false }).list();
    expect(tables).toEqual(expect.arrayContaining([DrawingEntity, TaskEntity]));
  });

  it('section 18: polls are jobs of all workers, unless UPDATE_TASK excludes this process', async () => {
    const jobs = (app: TestApp) => app.app.get(JobRunner, { strict: false });
    const other = await startTestApp();
    for (const name of ['drawing-poll', 'task-poll'])
      expect([await jobs(other).runNow(name), await jobs(fixture.app).runNow(name)]).toEqual([true, false]);
    await other.close();
  });

  it('a log line that could not be written is written by the job, once', async () => {
    const { mjId } = await fixture.drawing({ userId: ann.userId });
    const logs = fixture.app.app.get(LogsRepository, { strict: false });
    const insert = logs.insertMany.bind(logs);
    logs.insertMany = () => Promise.reject(new Error('the log database is away'));
    fixture.drawer.says([{ id: mjId, status: 'FAILURE', failReason: 'no' }]);
    await fixture.poll();
    logs.insertMany = insert;
    expect(await fixture.drawingOf(mjId)).toMatchObject({ status: 'FAILURE', logPending: 1 });
    fixture.clock.advance(60_000);
    const log = fixture.app.app.get(TaskLog, { strict: false });
    for (let turn = 0; turn < 2; turn += 1) await log.writeMissing();
    const lines = (await failures(ann.userId)).filter(({ content }) => content.includes(mjId));
    expect(lines).toMatchObject([{ content: `Drawing ${mjId} failed: no`, quota: 0 }]);
    expect(await fixture.drawingOf(mjId)).toMatchObject({ logPending: 0 });
  });
});
