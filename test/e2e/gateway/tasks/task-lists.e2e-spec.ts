import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TASK_REASONS } from '../../../../server/base/logs/task-reasons.js';
import { DrawingEntity } from '../../../../server/gateway/tasks/drawing.entity.js';
import { TaskEntity } from '../../../../server/gateway/tasks/task.entity.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { DATABASE_KINDS } from '../../../support/database.ts';
import { TasksFixture } from './tasks.fixture.ts';

type View = Readonly<Record<string, unknown>>;

describe.each(DATABASE_KINDS)('the lists of drawings and tasks on %s', (kind) => {
  let fixture: TasksFixture;
  let ann: ApiClient;
  let bob: ApiClient;
  beforeAll(async () => {
    fixture = await TasksFixture.open(kind);
    [ann, bob] = [await fixture.person(), await fixture.person()];
  });
  afterAll(() => fixture?.close());
  beforeEach(async () => {
    await fixture.app.dataSource.getRepository(DrawingEntity).clear();
    await fixture.app.dataSource.getRepository(TaskEntity).clear();
    await fixture.set({ MjForwardUrlEnabled: true });
  });

  const list = (client: ApiClient, path: string): Promise<View[]> => client.expectSuccess('GET', path);
  const ids = async (client: ApiClient, path: string, member: string): Promise<unknown[]> =>
    (await list(client, path)).map((one) => one[member]);

  it('console API 8.7: a drawing has exactly these members, for its owner without the channel [TASK-109]', async () => {
    const row = await fixture.drawing({
      userId: ann.userId,
      mjId: 'm1',
      submitTime: 5,
      startTime: 6,
      finishTime: 7,
      quota: 50,
      tokenId: 4,
      status: 'SUCCESS',
      progress: '100%',
      promptEn: 'cat',
      description: 'd',
      state: 's',
      code: 21,
      buttons: '[{"customId":"x"}]',
      properties: '{"finalPrompt":"p"}',
    });
    const expected = {
      id: row.id,
      code: 21,
      user_id: ann.userId,
      action: 'IMAGINE',
      mj_id: 'm1',
      prompt: 'a cat',
      prompt_en: 'cat',
      description: 'd',
      state: 's',
      submit_time: 5,
      start_time: 6,
      finish_time: 7,
      image_url: '',
      status: 'SUCCESS',
      progress: '100%',
      fail_reason: '',
      quota: 50,
      buttons: '[{"customId":"x"}]',
      properties: '{"finalPrompt":"p"}',
    };
    expect(await list(ann, '/api/mj/self/')).toEqual([{ ...expected, channel_id: 0 }]);
    expect(await list(fixture.root, '/api/mj')).toEqual([
      { ...expected, channel_id: fixture.drawingChannel },
    ]);
  });

  it('console API 8.8: a task has exactly these members, its JSON as JSON', async () => {
    const data = [{ id: 'clip', audio_url: 'https://sound.example/1' }];
    const row = await fixture.song({
      userId: ann.userId,
      taskId: 't1',
      submitTime: 5,
      startTime: 6,
      finishTime: 7,
      quota: 9,
      createdAt: 3,
      updatedAt: 4,
      data: JSON.stringify(data),
    });
    const expected = {
      id: row.id,
      created_at: 3,
      updated_at: 4,
      task_id: 't1',
      platform: 'suno',
      user_id: ann.userId,
      quota: 9,
      action: 'MUSIC',
      status: 'SUBMITTED',
      fail_reason: '',
      submit_time: 5,
      start_time: 6,
      finish_time: 7,
      progress: '0%',
      properties: { input: 'a song' },
      data,
    };
    expect(await list(ann, '/api/task/self')).toEqual([{ ...expected, channel_id: 0 }]);
    expect(await list(fixture.root, '/api/task/')).toEqual([
      { ...expected, channel_id: fixture.songChannel },
    ]);
    await fixture.song({ taskId: 't2', properties: '', data: '{broken' });
    const [, damaged] = (await list(fixture.root, '/api/task/')).toReversed();
    expect(damaged).toMatchObject({ properties: { input: '' }, data: null });
  });

  it('gives the gateway’s own reason in the language of the reader, and a vendor’s as it is', async () => {
    const { overdue } = TASK_REASONS;
    await fixture.drawing({ userId: ann.userId, mjId: 'late', failReason: overdue.en });
    await fixture.song({ userId: ann.userId, taskId: 'late', failReason: overdue.en });
    await fixture.song({ userId: ann.userId, taskId: 'refused', failReason: 'no credits' });
    const reasons = async (client: ApiClient, path: string, language: string): Promise<unknown[]> => {
      const { body } = await client.get(path, { 'Accept-Language': language });
      return (body.data as View[]).map((row) => row['fail_reason']).toSorted();
    };
    for (const [client, drawings, tasks] of [
      [ann, '/api/mj/self', '/api/task/self'],
      [fixture.root, '/api/mj/', '/api/task/'],
    ] as const) {
      expect(await reasons(client, drawings, 'zh')).toEqual([overdue.zh]);
      expect(await reasons(client, tasks, 'zh')).toEqual(['no credits', overdue.zh]);
      expect(await reasons(client, tasks, 'en')).toEqual([overdue.en, 'no credits']);
    }
  });

  it('opens to administrators; shows each account its own', async () => {
    await fixture.drawing({ userId: ann.userId, mjId: 'of-ann' });
    await fixture.song({ userId: ann.userId, taskId: 'of-ann' });
    for (const path of ['/api/mj/', '/api/task/'])
      expect((await ann.get(path)).body.code).toBe('not_permitted');
    expect(await ids(bob, '/api/mj/self?mj_id=of-ann', 'mj_id')).toEqual([]);
    expect(await ids(bob, '/api/task/self?task_id=of-ann', 'task_id')).toEqual([]);
    expect(await ids(ann, '/api/mj/self', 'mj_id')).toEqual(['of-ann']);
    expect(await ids(ann, '/api/task/self/', 'task_id')).toEqual(['of-ann']);
  });

  it('style C: pages of ten from 0, newest first, how many there are in a header', async () => {
    for (let index = 1; index <= 12; index += 1) {
      await fixture.drawing({ userId: ann.userId, mjId: `m${index}`, submitTime: index * 1_000 });
      await fixture.song({ userId: ann.userId, taskId: `t${index}`, submitTime: index });
    }
    for (const [client, path, name] of [
      [ann, '/api/mj/self', 'mj_id'],
      [fixture.root, '/api/mj/', 'mj_id'],
      [ann, '/api/task/self', 'task_id'],
      [fixture.root, '/api/task/', 'task_id'],
    ] as const) {
      const first = await client.get(`${path}?p=0`);
      expect(first.headers.get('x-total-count')).toBe('12');
      const names = (first.body.data as View[]).map((one) => String(one[name]).slice(1));
      expect(names).toEqual(['12', '11', '10', '9', '8', '7', '6', '5', '4', '3']);
      expect(await list(client, `${path}?p=1&page_size=100`)).toHaveLength(2);
      expect(await list(client, `${path}?p=99999999999`)).toEqual([]);
    }
  });

  it('every filter matches exactly, the channel for tasks too; times are ms for drawings, s for tasks [TASK-106]', async () => {
    await fixture.drawing({ mjId: 'a', submitTime: 1_000, channelId: 7 });
    await fixture.drawing({ mjId: 'ab', submitTime: 2_000, channelId: 8 });
    const drawings = (query: string) => ids(fixture.root, `/api/mj/?${query}`, 'mj_id');
    expect(await drawings('mj_id=a')).toEqual(['a']);
    expect(await drawings('mj_id=A')).toEqual([]);
    expect(await drawings('channel_id=8')).toEqual(['ab']);
    expect(await drawings('start_timestamp=1001')).toEqual(['ab']);
    expect(await drawings('start_timestamp=1000&end_timestamp=1999')).toEqual(['a']);
    await fixture.song({ taskId: 'x', submitTime: 10, channelId: 7, status: 'SUCCESS', action: 'LYRICS' });
    await fixture.song({ taskId: 'y', submitTime: 20, channelId: 8, platform: 'other' });
    const tasks = (query: string) => ids(fixture.root, `/api/task/?${query}`, 'task_id');
    expect(await tasks('channel_id=7')).toEqual(['x']);
    expect(await tasks('platform=other')).toEqual(['y']);
    expect(await tasks('action=LYRICS&status=SUCCESS')).toEqual(['x']);
    expect(await tasks('task_id=y')).toEqual(['y']);
    expect(await tasks('start_timestamp=11&end_timestamp=20')).toEqual(['y']);
    expect(await tasks('start_timestamp=21')).toEqual([]);
  });

  it('an address of a picture is ours while the switch is on, and only where there is a picture [TASK-107]', async () => {
    await fixture.drawing({ mjId: 'bare', submitTime: 1 });
    await fixture.drawing({
      mjId: 'shown',
      submitTime: 2,
      imageUrl: 'https://up.example/1.png',
      status: 'SUCCESS',
    });
    const urls = () => ids(fixture.root, '/api/mj/', 'image_url');
    expect(await urls()).toEqual([
      expect.stringMatching(/^https:\/\/gate\.example\/mj\/image\/shown\?sign=[\w-]{32}$/),
      '',
    ]);
    await fixture.set({ MjForwardUrlEnabled: false });
    expect(await urls()).toEqual(['https://up.example/1.png', '']);
  });
});
