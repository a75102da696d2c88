import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { BEHAVIOURS } from '../../../support/fake-upstream-behaviours.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { deltasOf, RelayClient } from '../../../support/relay-client.js';

const MODELS = Object.keys(BEHAVIOURS);

let gateway: GatewayProcess;
let admin: GatewayConsole;
let upstream: FakeUpstream;
let client: RelayClient;

interface Channel {
  readonly status: number;
  readonly other_info: string;
}

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  gateway = await GatewayProcess.start();
  admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions({
    ...FX_PRICES([...MODELS, 'slow']),
    AutomaticDisableChannelEnabled: true,
    'general_setting.ping_interval_enabled': true,
    'general_setting.ping_interval_seconds': 1,
  });
  client = new RelayClient(gateway.url, (await admin.addToken()).key);
});

afterAll(async () => {
  client?.close();
  await gateway?.stop();
  await upstream?.close();
});

const add = (model: string, fields: Record<string, unknown> = {}): Promise<number> =>
  admin.addChannel({ base_url: upstream.url, models: [model], ...fields });
const channel = (id: number): Promise<Channel> => admin.send<Channel>('GET', `/api/channel/${id}`);

describe('automatic disabling', () => {
  it('disables a channel with a refused key, after a test of our own met the same refusal', async () => {
    const id = await add('fx-error-401');
    await client.chat('fx-error-401');
    const disabled = await admin.waitFor(
      () => channel(id),
      ({ status }) => status === 3,
    );
    const info = JSON.parse(disabled.other_info) as { status_reason: string; status_time: number };
    expect(info.status_reason).toContain('401');
    expect(info.status_reason).not.toContain('upstream-key');
    expect(info.status_time).toBeGreaterThan(1_700_000_000);
    // One call of the user, one of the test.
    expect(upstream.entriesOf('fx-error-401')).toHaveLength(2);
    expect((await client.chat('fx-error-401')).status).toBe(503);
  });

  it('leaves a channel alone that must not be disabled', async () => {
    const id = await add('fx-error-402', { auto_ban: 0 });
    await client.chat('fx-error-402');
    await client.chat('fx-error-402');
    expect((await channel(id)).status).toBe(1);
    expect(upstream.entriesOf('fx-error-402')).toHaveLength(2);
  });

  it('disables a channel whose vendor sends one of the phrases with status 400, after a test of our own met it too', async () => {
    const id = await add('fx-keyword-400');
    await client.chat('fx-keyword-400');
    await admin.waitFor(
      () => channel(id),
      ({ status }) => status === 3,
    );
    expect(upstream.entriesOf('fx-keyword-400')).toHaveLength(2);
  });

  it('needs its own test to fail: a key that is refused for one user only is no evidence', async () => {
    const refused = BEHAVIOURS['fx-error-401'];
    const fine = BEHAVIOURS['fx-quick'];
    upstream.on('fx-moody', (exchange) => {
      const says = JSON.stringify(exchange.entry.body['messages']);
      return (says.includes('50 times') ? refused : fine)?.(exchange);
    });
    await admin.setOptions(FX_PRICES([...MODELS, 'slow', 'fx-moody']));
    const id = await add('fx-moody');
    expect((await client.chat('fx-moody')).status).toBe(502);
    await upstream.waitUntil(
      (one) => one.entriesOf('fx-moody').filter((entry) => entry.ending === 'completed').length === 2,
    );
    expect((await channel(id)).status).toBe(1);
  });
});

describe('cool-down', () => {
  it('prefers another channel after "too many requests"', async () => {
    const busy = await FakeUpstream.start();
    busy.on('shared', (exchange) => BEHAVIOURS['fx-error-429']?.(exchange));
    upstream.on('shared', (exchange) => BEHAVIOURS['fx-quick']?.(exchange));
    await admin.setOptions(FX_PRICES([...MODELS, 'slow', 'shared']));
    await admin.addChannel({ base_url: busy.url, models: ['shared'], priority: 9 });
    await add('shared');
    expect((await client.chat('shared')).status).toBe(429);
    expect((await client.chat('shared')).status).toBe(200);
    expect((await client.chat('shared')).status).toBe(200);
    expect(busy.entriesOf('shared')).toHaveLength(1);
    await busy.close();
  });
});

describe('pings', () => {
  it('keeps a slow stream alive with comments that clients do not see', async () => {
    upstream.on('slow', async (exchange) => {
      const release = Promise.withResolvers<void>();
      exchange.response.writeHead(200, { 'content-type': 'text/event-stream' });
      exchange.response.flushHeaders();
      // Longer than one interval of pings, so that at least one is due before the first token.
      setTimeout(release.resolve, 1_500);
      await release.promise;
      await BEHAVIOURS['fx-after-done']?.({ ...exchange, response: withoutHead(exchange.response) });
    });
    await add('slow');
    const answer = await client.chat('slow', { stream: true });
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(': PING\n\n');
    expect(deltasOf(answer.text.replaceAll(': PING\n\n', ''))).toBe(' tok');
  });
});

describe('afterwards', () => {
  it('the books are right', async () => {
    await admin.waitFor(
      () => gateway.checkMoney(),
      ({ exitCode }) => exitCode === 0,
      20_000,
    );
  });
});

/** The head is out already; a behaviour that writes one writes none. */
function withoutHead<T extends { writeHead: unknown; flushHeaders: unknown }>(response: T): T {
  return Object.assign(response, { writeHead: () => response, flushHeaders: () => undefined });
}
