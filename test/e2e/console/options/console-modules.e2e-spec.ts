import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

let app: TestApp;
let root: ApiClient;
let guest: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  root = await setUpRoot(app);
  guest = new ApiClient(app.url);
});
afterAll(() => app.close());

const put = (key: string, value: unknown) => root.put('/api/option/', { key, value: JSON.stringify(value) });

/** Values as older and newer consoles parse them. */
async function told(key: 'HeaderNavModules' | 'SidebarModulesAdmin'): Promise<unknown> {
  const status = await guest.expectSuccess<Record<string, string>>('GET', '/api/status');
  return JSON.parse(status[key] ?? '');
}

describe('HeaderNavModules and SidebarModulesAdmin', () => {
  it('names every part of the console, all of them on at first', async () => {
    expect(await told('HeaderNavModules')).toEqual({
      home: true,
      console: true,
      pricing: { enabled: true, requireAuth: false },
      docs: true,
      about: true,
    });
    expect(await told('SidebarModulesAdmin')).toMatchObject({
      chat: { enabled: true, playground: true, chat: true },
      console: {
        enabled: true,
        detail: true,
        token: true,
        log: true,
        midjourney: true,
        task: true,
        docs: true,
      },
      personal: { enabled: true, topup: true, personal: true },
      admin: { enabled: true, channel: true, redemption: true, user: true, setting: true },
    });
  });

  it('completes them, and keeps what other consoles have beside it', async () => {
    expect((await put('HeaderNavModules', { pricing: false, rankings: true })).body.success).toBe(true);
    expect(await told('HeaderNavModules')).toMatchObject({
      home: true,
      pricing: { enabled: false, requireAuth: false },
      rankings: true,
    });
    const sidebar = { admin: { channel: false, models: true }, extra: { enabled: true } };
    expect((await put('SidebarModulesAdmin', sidebar)).body.success).toBe(true);
    expect(await told('SidebarModulesAdmin')).toMatchObject({
      chat: { enabled: true },
      admin: { enabled: true, channel: false, models: true, setting: true },
      extra: { enabled: true },
    });
  });

  it.each([
    ['HeaderNavModules', { home: 'yes' }],
    ['HeaderNavModules', []],
    ['SidebarModulesAdmin', { console: { token: 1 } }],
    ['SidebarModulesAdmin', { console: true }],
  ])('refuses for %s %j', async (key, value) => {
    expect((await put(key, value)).body).toMatchObject({ success: false, code: 'option_invalid' });
  });

  it('hides prices from guests when root wants it, and from no one else', async () => {
    expect((await guest.get('/api/pricing')).body.success).toBe(true);
    await put('HeaderNavModules', { pricing: { enabled: true, requireAuth: true } });
    expect(await guest.get('/api/pricing')).toMatchObject({ status: 401, body: { code: 'not_signed_in' } });
    expect((await root.get('/api/pricing')).body.success).toBe(true);
  });
});
