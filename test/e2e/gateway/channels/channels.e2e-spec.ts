import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ChannelStore } from '../../../../server/gateway/channels/state/channel-store.js';
import type { ApiClient, ApiReply } from '../../../support/api-client.js';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../support/database.js';

const CANARY = 'sk-CANARY-0123456789-never-seen-again';

interface Channel {
  readonly id: number;
  readonly name: string;
  readonly key: string;
  readonly priority: number;
}

const channel = (part: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: 1,
  name: 'one',
  key: CANARY,
  models: 'gpt-4o,gpt-4o-mini',
  group: 'default',
  base_url: 'http://127.0.0.1:45999',
  ...part,
});

describe.each(DATABASE_KINDS)('the channel routes on %s', (kind) => {
  let database: TestDatabase;
  let app: TestApp;
  let root: ApiClient;
  let admin: ApiClient;
  let ann: ApiClient;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    app = await startTestApp({ env: { DATABASE_URL: database.url } });
    root = await setUpRoot(app);
    admin = await signUp(root, { username: 'admin', role: 'admin' });
    ann = await signUp(root, { username: 'ann' });
  });

  afterAll(async () => {
    await app.close();
    await database.drop();
  });

  const create = async (part: Record<string, unknown> = {}): Promise<number> => {
    const { ids } = await admin.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', channel(part));
    return ids[0] ?? 0;
  };
  const get = (id: number): Promise<Channel> => admin.expectSuccess<Channel>('GET', `/api/channel/${id}`);

  it('creates, lists, edits by members, and deletes, under both slash forms', async () => {
    const id = await create({ name: 'life', priority: 5 });
    const list = await admin.get('/api/channel?p=0&page_size=1');
    expect(list.headers.get('x-total-count')).toBe('1');
    expect(list.body.data).toMatchObject([{ id, name: 'life', key: '', priority: 5, status: 1 }]);
    await admin.expectSuccess('PUT', '/api/channel/', { id, priority: -3 });
    await admin.expectSuccess('PUT', '/api/channel', { id, weight: 9 });
    expect((await admin.put('/api/channel/', { id, status: 2 })).body.data).toMatchObject({
      status: 2,
      priority: -3,
      weight: 9,
    });
    await admin.expectSuccess('DELETE', `/api/channel/${id}/`);
    expect((await admin.get(`/api/channel/${id}`)).body).toMatchObject({ success: false, code: 'not_found' });
    await admin.expectSuccess('DELETE', `/api/channel/${id}`);
  });

  it('searches page by page, channels as well as tags [DB-02]', async () => {
    for (const tag of ['pageone', 'pagetwo', 'pagetwo']) await create({ name: 'paged channel', tag });
    const search = async (query: string) => {
      const reply = await admin.get(`/api/channel/search?keyword=paged&id_sort=true&${query}`);
      const tags = (reply.body.data as { tag: string }[]).map((one) => one.tag);
      return [tags, reply.headers.get('x-total-count')];
    };
    expect(await search('')).toEqual([['pagetwo', 'pagetwo', 'pageone'], '3']);
    expect(await search('page_size=2&p=1')).toEqual([['pageone'], '3']);
    expect(await search('size=1')).toEqual([['pagetwo'], '3']);
    expect(await search('tag_mode=true&page_size=1')).toEqual([['pagetwo', 'pagetwo'], '2']);
    expect(await search('tag_mode=true&page_size=1&p=1')).toEqual([['pageone'], '2']);
  });

  it('takes back the whole object it sent, as older consoles do', async () => {
    const id = await create({ name: 'round', setting: '{"force_format":true}' });
    const before = await get(id);
    const after = await admin.expectSuccess('PUT', '/api/channel/', {
      ...before,
      name: 'trip',
      max_input_tokens: 5,
      groups: ['default'],
    });
    expect(after).toEqual({ ...before, name: 'trip', max_input_tokens: 5 });
  });

  it('takes priority, weight and the longest prompt as numbers and as typed text', async () => {
    const id = await create({ name: 'typed', priority: '7', weight: ' 3 ', max_input_tokens: '4096' });
    expect(await get(id)).toMatchObject({ priority: 7, weight: 3, max_input_tokens: 4096 });
    await admin.expectSuccess('PUT', '/api/channel/', { id, priority: '-5' });
    expect(await get(id)).toMatchObject({ priority: -5 });
    expect((await admin.put('/api/channel/', { id, weight: '1.5' })).body).toMatchObject({
      success: false,
      message: expect.stringContaining('weight (must be a whole number'),
    });
    expect((await admin.put('/api/channel/', { id, weight: -1 })).body).toMatchObject({
      success: false,
      message: 'Invalid parameter: weight (must be a whole number from 0 to 1000000)',
    });
  });

  it('copies a channel that is sent as it was shown, without its id and under a longer name', async () => {
    const setting = '{"proxy":"http://user:secret@127.0.0.1:8080"}';
    const id = await create({ name: 'shown', models: 'only-shown', setting, priority: 3 });
    const { id: _id, ...shown } = { ...(await get(id)), created_time: null, balance: 0 };
    const { ids } = await admin.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', {
      ...shown,
      name: 'shown_复制',
    });
    expect(await get(ids[0] ?? 0)).toMatchObject({ name: 'shown_复制', priority: 3, models: 'only-shown' });
    const store = app.app.get(ChannelStore);
    expect((await store.open(ids[0] ?? 0))?.key).toBe(CANARY);
    expect((await store.open(ids[0] ?? 0))?.channel.setting).toBe((await store.open(id))?.channel.setting);
    // A request that differs in anything is no copy, and of two equal channels the source is ambiguous.
    const refused = async (part: Record<string, unknown>): Promise<void> => {
      expect((await admin.post('/api/channel/', { ...shown, name: 'shown_x', ...part })).body).toMatchObject({
        code: 'channel_name_and_key_required',
      });
    };
    await refused({ base_url: 'http://127.0.0.1:46000' });
    await refused({ name: 'other' });
    await create({ name: 'shown', models: 'only-shown', setting, priority: 3, key: 'sk-another' });
    await refused({});
  });

  it('copies by the id alone, without a body', async () => {
    const id = await create({ name: 'alone' });
    const reply = await fetch(`${app.url}/api/channel/copy/${id}`, {
      method: 'POST',
      headers: admin.headers,
    });
    expect(await reply.json()).toMatchObject({ success: true, data: { ids: [expect.any(Number)] } });
  });

  it('refuses with a message an empty selection, an empty tag and an unknown tag, and keeps the tags', async () => {
    const id = await create({ name: 'kept', tag: 'stays' });
    const inChinese = async (path: string, body: unknown): Promise<string> => {
      const reply = await fetch(`${app.url}${path}`, {
        method: 'POST',
        headers: { ...admin.headers, 'content-type': 'application/json', 'accept-language': 'zh-CN' },
        body: JSON.stringify(body),
      });
      const answer = (await reply.json()) as { success: boolean; message: string };
      expect(answer.success).toBe(false);
      return answer.message;
    };
    expect(await inChinese('/api/channel/batch/tag', { ids: [id], tag: '' })).toBe('标签不能为空！');
    expect(await inChinese('/api/channel/batch/tag', { ids: [id], tag: '  ' })).toBe('标签不能为空！');
    expect(await inChinese('/api/channel/batch/tag', { ids: [], tag: 'x' })).toBe(
      '请先选择要设置标签的渠道！',
    );
    expect(await inChinese('/api/channel/batch', { ids: [] })).toBe('请先选择要删除的通道！');
    expect(await inChinese('/api/channel/tag/disabled', { tag: 'nobody' })).toBe('没有渠道使用标签 nobody');
    expect(await inChinese('/api/channel/tag/enabled', { tag: 'nobody' })).toBe('没有渠道使用标签 nobody');
    expect((await admin.put('/api/channel/tag', { tag: 'nobody', priority: 1 })).body.code).toBe(
      'channel_tag_unknown',
    );
    expect(await get(id)).toMatchObject({ tag: 'stays' });
    await admin.expectSuccess('POST', '/api/channel/batch/tag', { ids: [id], tag: null });
    expect(await get(id)).toMatchObject({ tag: '' });
  });

  it('copies without the key ever leaving: by its own route, and by a creation without a key', async () => {
    const id = await create({ name: 'copied' });
    const { ids } = await admin.expectSuccess<{ ids: number[] }>('POST', `/api/channel/copy/${id}`, {});
    expect(await get(ids[0] ?? 0)).toMatchObject({ name: 'copied_copy', key: '' });
    expect((await admin.post('/api/channel/', channel({ key: '' }))).body).toMatchObject({
      code: 'channel_name_and_key_required',
    });
    await create({ key: '', copy_from: id, name: 'by hand' });
  });

  it('refuses a change of the address alone with a reason, and stores nothing [CH-02]', async () => {
    const id = await create({ name: 'bound' });
    const reply = await admin.put('/api/channel/', { id, base_url: 'http://127.0.0.1:8080', name: 'moved' });
    expect(reply.body).toMatchObject({ success: false, code: 'channel_key_retype' });
    expect(reply.body.message).toContain('key');
    expect(await get(id)).toMatchObject({ name: 'bound', base_url: 'http://127.0.0.1:45999' });
  });

  it('shows nothing to ordinary users and nothing of the root routes to administrators', async () => {
    for (const path of [
      '/api/channel/',
      '/api/channel/1',
      '/api/channel/search',
      '/api/channel/models_enabled',
      '/api/channel/health',
      '/api/channel/latency',
    ]) {
      expect((await ann.get(path)).body).toMatchObject({ success: false });
    }
    expect((await ann.post('/api/channel/', channel())).body.success).toBe(false);
  });

  it('returns models by type, by provider, behind enabled channels and for the caller', async () => {
    const id = await create({ name: 'models', models: 'only-here', group: 'vip' });
    expect(await admin.expectSuccess('GET', '/api/channel/models_enabled')).toContain('only-here');
    expect(await ann.expectSuccess('GET', '/api/user/models')).toContain('only-here');
    expect(await ann.expectSuccess('GET', '/api/models')).toMatchObject({ '1': expect.any(Array) });
    expect(await admin.expectSuccess('GET', '/api/channel/models')).toEqual(expect.any(Array));
    await admin.expectSuccess('PUT', '/api/channel/', { id, status: 2 });
    expect(await ann.expectSuccess('GET', '/api/user/models')).not.toContain('only-here');
  });

  it('works on many at once: tags, batches, disabled ones, repair', async () => {
    const ids = await Promise.all(['x', 'y', 'z'].map((name) => create({ name })));
    expect(await admin.expectSuccess('POST', '/api/channel/batch/tag', { ids, tag: 'many' })).toBe(3);
    await admin.expectSuccess('PUT', '/api/channel/tag', { tag: 'many', priority: 44 });
    await admin.expectSuccess('POST', '/api/channel/tag/disabled', { tag: 'many' });
    const tagged = await admin.get('/api/channel/?tag_mode=true&page_size=100');
    const many = (tagged.body.data as (Channel & { tag: string; status: number })[]).filter(
      (one) => one.tag === 'many',
    );
    expect(many.map((one) => [one.status, one.priority])).toEqual([
      [2, 44],
      [2, 44],
      [2, 44],
    ]);
    await admin.expectSuccess('POST', '/api/channel/tag/enabled', { tag: 'many' });
    expect(await admin.expectSuccess('POST', '/api/channel/batch', { ids: ids.slice(0, 1) })).toBe(1);
    await admin.expectSuccess('PUT', '/api/channel/', { id: ids[1], status: 2 });
    expect(await admin.expectSuccess('DELETE', '/api/channel/disabled')).toBeGreaterThanOrEqual(1);
    expect(await admin.expectSuccess('POST', '/api/channel/fix')).toBeGreaterThanOrEqual(1);
    expect((await admin.post('/api/channel/batch', { ids: [] })).body.success).toBe(false);
    expect((await admin.put('/api/channel/tag', { tag: '' })).body.success).toBe(false);
  });

  it('no answer of any route, mode or refusal holds a key [CH-01]', async () => {
    const id = await create({
      name: 'canary',
      tag: 'canary',
      setting: { proxy: `http://u:${CANARY}@127.0.0.1:8080` },
    });
    const replies: ApiReply[] = [];
    const ask = async (method: string, path: string, body?: unknown): Promise<void> => {
      replies.push(await root.send(method, path, body));
    };
    for (const { method, path } of app.accessTable) {
      if (method !== 'GET' || !path.startsWith('/api/')) continue;
      await ask('GET', path.replace(/:\w+/g, String(id)));
    }
    for (const query of [
      'tag_mode=true',
      'id_sort=true',
      'tag_mode=1&id_sort=1',
      `keyword=${CANARY}`,
      'keyword=canary&tag_mode=true',
    ]) {
      await ask('GET', `/api/channel/?${query}`);
      await ask('GET', `/api/channel/search?${query}`);
    }
    await ask('PUT', '/api/channel/', { id, key: CANARY });
    await ask('PUT', '/api/channel/', { id, key: `${CANARY}\u0001é` });
    await ask('PUT', '/api/channel/', { id, base_url: 'nonsense', key: CANARY });
    await ask('PUT', '/api/channel/', { id, type: 'x', key: CANARY });
    await ask('POST', '/api/channel/', channel({ models: '', key: CANARY }));
    await ask('POST', `/api/channel/copy/${id}`, {});
    await ask('PUT', '/api/channel/tag', { tag: 'canary', new_tag: 'canary2' });
    expect(replies.length).toBeGreaterThan(30);
    const leaking = replies.filter((reply) =>
      JSON.stringify([reply.body, [...reply.headers]]).includes('CANARY'),
    );
    expect(leaking).toEqual([]);
    const stored: unknown = await app.dataSource.query('SELECT * FROM channels');
    expect(JSON.stringify(stored).split(CANARY)).toHaveLength(2); // only the proxy address the operator typed
  });

  it.each([
    [{ name: ' ' }, 'channel_name_and_key_required'],
    [{ models: [] }, 'channel_model_required'],
    [{ group: ',' }, 'channel_group_required'],
    [{ type: 999 }, 'channel_type_unknown'],
    [{ base_url: 'ftp://a' }, 'channel_base_url_invalid'],
    [{ base_url: 'http://127.0.0.1:6379' }, 'channel_address_refused'],
    [{ model_mapping: '{' }, 'channel_model_mapping_invalid'],
    [{ model_mapping: { a: 'b', b: 'a' } }, 'channel_model_mapping_cycle'],
    [{ status_code_mapping: '{"429":"200"}' }, 'channel_status_mapping_invalid'],
    [{ param_override: '{"model":"x"}' }, 'channel_override_fixed'],
    [{ param_override: '{"best_of":20}' }, 'channel_override_fixed'],
    [
      { param_override: '{"operations":[{"mode":"set","path":"parameters.n","value":9}]}' },
      'channel_override_fixed',
    ],
    [{ setting: '{"proxy":"x"}' }, 'channel_proxy_invalid'],
    [{ setting: '{"proxy":"http://127.0.0.1:6379"}' }, 'channel_address_refused'],
    [{ priority: 1.5 }, 'malformed_input'],
    [{ models: 5 }, 'malformed_input'],
  ])('refuses %j [CHAN-103]', async (part, code) => {
    expect((await admin.post('/api/channel/', channel(part))).body).toMatchObject({ success: false, code });
  });
});
