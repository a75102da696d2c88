import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OptionEntity } from '../../../../server/base/options/option.entity.js';
import { OptionsService } from '../../../../server/base/options/options.service.js';
import { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

const BEAT = { status: 1, time: '2026-11-25 08:00:00', msg: '', ping: 32 };
const DOCUMENTS: Readonly<Record<string, unknown>> = {
  '/api/status-page/models': {
    config: { slug: 'models', title: 'Models' },
    incident: null,
    publicGroupList: [
      { id: 1, name: 'Chat', weight: 1, monitorList: [{ id: 12, name: 'gpt', type: 'http' }] },
    ],
    maintenanceList: [],
  },
  '/api/status-page/heartbeat/models': {
    heartbeatList: { '12': [{ ...BEAT, status: 0 }, BEAT] },
    uptimeList: { '12_24': 0.9958 },
  },
};
const READ = {
  categoryName: 'Models',
  description: 'hourly',
  reachable: true,
  monitors: [{ name: 'gpt', group: 'Chat', status: 1, uptime: 0.9958 }],
};
const LARGER_THAN_READ = 3 * 1024 * 1024;

let kuma: Server;
let asked: string[];
let port: number;
let app: TestApp;
let root: ApiClient;
let guest: ApiClient;

beforeAll(async () => {
  asked = [];
  kuma = createServer(({ url = '' }, response) => {
    asked.push(url);
    if (url.endsWith('/large')) return void response.end(' '.repeat(LARGER_THAN_READ));
    if (url.endsWith('/moved'))
      return void response.writeHead(302, { location: '/api/status-page/models' }).end();
    const document = DOCUMENTS[url];
    response.writeHead(document === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(document ?? { status: 'fail' }));
  });
  kuma.listen(0, '127.0.0.1');
  await once(kuma, 'listening');
  ({ port } = kuma.address() as AddressInfo);
  app = await startTestApp({ env: { ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${port}` } });
  root = await setUpRoot(app);
  guest = new ApiClient(app.url);
});
afterAll(async () => {
  await app.close();
  kuma.closeAllConnections();
  await new Promise((resolve) => kuma.close(resolve));
});

const put = (key: string, value: unknown) =>
  root.put('/api/option/', { key, value: typeof value === 'object' ? JSON.stringify(value) : value });
const page = (slug: string, at = `http://127.0.0.1:${port}`) => ({ categoryName: 'Models', url: at, slug });
const told = () => guest.expectSuccess('GET', '/api/uptime/status');
const isOffered = async () =>
  (await guest.expectSuccess<Record<string, unknown>>('GET', '/api/status'))['uptime_kuma_enabled'];

describe('GET /api/uptime/status', () => {
  it('returns an empty list to guests until there is a page', async () => {
    expect(await told()).toEqual([]);
    expect(await isOffered()).toBe(false);
  });

  it('returns the contents of the status page, which is read once', async () => {
    const stored = { ...page('models', `http://127.0.0.1:${port}//`), description: 'hourly' };
    expect((await put('console_setting.uptime_kuma_groups', [stored])).body.success).toBe(true);
    expect(await isOffered()).toBe(true);
    expect(await told()).toEqual([READ]);
    expect(await told()).toEqual([READ]);
    expect(asked.toSorted()).toEqual(['/api/status-page/heartbeat/models', '/api/status-page/models']);
  });

  it('names the pages that cannot be read beside the others', async () => {
    const pages = [
      page('none'),
      page('large'),
      page('moved'),
      page('models', 'http://127.0.0.1:1'),
      page('models', `http://localhost:${port}`),
      page('models'),
    ];
    expect((await put('console_setting.uptime_kuma_groups', pages)).body.code).toBe('option_invalid');
    // Stored by a program that did not look at addresses.
    const row = { key: 'console_setting.uptime_kuma_groups', value: JSON.stringify(pages) };
    await app.dataSource.getRepository(OptionEntity).save(row);
    await app.app.get(OptionsService).refresh();
    const groups = (await told()) as { reachable: boolean; monitors: unknown[] }[];
    expect(groups.map(({ reachable }) => reachable)).toEqual([false, false, false, false, false, true]);
    expect(groups[0]?.monitors).toEqual([]);
    // The address, which may be of the own network, is not shown.
    expect(JSON.stringify(groups)).not.toContain('127.0.0.1');
  });

  it('shows and reads nothing while the panel is off', async () => {
    await put('console_setting.uptime_kuma_groups', [page('unread')]);
    await put('console_setting.uptime_kuma_enabled', false);
    expect(await told()).toEqual([]);
    expect(await isOffered()).toBe(false);
    expect(asked.filter((path) => path.endsWith('/unread'))).toEqual([]);
    await put('console_setting.uptime_kuma_enabled', true);
  });

  const KUMA = 'https://kuma.example';
  it.each([
    ['an address that is not of the web', [page('models', 'ftp://kuma.example')]],
    ['an address with a password', [page('models', 'https://name:secret@kuma.example')]],
    ['a name that leads elsewhere', [page('../../secret', KUMA)]],
    ['a heading of blanks', [{ ...page('models', KUMA), categoryName: ' ' }]],
    ['the same page twice', [page('models', KUMA), page('models', KUMA)]],
    ['more pages than are read', Array.from({ length: 21 }, (_, index) => page(`page-${index}`, KUMA))],
  ])('refuses %s', async (_what, value) => {
    expect((await put('console_setting.uptime_kuma_groups', value)).body).toMatchObject({
      success: false,
      code: 'option_invalid',
    });
  });
});
