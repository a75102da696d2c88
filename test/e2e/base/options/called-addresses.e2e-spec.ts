import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPTION_KEYS, optionRow } from '../../../../server/base/options/option-catalogue.js';
import { OptionsService } from '../../../../server/base/options/options.service.js';
import { OptionEntity } from '../../../../server/base/options/option.entity.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

const VARIABLES = { identity: 'ALLOWED_PRIVATE_HOSTS_IDENTITY', service: 'ALLOWED_PRIVATE_HOSTS_SERVICES' };
const STATUS_PAGES = 'console_setting.uptime_kuma_groups';

const CALLED = OPTION_KEYS.flatMap((key) => {
  const { calls } = optionRow(key);
  return calls === undefined ? [] : [{ key, as: calls.as as keyof typeof VARIABLES }];
});

let app: TestApp;
let root: ApiClient;

beforeAll(async () => {
  app = await startTestApp({
    env: {
      ALLOWED_PRIVATE_HOSTS_IDENTITY: 'idp.lan',
      ALLOWED_PRIVATE_HOSTS_SERVICES: '10.0.0.7:8443',
    },
  });
  root = await setUpRoot(app);
});
afterAll(() => app.close());

const textOf = (key: string, url: string): string =>
  key === STATUS_PAGES ? JSON.stringify([{ categoryName: 'All', url, slug: 'all' }]) : url;
const put = async (key: string, url: string) =>
  (await root.put('/api/option/', { key, value: textOf(key, url) })).body;
const shown = async (key: string) => {
  const list = await root.expectSuccess<{ key: string; value: string; needs_look?: string }[]>(
    'GET',
    '/api/option/',
  );
  return list.find((line) => line.key === key);
};

describe('addresses of options that the server calls', () => {
  it('belongs to sign-in providers and to services', () => {
    expect(CALLED.map(({ key, as }) => `${key} ${as}`).sort()).toEqual([
      'AlertWebhookUrl service',
      'GitHubApiAddress identity',
      'GitHubServerAddress identity',
      'LinuxDOServerAddress identity',
      'PayAddress service',
      'StripeApiAddress service',
      'WeChatServerAddress identity',
      'WorkerUrl service',
      `${STATUS_PAGES} service`,
      'oidc.token_endpoint identity',
      'oidc.user_info_endpoint identity',
      'oidc.well_known identity',
    ]);
  });

  it.each(CALLED)('refuses what would be refused when it is called: $key', async ({ key, as }) => {
    const before = app.app.get(OptionsService).values();
    const plain = await put(key, 'http://elsewhere.example');
    expect(plain).toMatchObject({ success: false, code: 'option_invalid' });
    // A webhook of alerts is https wherever it is.
    expect(plain.message).toContain(key === 'AlertWebhookUrl' ? 'https' : VARIABLES[as]);
    const near = await put(key, 'https://192.168.7.7');
    expect(near).toMatchObject({ success: false, code: 'option_invalid' });
    expect(near.message).toContain(VARIABLES[as]);
    expect((await put(key, 'https://elsewhere.example:6379')).message).toContain('Port 6379 is never called');
    expect((await put(key, 'https://169.254.169.254')).message).toContain('Metadata services');
    expect(app.app.get(OptionsService).values()).toBe(before);
  });

  it('takes hosts that the operator named, for the caller they were named for', async () => {
    expect(await put('WeChatServerAddress', 'http://idp.lan')).toMatchObject({ success: true });
    expect(await put('WorkerUrl', 'http://idp.lan')).toMatchObject({ success: false });
    expect(await put('WorkerUrl', 'http://10.0.0.7:8443')).toMatchObject({ success: true });
    expect(await put('WeChatServerAddress', 'http://10.0.0.7:8443')).toMatchObject({ success: false });
    expect(await put('WeChatServerAddress', '')).toMatchObject({ success: true });
    expect(await put('WorkerUrl', '')).toMatchObject({ success: true });
  });

  it('keeps addresses stored before in force, marks them for review, and accepts them unchanged', async () => {
    const old = 'http://elsewhere.example';
    await app.dataSource.getRepository(OptionEntity).save({ key: 'WeChatServerAddress', value: old });
    await root.expectSuccess('PUT', '/api/option/', { key: 'SystemName', value: 'Renamed' });
    await app.app.get(OptionsService).refresh();
    expect(app.app.get(OptionsService).values().WeChatServerAddress).toBe(old);
    expect(await shown('WeChatServerAddress')).toMatchObject({
      value: old,
      needs_look: expect.stringContaining(VARIABLES.identity),
    });
    await root.expectSuccess('PUT', '/api/option/', [
      { key: 'WeChatServerAddress', value: `${old}/` },
      { key: 'SystemName', value: 'Again' },
    ]);
    expect(await put('WeChatServerAddress', 'http://other.example')).toMatchObject({ success: false });
  });
});
