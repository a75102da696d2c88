import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { RelayClient } from '../../../support/relay-client.js';

const MODELS = ['fx-json', 'round'];
const LOOP = /come back to the gateway that sent it/;

let gateway: GatewayProcess;
let admin: GatewayConsole;
let upstream: FakeUpstream;
let client: RelayClient;
let key: string;

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  gateway = await GatewayProcess.start();
  admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES(MODELS));
  ({ key } = await admin.addToken());
  client = new RelayClient(gateway.url, key);
  await admin.addChannel({ base_url: upstream.url, models: ['fx-json'] });
});

afterAll(async () => {
  client?.close();
  await gateway?.stop();
  await upstream?.close();
});

describe('a channel whose address is the gateway’s own [NET-03]', () => {
  it('multiplies nothing: the call is known again when it comes back, and costs nothing', async () => {
    const id = await admin.addChannel({ base_url: gateway.url, key, models: ['round'] });
    const answer = await client.chat('round');
    expect(answer.status).toBe(508);
    expect(JSON.parse(answer.text)).toMatchObject({
      error: { code: 'loop_detected', message: expect.stringMatching(LOOP) },
    });
    const rows = await admin.waitFor(
      () => admin.send<{ items: unknown[] }>('GET', '/api/log/?type=5&model_name=round&p=1&page_size=100'),
      ({ items }) => items.length > 0,
    );
    expect(rows.items).toHaveLength(1);
    expect(rows.items[0]).toMatchObject({ quota: 0, channel: id });
    const tested = await admin.sendRaw('GET', `/api/channel/test/${id}?model=round`);
    expect(tested).toMatchObject({ success: false, message: expect.stringMatching(LOOP) });
  });

  it('names this gateway and earlier ones to other upstreams; proxies in between stay unnamed', async () => {
    const other = '1.1 tollgate-00112233445566aa';
    const answer = await client.ask({
      headers: { via: `1.1 inner.example, ${other}` },
      body: { model: 'fx-json', messages: [{ role: 'user', content: 'Hi' }] },
    });
    expect(answer.status).toBe(200);
    const via = String(upstream.entriesOf('fx-json').at(-1)?.headers['via']);
    expect(via).toMatch(/^1\.1 tollgate-00112233445566aa, 1\.1 tollgate-[0-9a-f]{16}$/);
  });
});
