import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ok } from '../../../../server/common/result.js';
import type { Caller } from '../../../../server/relay-core/model/call.js';
import { TaskOrigins } from '../../../../server/relay-core/ports/task-origins.js';
import type { ApiClient } from '../../../support/api-client.ts';
import type { RelayClient } from '../../../support/relay-client.ts';
import { MIDJOURNEY, TasksFixture } from './tasks.fixture.ts';

describe('tasks as their callers see them', () => {
  let fixture: TasksFixture;
  let ann: ApiClient;
  let relay: RelayClient;
  let stranger: RelayClient;
  beforeAll(async () => {
    fixture = await TasksFixture.open();
    ann = await fixture.person();
    ({ relay } = await fixture.key(ann));
    ({ relay: stranger } = await fixture.key(await fixture.person()));
  });
  afterAll(async () => {
    relay?.close();
    stranger?.close();
    await fixture?.close();
  });
  beforeEach(() => fixture.set({ MjForwardUrlEnabled: false }));

  const get = (path: string, client = relay) => fixture.ask(client, { method: 'GET', path });
  const post = (path: string, body: unknown, client = relay) => fixture.ask(client, { path, body });

  it('returns a drawing with these members, also behind a mode and to a key in its own header', async () => {
    const { mjId } = await fixture.drawing({
      userId: ann.userId,
      submitTime: 5,
      imageUrl: 'https://up.example/a.png',
      status: 'SUCCESS',
      videoUrls: '["https://up.example/v"]',
      buttons: '[{"customId":"U1"}]',
      progress: '100%',
      properties: '{"finalPrompt":"p"}',
    });
    const drawing = {
      id: mjId,
      action: 'IMAGINE',
      customId: '',
      botType: '',
      prompt: 'a cat',
      promptEn: '',
      description: '',
      state: '',
      submitTime: 5,
      startTime: 0,
      finishTime: 0,
      status: 'SUCCESS',
      imageUrl: 'https://up.example/a.png',
      videoUrl: 'https://up.example/v',
      progress: '100%',
      videoUrls: [{ url: 'https://up.example/v' }],
      failReason: '',
      buttons: [{ customId: 'U1' }],
      properties: { finalPrompt: 'p' },
    };
    const path = `/mj/task/${mjId}/fetch`;
    for (const address of [path, `/mj-fast${path}`, `/mj-turbo${path}`, `/mj-relax${path}`])
      expect(await get(address)).toEqual({ status: 200, body: drawing });
    const list = await post('/mj/task/list-by-condition', { ids: [mjId, 'unknown', mjId] });
    expect(list).toEqual({ status: 200, body: [drawing] });
    expect(await post('/mj-relax/mj/task/list-by-condition', { ids: [mjId] })).toEqual(list);
  });

  it('accepts the key in mj-api-secret when Authorization holds the proxy’s placeholder', async () => {
    const { mjId } = await fixture.drawing({ userId: ann.userId });
    const [, key = ''] = await tokenKeys();
    for (const authorization of ['midjourney-proxy', '']) {
      const response = await fetch(`${fixture.app.url}/mj/task/${mjId}/fetch`, {
        headers: { 'mj-api-secret': key, ...(authorization === '' ? {} : { authorization }) },
      });
      expect([response.status, await response.json()]).toMatchObject([200, { id: mjId }]);
    }
    const response = await fetch(`${fixture.app.url}/mj/task/${mjId}/fetch`);
    expect(response.status).toBe(401);
    expect(Object.keys((await response.json()) as object).sort()).toEqual(['code', 'description', 'type']);
  });
  const tokenKeys = async (): Promise<string[]> => {
    const list = await ann.expectSuccess<{ key: string }[]>('GET', '/api/token/?size=100');
    return ['', ...list.map(({ key }) => `sk-${key}`)];
  };

  it('returns the image at our address with MjForwardUrlEnabled, another one each time while it is not finished', async () => {
    await fixture.set({ MjForwardUrlEnabled: true });
    const begun = await fixture.drawing({ userId: ann.userId, imageUrl: 'https://up.example/a.png' });
    const bare = await fixture.drawing({ userId: ann.userId });
    const urlOf = async (id: string) => (await get(`/mj/task/${id}/fetch`)).body['imageUrl'];
    const first = await urlOf(begun.mjId);
    expect(first).toMatch(
      /^https:\/\/gate\.example\/mj\/image\/mj-[\w-]+\?sign=[\w-]{32}&rand=[0-9a-f]{12}$/,
    );
    expect(await urlOf(begun.mjId)).not.toBe(first);
    expect(await urlOf(bare.mjId)).toBe('');
  });

  it('returns songs in an envelope, one or many, filtered by their action', async () => {
    const mine = await fixture.song({ userId: ann.userId, data: '[{"id":"c"}]', submitTime: 5 });
    const words = await fixture.song({ userId: ann.userId, action: 'LYRICS' });
    const song = {
      task_id: mine.taskId,
      platform: 'suno',
      action: 'MUSIC',
      status: 'SUBMITTED',
      fail_reason: '',
      submit_time: 5,
      start_time: 0,
      finish_time: 0,
      progress: '0%',
      data: [{ id: 'c' }],
    };
    const envelope = { code: 'success', message: '' };
    const one = await get(`/suno/fetch/${mine.taskId}`);
    expect(one).toEqual({ status: 200, body: { ...envelope, data: song } });
    const ids = [mine.taskId, words.taskId];
    expect(await post('/suno/fetch', { ids, action: 'music' })).toEqual({
      status: 200,
      body: { ...envelope, data: [song] },
    });
    expect((await post('/suno/fetch', { ids })).body['data']).toHaveLength(2);
  });

  it('reports another account’s task as if it did not exist', async () => {
    const drawing = await fixture.drawing({ userId: ann.userId });
    const song = await fixture.song({ userId: ann.userId });
    const asks = [
      get(`/mj/task/${drawing.mjId}/fetch`, stranger),
      get(`/mj/task/${drawing.mjId}/image-seed`, stranger),
      get('/mj/task/no-such-task/fetch', stranger),
      get(`/suno/fetch/${song.taskId}`, stranger),
    ];
    for (const { status, body } of await Promise.all(asks)) {
      expect(status).toBe(400);
      expect(String(body['description'] ?? body['message'])).toMatch(/^task_not_exist/);
    }
    const ids = { ids: [drawing.mjId, 'another'] };
    expect((await post('/mj/task/list-by-condition', ids, stranger)).body).toEqual([]);
    expect((await post('/suno/fetch', { ids: [song.taskId] }, stranger)).body['data']).toEqual([]);
    expect(fixture.drawer.asked.filter(({ path }) => path.includes('seed'))).toEqual([]);
  });

  it('a task that is not booked yet is waited for', async () => {
    const [mjId, taskId] = [`mj-${randomUUID()}`, `song-${randomUUID()}`];
    const asks = [
      get(`/mj/task/${mjId}/fetch`),
      post('/mj/task/list-by-condition', { ids: [mjId] }),
      get(`/suno/fetch/${taskId}`),
    ];
    await fixture.drawing({ userId: ann.userId, mjId });
    await fixture.song({ userId: ann.userId, taskId });
    const [one, list, song] = await Promise.all(asks);
    expect(one?.body).toMatchObject({ id: mjId });
    expect(list?.body).toMatchObject([{ id: mjId }]);
    expect(song?.body['data']).toMatchObject({ task_id: taskId });
  });

  it('refuses anything but a list of ids, other methods and unknown addresses', async () => {
    const path = '/mj/task/list-by-condition';
    for (const body of [{}, { ids: 'x' }, { ids: [{}] }, { ids: [''] }, { ids: ['x'.repeat(129)] }, []])
      expect((await post(path, body)).status).toBe(400);
    const many = Array.from({ length: 101 }, (_, index) => `id-${index}`);
    expect((await post(path, { ids: many })).status).toBe(400);
    expect((await post(path, { ids: [], padding: 'x'.repeat(70_000) })).status).toBe(413);
    expect((await post(path, { ids: [] })).body).toEqual([]);
    const wrongMethods = [
      ...['/mj/task/x/fetch', '/mj/task/x/image-seed', '/mj/image/x', '/suno/fetch/x'].map((one) => [
        'POST',
        one,
      ]),
      ...[path, '/suno/fetch', `/mj-fast${path}`, '/mj/submit/imagine'].map((one) => ['GET', one]),
    ] as const;
    for (const [method = '', address = ''] of wrongMethods) {
      const response = await fetch(`${fixture.app.url}${address}`, { method });
      expect([address, response.status]).toEqual([address, 405]);
      expect(response.headers.get('allow')).toBe(method === 'GET' ? 'POST' : 'GET');
    }
    for (const address of ['/mj/unknown', '/mj-fast/mj/unknown', '/mj-fast', '/suno/unknown', '/mj'])
      expect([address, (await get(address)).status]).toEqual([address, 404]);
  });

  it('requests an image seed from the drawing’s own channel', async () => {
    const { mjId } = await fixture.drawing({ userId: ann.userId });
    fixture.drawer.says({ code: 1, description: 'ok', result: '42', secret: 'x' });
    const seed = await get(`/mj/task/${mjId}/image-seed`);
    expect(seed).toEqual({ status: 200, body: { code: 1, description: 'ok', result: '42' } });
    expect(fixture.drawer.asked).toMatchObject([{ path: `/mj/task/${mjId}/image-seed` }]);
    expect(fixture.drawer.asked[0]?.headers['mj-api-secret']).toMatch(/^key-of-/);
    fixture.drawer.says('x'.repeat(100_000));
    expect((await get(`/mj/task/${mjId}/image-seed`)).status).toBeGreaterThanOrEqual(500);
    const lost = await fixture.drawing({ userId: ann.userId, channelId: 9_999 });
    expect((await get(`/mj/task/${lost.mjId}/image-seed`)).status).toBe(503);
  });

  it('has no address for pushed reports of a task: only the vendor is queried [TASK-108]', async () => {
    const { mjId } = await fixture.drawing({ userId: ann.userId });
    expect((await post('/mj/notify', { id: mjId, status: 'SUCCESS' })).status).toBe(404);
    expect(await fixture.drawingOf(mjId)).toMatchObject({ status: 'SUBMITTED' });
  });

  it('follow-ups go to the channel that took on the caller’s own, finished task', async () => {
    const origins = fixture.app.app.get(TaskOrigins, { strict: false });
    const caller = { userId: ann.userId } as Caller;
    const find = (taskId: string, needsSuccess = true, userId = ann.userId) =>
      origins.findChannel({ ...caller, userId }, { platform: 'midjourney', taskId, needsSuccess });
    const done = await fixture.drawing({ userId: ann.userId, status: 'SUCCESS' });
    const begun = await fixture.drawing({ userId: ann.userId });
    expect(await find(done.mjId)).toEqual(ok(fixture.drawingChannel));
    expect(await find(done.mjId, true, 1)).toMatchObject({ error: { kind: 'invalid-request' } });
    expect(await find(begun.mjId)).toMatchObject({ error: { kind: 'invalid-request' } });
    expect(await find(begun.mjId, false)).toEqual(ok(fixture.drawingChannel));
    await fixture.set({ MjActionCheckSuccessEnabled: false });
    expect(await find(begun.mjId)).toEqual(ok(fixture.drawingChannel));
    await fixture.set({ MjActionCheckSuccessEnabled: true });
    const off = await fixture.channel(MIDJOURNEY, fixture.drawer.url, 'mj_imagine');
    const elsewhere = await fixture.drawing({ userId: ann.userId, status: 'SUCCESS', channelId: off });
    const song = await fixture.song({ userId: ann.userId, status: 'SUCCESS' });
    await fixture.root.expectSuccess('PUT', '/api/channel/', { id: off, status: 2 });
    expect(await find(elsewhere.mjId)).toMatchObject({ error: { kind: 'channel-unavailable' } });
    await fixture.root.expectSuccess('DELETE', `/api/channel/${off}`);
    expect(await find(elsewhere.mjId)).toMatchObject({ error: { kind: 'channel-unavailable' } });
    expect(
      await origins.findChannel(caller, { platform: 'suno', taskId: song.taskId, needsSuccess: false }),
    ).toEqual(ok(fixture.songChannel));
  });
});
