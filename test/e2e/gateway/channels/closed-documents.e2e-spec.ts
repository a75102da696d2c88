import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '../../../support/until.js';
import type { ApiClient } from '../../../support/api-client.js';
import { setUpRoot, startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';

interface Channel {
  readonly id: number;
  readonly name: string;
  readonly setting: string;
  readonly settings: string;
  readonly param_override: string;
  readonly needs_look: readonly string[];
}

/** Documents an older version stored, and this one would refuse. */
const OLD = {
  setting: '{"later":1,"force_format":false}',
  settings: '{"openrouter_enterprise":true}',
  param_override: '{"operations":[{"mode":"set","path":"user","value":"us","match":[]}]}',
};

let app: TestApp;
let root: ApiClient;
let upstream: FakeUpstream;
let id: number;

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  app = await startTestApp();
  root = await setUpRoot(app);
  const { ids } = await root.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', {
    type: 1,
    name: 'old',
    key: 'sk-old',
    models: 'fx-quick',
    base_url: upstream.url,
  });
  id = ids[0] ?? 0;
  await app.dataSource.query(
    `UPDATE channels SET setting = '${OLD.setting}', settings = '${OLD.settings}', param_override = '${OLD.param_override}' WHERE id = ${id}`,
  );
});

afterAll(async () => {
  await app?.close();
  await upstream?.close();
});

const read = (): Promise<Channel> => root.expectSuccess<Channel>('GET', `/api/channel/${id}`);
const put = async (edit: Record<string, unknown>): Promise<Record<string, unknown>> =>
  (await root.put('/api/channel/', { id, ...edit })).body;

describe('documents of channels that were stored before they were closed', () => {
  it('serves them as they did, and lists them by their place', async () => {
    const places = [
      'param_override: operations.0.match',
      'setting: later',
      'settings: openrouter_enterprise',
    ];
    expect((await read()).needs_look).toEqual(places);
    const list = await root.expectSuccess<Channel[]>('GET', '/api/channel/?page_size=10');
    expect(list.find((channel) => channel.id === id)?.needs_look).toEqual(places);
    expect((await root.get(`/api/channel/test/${id}`)).body).toMatchObject({ success: true });
    expect(upstream.entriesOf('fx-quick').at(-1)?.body).toMatchObject({ user: 'us' });
  });

  it('keeps them unchanged with an edit of something else', async () => {
    const before = await read();
    expect(await put({ ...before, key: undefined, name: 'renamed' })).toMatchObject({ success: true });
    // The console writes them anew: another order, and no switches that are off.
    expect(await put({ setting: '{"later":1}' })).toMatchObject({ success: true });
    expect(await put({ settings: { openrouter_enterprise: true, disable_store: true } })).toMatchObject({
      success: true,
    });
    expect(await read()).toMatchObject({
      name: 'renamed',
      param_override: OLD.param_override,
      setting: '{"later":1}',
      settings: '{"openrouter_enterprise":true,"disable_store":true}',
    });
  });

  it.each([
    [{ setting: '{"later":2}' }, 'later'],
    [{ setting: { later: 1, sooner: 1 } }, 'sooner'],
    [{ settings: { allow_everything: true } }, 'allow_everything'],
    [
      { param_override: '{"operations":[{"mode":"set","path":"user","value":"eu","match":[]}]}' },
      'operations.0.match',
    ],
    [{ header_override: { 'X-Team': '{apikey}' } }, '{apikey}'],
  ])('refuses them as soon as they gain a new unknown member: %j', async (edit, named) => {
    const answer = await put(edit);
    expect(answer).toMatchObject({ success: false });
    expect(String(answer['message'])).toContain(named);
  });

  it('accepts them once they are saved as they are read', async () => {
    expect(await put({ setting: '', settings: '', param_override: '' })).toMatchObject({ success: true });
    expect((await read()).needs_look).toEqual([]);
  });
});

describe('options that were stored before they were closed', () => {
  const shown = async (): Promise<{ key: string; value: string; needs_look?: string }[]> =>
    root.expectSuccess('GET', '/api/option/');

  it('keeps them in force, marks them for review, and refuses them when they are saved anew', async () => {
    const old = '[{"name":"Alipay","type":"alipay","color":"blue"}]';
    await root.expectSuccess('PUT', '/api/option/', {
      key: 'PayMethods',
      value: '[{"name":"A","type":"a"}]',
    });
    expect((await shown()).filter(({ needs_look }) => needs_look !== undefined)).toMatchObject([]);
    await app.dataSource.query(`UPDATE options SET value = '${old}' WHERE ${KEY} = 'PayMethods'`);
    await root.expectSuccess('PUT', '/api/option/', { key: 'SystemName', value: 'Renamed' });
    await until(async () => (await shown()).some(({ value }) => value === old));
    expect((await shown()).filter(({ needs_look }) => needs_look !== undefined)).toMatchObject([
      { key: 'PayMethods', value: old, needs_look: expect.stringContaining('0.color') },
    ]);
    // An unchanged value may be part of the request.
    await root.expectSuccess('PUT', '/api/option/', [
      { key: 'PayMethods', value: old },
      { key: 'SystemName', value: 'Again' },
    ]);
    const refused = await root.put('/api/option/', { key: 'PayMethods', value: old.replace('blue', 'red') });
    expect(refused.body).toMatchObject({ success: false, code: 'option_invalid' });
    expect(String(refused.body['message'])).toContain('0.color');
  });
});

const KEY = '"key"';
