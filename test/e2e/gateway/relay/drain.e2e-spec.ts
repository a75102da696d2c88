import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { RelayClient } from '../../../support/relay-client.js';

let gateway: GatewayProcess;
let upstream: FakeUpstream;
let client: RelayClient;

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  gateway = await GatewayProcess.start({ env: { DRAIN_TIMEOUT_SECONDS: '1' } });
  const admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES(['fx-trickle']));
  await admin.addChannel({ base_url: upstream.url, models: ['fx-trickle'] });
  client = new RelayClient(gateway.url, (await admin.addToken()).key);
});

afterAll(async () => {
  client?.close();
  await gateway?.stop();
  await upstream?.close();
});

describe('a stop with calls under way [F-43]', () => {
  it('ends what outlasts the deadline with an error event, charges it, and exits with 0', async () => {
    const endless = await client.openStream('fx-trickle');
    await endless.readEvents(1);
    const stopped = gateway.stop({ keepData: true });
    const answer = await endless.readAll();
    expect(answer.text).toContain('shutting down');
    expect(answer.text).not.toContain('[DONE]');
    expect(await stopped).toBe(0);
    expect(upstream.single('fx-trickle').ending).toBe('cancelled');
    const books = await gateway.checkMoney();
    expect(books).toMatchObject({ exitCode: 0 });
    gateway.removeData();
  });
});
