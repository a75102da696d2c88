import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '../../support/free-port.mjs';
import type { ApiClient } from '../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../support/build-test-app.ts';

let app: TestApp;
let root: ApiClient;
let admin: ApiClient;
let ann: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  root = await setUpRoot(app);
  admin = await signUp(root, { username: 'warden', role: 'admin' });
  ann = await signUp(root, { username: 'ann' });
});
afterAll(() => app?.close());

const CHANNEL = {
  type: 1,
  name: 'one',
  key: 'sk-a',
  openai_organization: 'org-a',
  base_url: 'https://vendor.example',
  models: 'model-a,model-b',
  group: 'default',
  model_mapping: '{"model-a":"model-c"}',
  status_code_mapping: '{"429":"503"}',
  auto_ban: 0,
  test_model: 'model-b',
  priority: 3,
  weight: 2,
  tag: 'north',
  setting: '{"force_format":true}',
  param_override: '{"temperature":0}',
  max_input_tokens: 1_000,
};

async function addChannel(part: object): Promise<number> {
  const { ids } = await admin.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', {
    ...CHANNEL,
    ...part,
  });
  return ids[0] ?? 0;
}
const channel = (id: number) => admin.expectSuccess<Record<string, unknown>>('GET', `/api/channel/${id}`);

describe('channels as the specification has them', () => {
  it('keeps every field of the form, the key aside', async () => {
    const { key: _key, ...fields } = CHANNEL;
    expect(await channel(await addChannel({}))).toMatchObject({ ...fields, key: '', status: 1 });
  });

  it('offers every type that is served, with a name and what its form needs', async () => {
    const types = await admin.expectSuccess<Record<string, unknown>[]>('GET', '/api/channel/types');
    const served = new Map(types.map((type) => [type['code'], type]));
    const named = [1, 2, 3, 5, 8, 15, 18, 21, 22, 23, 33, 36, 37, 39, 40, 41, 45, 49];
    expect(named.filter((code) => !served.has(code))).toEqual([]);
    const needs = (code: number, part: object) => expect(served.get(code)).toMatchObject(part);
    needs(3, { other: 'api_version', needs_base_url: true });
    needs(8, { needs_base_url: true });
    needs(21, { needs_other: true });
    needs(36, { needs_base_url: true });
    needs(39, { needs_other: true });
    needs(41, { other: 'region', needs_other: true });
    needs(49, { needs_other: true });
  });

  it('uses version v2.1 for type 18 unless another one is named', async () => {
    const spark = { type: 18, key: 'app|secret|key', base_url: '', models: 'SparkDesk', other: '' };
    expect(await channel(await addChannel(spark))).toMatchObject({ other: 'v2.1' });
    expect(await channel(await addChannel({ ...spark, other: 'v3.5' }))).toMatchObject({ other: 'v3.5' });
  });

  it.each([
    [15, 'ak|sk', 'no-bar'],
    [18, 'app|secret|key', 'app|secret'],
    [33, 'access|secret|us-east-1', 'nothing'],
    [
      41,
      '{"type":"service_account","project_id":"p","client_email":"a@b.example","private_key":"k","private_key_id":"i"}',
      'plain',
    ],
  ])('gives type %i a form of key of its own', async (type, good, bad) => {
    const form = { ...CHANNEL, type, base_url: '', models: 'm', other: type === 41 ? 'us-central1' : '' };
    const refused = await admin.post('/api/channel/', { ...form, key: bad });
    expect(refused.body.success).toBe(false);
    expect(await channel(await addChannel({ ...form, key: good }))).toMatchObject({ type });
  });

  it('becomes one per line of the key, and loses the slash behind its address', async () => {
    const { ids } = await admin.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', {
      ...CHANNEL,
      key: 'sk-b\nsk-c\n\nsk-d',
      base_url: 'https://vendor.example/',
      tag: 'lines',
    });
    expect(ids).toHaveLength(3);
    expect(await channel(ids[0] ?? 0)).toMatchObject({ base_url: 'https://vendor.example' });
  });

  it('refuses a weight of a tag that is negative, and figures that are not whole', async () => {
    const id = await addChannel({ tag: 'figures' });
    for (const part of [{ weight: -1 }, { weight: 1.5 }, { priority: 0.5 }, { priority: 'much' }])
      expect((await admin.put('/api/channel/tag', { tag: 'figures', ...part })).body.success).toBe(false);
    expect(await channel(id)).toMatchObject({ priority: 3, weight: 2 });
  });

  it('shows why the models of a provider could not be read', async () => {
    const ask = { base_url: `http://127.0.0.1:${await freePort()}`, type: 1, key: 'sk-a' };
    const reply = await admin.send('POST', '/api/channel/fetch_models', ask, { 'accept-language': 'zh' });
    expect(reply.body).toMatchObject({
      success: false,
      message: expect.stringMatching(/^获取模型列表失败：./),
    });
  });

  it('lists them by tag, switches them by tag and edits them by tag', async () => {
    const ids = [await addChannel({ tag: 'south', priority: 1 }), await addChannel({ tag: 'south' })];
    await admin.expectSuccess('POST', '/api/channel/tag/disabled', { tag: 'south' });
    for (const id of ids) expect(await channel(id)).toMatchObject({ status: 2 });
    await admin.expectSuccess('POST', '/api/channel/tag/enabled', { tag: 'south' });
    await admin.expectSuccess('PUT', '/api/channel/tag', { tag: 'south', priority: 8 });
    await admin.expectSuccess('PUT', '/api/channel/tag', { tag: 'south', weight: 6 });
    for (const id of ids) expect(await channel(id)).toMatchObject({ status: 1, priority: 8, weight: 6 });
    const models = {
      tag: 'south',
      models: 'model-d',
      groups: 'default',
      model_mapping: '{"model-d":"model-e"}',
    };
    await admin.expectSuccess('PUT', '/api/channel/tag', models);
    for (const id of ids)
      expect(await channel(id)).toMatchObject({ models: 'model-d', model_mapping: '{"model-d":"model-e"}' });
    const edit = { tag: 'south', new_tag: 'west', models: '', groups: '', model_mapping: '' };
    await admin.expectSuccess('PUT', '/api/channel/tag', edit);
    for (const id of ids)
      expect(await channel(id)).toMatchObject({ tag: 'west', models: 'model-d', group: 'default' });
    await admin.expectSuccess('PUT', '/api/channel/tag', { ...edit, tag: 'west', new_tag: '' });
    for (const id of ids) expect(await channel(id)).toMatchObject({ tag: '' });
  });
});

