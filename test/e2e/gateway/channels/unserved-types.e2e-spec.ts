import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CHANNEL_TYPE_NAMES, isServedType } from '../../../../server/relay-core/providers/registry.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { answer } from '../../../support/fake-upstream-behaviours.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';

const UNSERVED = [...CHANNEL_TYPE_NAMES].filter(([type]) => !isServedType(type));

let app: TestApp;
let upstream: FakeUpstream;
let admin: GatewayConsole;
let key: string;
let sent = 0;

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  upstream.on('shared', answer({ tokens: 5, gapMs: 0 }));
  app = await startTestApp();
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions({ ...FX_PRICES(['shared']), RetryTimes: 0 });
  ({ key } = await admin.addToken());
});
afterAll(async () => {
  await app?.close();
  await upstream?.close();
});

const channelOf = (type: number, name: string) => ({
  type,
  name,
  key: 'one|two|three',
  other: 'bot-1',
  models: 'shared',
  group: 'default',
  base_url: upstream.url,
});
const ask = (): Promise<Response> =>
  fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'shared', messages: [{ role: 'user', content: `${(sent += 1)}` }] }),
  });
/** Simulates an import: the row has a type no form offers. */
async function imported(id: number, type: number): Promise<void> {
  await app.dataSource.query(`UPDATE channels SET type = ${type} WHERE id = ${id}`);
  await admin.send('PUT', '/api/channel/', { id, remark: 'imported' });
}

describe('types this version does not serve', () => {
  it.each(UNSERVED)('type %i is refused for a new channel, by its name', async (type, name) => {
    const refusal = await admin.sendRaw<{ success: boolean; message: string }>(
      'POST',
      '/api/channel/',
      channelOf(type, 'new'),
    );
    expect(refusal).toMatchObject({
      success: false,
      message: `Channels of type ${name} are not served by this version of the gateway: choose another type`,
    });
  });

  it('no channel is turned into one, and an imported one is edited but not copied', async () => {
    const id = await admin.addChannel({ base_url: upstream.url, models: ['shared'], name: 'turned' });
    const [type = 0] = UNSERVED[0] ?? [];
    const turn = { id, type, key: 'a-new-key' };
    expect(await admin.sendRaw('PUT', '/api/channel/', turn)).toMatchObject({ success: false });
    await imported(id, type);
    await admin.send('PUT', '/api/channel/', { id, type, name: 'renamed' });
    expect(await admin.send('GET', `/api/channel/${id}`)).toMatchObject({ type, name: 'renamed' });
    expect(await admin.sendRaw('POST', `/api/channel/copy/${id}`, {})).toMatchObject({ success: false });
    await admin.send('DELETE', `/api/channel/${id}/`);
  });

  it('routes past an imported channel, whatever its priority', async () => {
    const id = await admin.addChannel({
      base_url: upstream.url,
      models: ['shared'],
      name: 'first',
      priority: 100,
    });
    await imported(id, UNSERVED[0]?.[0] ?? 0);
    expect((await ask()).status).toBe(404);
    await admin.addChannel({ base_url: upstream.url, models: ['shared'], name: 'second' });
    for (let call = 0; call < 5; call += 1) expect((await ask()).status).toBe(200);
  });
});
