import { Agent, type IncomingMessage, request } from 'node:http';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from '../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../support/gateway-console.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { RelayClient } from '../../support/relay-client.js';
import { until } from '../../support/until.js';

const MODELS = ['fx-quick', 'fx-trickle'];

let upstream: FakeUpstream;
let gateway: GatewayProcess;
let admin: GatewayConsole;
let key: string;

beforeAll(async () => {
  upstream = await FakeUpstream.start();
});
afterAll(() => upstream.close());
afterEach(async () => {
  await gateway.kill();
  gateway.removeData();
});

async function start(env: Readonly<Record<string, string>>): Promise<void> {
  gateway = await GatewayProcess.start({ env });
  admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES(MODELS));
  await admin.addChannel({ base_url: upstream.url, models: MODELS });
  key = (await admin.addToken()).key;
}

/** One kept connection, asked again and again. */
class KeptConnection {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 1 });

  async get(path: string): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }> {
    const question = request(`${gateway.url}${path}`, { agent: this.agent });
    question.end();
    const [reply] = (await once(question, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of reply) text += String(chunk);
    return { status: reply.statusCode ?? 0, headers: reply.headers, text };
  }

  close(): void {
    this.agent.destroy();
  }
}

const isListening = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(gateway.port, '127.0.0.1');
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });

describe('while balancers still send requests', () => {
  beforeEach(() => start({ DRAIN_DELAY_SECONDS: '4', DRAIN_TIMEOUT_SECONDS: '5' }));

  it('reports not ready at once, stays alive, serves everything, and asks clients to close each connection', async () => {
    const kept = new KeptConnection();
    expect((await kept.get('/readyz')).headers.connection).toBe('keep-alive');
    const stopped = gateway.stop({ keepData: true });
    await until(async () => (await fetch(`${gateway.url}/readyz`)).status === 503);
    const alive = await kept.get('/healthz');
    expect(alive).toMatchObject({ status: 200, headers: { connection: 'close' } });
    expect(await kept.get('/api/status')).toMatchObject({ status: 200, headers: { connection: 'close' } });
    const client = new RelayClient(gateway.url, key);
    for (const extra of [{}, { stream: true }]) {
      const answer = await client.chat('fx-quick', extra);
      expect(answer).toMatchObject({ status: 200, isCut: false, headers: { connection: 'close' } });
    }
    client.close();
    kept.close();
    expect(await stopped).toBe(0);
  }, 120_000);
});

describe('after that', () => {
  beforeEach(() => start({ DRAIN_DELAY_SECONDS: '0', DRAIN_TIMEOUT_SECONDS: '60' }));

  it('closes the listener, refuses late requests on old connections, and lets streams go on; idle connections delay nothing', async () => {
    const stream = await new RelayClient(gateway.url, key).openStream('fx-trickle');
    await stream.readEvents(1);
    // Sent in one piece with a second request behind it: both were on their way when the stop began.
    const pipelined = connect(gateway.port, '127.0.0.1');
    await once(pipelined, 'connect');
    const head = `Host: 127.0.0.1:${gateway.port}\r\n`;
    const relayHead = `POST /v1/chat/completions HTTP/1.1\r\n${head}Authorization: Bearer ${key}\r\nContent-Type: application/json\r\n`;
    const body = JSON.stringify({ model: 'fx-quick', messages: [{ role: 'user', content: 'hello' }] });
    // Half a head keeps the connection from being idle.
    pipelined.write(`GET /api/status HTTP/1.1\r\n`);
    const second = connect(gateway.port, '127.0.0.1');
    await once(second, 'connect');
    second.write(`${relayHead}Content-Length: ${body.length}\r\n`);
    const idle = connect(gateway.port, '127.0.0.1');
    await once(idle, 'connect');
    await fetch(`${gateway.url}/healthz`);

    const stopped = gateway.stop({ keepData: true });
    await until(async () => !(await isListening()));
    const answerOf = async (socket: typeof pipelined, rest: string): Promise<string> => {
      let text = '';
      socket.on('data', (bytes) => (text += bytes.toString()));
      socket.write(rest);
      await once(socket, 'close');
      return text;
    };
    const console = await answerOf(pipelined, `${head}\r\n`);
    expect(console).toMatch(/^HTTP\/1\.1 503 /);
    expect(console).toMatch(/\r\nretry-after: 1\r\n/i);
    expect(console).toContain('"code":"server_stopping"');
    const call = await answerOf(second, `\r\n${body}`);
    expect(call).toMatch(/^HTTP\/1\.1 503 /);
    expect(call).toMatch(/\r\nretry-after: \d+\r\n/i);
    expect(call).toContain('restarting');
    stream.leave();
    expect(await stopped).toBe(0);
    idle.destroy();
    expect(await gateway.checkMoney()).toMatchObject({ exitCode: 0 });
  }, 120_000);

  it('ends all in good order within five seconds on a second signal', async () => {
    const stream = await new RelayClient(gateway.url, key).openStream('fx-trickle');
    const rest = stream.readAll();
    gateway.signal('SIGTERM');
    await until(async () => !(await isListening()));
    const atMs = performance.now();
    expect(await gateway.stop({ keepData: true })).toBe(0);
    expect(performance.now() - atMs).toBeLessThan(6_000);
    const { text } = await rest;
    expect(text).toContain('shutting down');
    expect(text).not.toContain('[DONE]');
    gateway = await GatewayProcess.start({ dataDir: gateway.dataDir });
    expect(await gateway.stop({ keepData: true })).toBe(0);
    expect(await gateway.checkMoney()).toMatchObject({ exitCode: 0 });
  }, 120_000);
});

describe('a call at the deadline', () => {
  it('gets an error event, and pays for the received part', async () => {
    await start({ DRAIN_TIMEOUT_SECONDS: '1' });
    const client = new RelayClient(gateway.url, key);
    const stream = await client.openStream('fx-trickle');
    await stream.readEvents(1);
    const stopped = gateway.stop({ keepData: true });
    const { text } = await stream.readAll();
    expect(text).toContain('shutting down');
    expect(text).not.toContain('[DONE]');
    expect(await stopped).toBe(0);
    client.close();
    gateway = await GatewayProcess.start({ dataDir: gateway.dataDir });
    const again = new GatewayConsole(gateway.url);
    await again.signIn();
    const rows = await again.send<unknown>('GET', '/api/log/?p=0&page_size=10&type=2');
    expect(JSON.stringify(rows)).toContain('fx-trickle');
  }, 120_000);
});