describe('sentences of the server that the specification words', () => {
  it.each([
    ['请填写渠道名称和渠道密钥！', 'POST', '/api/channel/', { ...CHANNEL, name: '' }],
    ['请至少选择一个模型！', 'POST', '/api/channel/', { ...CHANNEL, models: '' }],
    ['模型映射必须是合法的 JSON 格式！', 'POST', '/api/channel/', { ...CHANNEL, model_mapping: '{' }],
    ['请先选择要设置标签的渠道！', 'POST', '/api/channel/batch/tag', { ids: [], tag: 'a' }],
    ['标签不能为空！', 'POST', '/api/channel/batch/tag', { ids: [1], tag: '' }],
    ['请先选择要删除的通道！', 'POST', '/api/channel/batch', { ids: [] }],
    ['请输入兑换码！', 'POST', '/api/user/topup', { key: '' }],
    ['管理员未开启在线充值！', 'POST', '/api/user/pay', { amount: 1, payment_method: 'zfb' }],
  ])('reads “%s”', async (sentence, method, path, body) => {
    const reply = await admin.send(method, path, body, { 'accept-language': 'zh' });
    expect([reply.body.message, reply.body.data]).toContain(sentence);
  });
});

describe('tokens as the specification has them', () => {
  it('keeps every field of the form', async () => {
    const form = {
      name: 'mine',
      remain_quota: 1_000,
      unlimited_quota: false,
      expired_time: -1,
      model_limits_enabled: true,
      model_limits: 'model-a,model-b',
      allow_ips: '192.0.2.1\n198.51.100.0/24',
      group: 'default',
    };
    await ann.expectSuccess('POST', '/api/token/', form);
    const [token] = await ann.expectSuccess<{ id: number }[]>('GET', '/api/token/?p=0&size=10');
    expect(token).toMatchObject({ ...form, status: 1, used_quota: 0, created_time: expect.any(Number) });
    expect(await ann.expectSuccess('GET', '/api/token/search?keyword=min&token=')).toMatchObject([
      { name: 'mine' },
    ]);
    await ann.expectSuccess('PUT', '/api/token/?status_only=true', { id: token?.id, status: 2 });
    expect(await ann.expectSuccess('GET', `/api/token/${token?.id}`)).toMatchObject({ ...form, status: 2 });
  });
});

describe('codes as the specification has them', () => {
  it('makes, shows, edits, switches and deletes them', async () => {
    const codes = await admin.expectSuccess<string[]>('POST', '/api/redemption/', {
      name: 'gift',
      quota: 100_000,
      count: 2,
    });
    expect(new Set(codes).size).toBe(2);
    const { items } = await admin.expectSuccess<{ items: { id: number }[] }>(
      'GET',
      '/api/redemption/search?keyword=gift&p=1&page_size=10',
    );
    const id = items[0]?.id;
    await admin.expectSuccess('PUT', '/api/redemption/', { id, name: 'other', quota: 5 });
    await admin.expectSuccess('PUT', '/api/redemption/?status_only=true', { id, status: 2 });
    expect(await admin.expectSuccess('GET', `/api/redemption/${id}`)).toMatchObject({
      id,
      name: 'other',
      quota: 5,
      status: 2,
      used_user_id: 0,
      created_time: expect.any(Number),
    });
    await admin.expectSuccess('DELETE', `/api/redemption/${id}/`);
    expect((await admin.get(`/api/redemption/${id}`)).body.success).toBe(false);
  });
});
