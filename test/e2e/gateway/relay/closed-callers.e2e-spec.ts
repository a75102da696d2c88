import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { answer } from '../../../support/fake-upstream-behaviours.js';
import { FX_PRICES, GatewayConsole, missing } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { RelayClient, type OpenStream } from '../../../support/relay-client.js';
import { startRedis, type TestRedis } from '../../../support/redis.js';
import { until } from '../../../support/until.js';
import { createTestDatabase, type TestDatabase } from '../../../support/database.js';

/** A running stream when its key or its account is closed, on the instance of that change and on another one. */
describe.each([1, 2])('running streams of closed callers, %i instance(s)', (count) => {
  const gateways: GatewayProcess[] = [];
  let database: TestDatabase | undefined;
  let redis: TestRedis | undefined;
  let admin: GatewayConsole;
  let upstream: FakeUpstream;
  let user: { readonly id: number; readonly console: GatewayConsole };
  let number = 0;

  beforeAll(async () => {
    upstream = await FakeUpstream.start();
    upstream.on('fx-endless', answer({ tokens: 1_500, gapMs: 10 }));
    if (count > 1) {
      database = await createTestDatabase('mariadb');
      redis = await startRedis();
    }
    const settings = { databaseUrl: database?.url, redisUrl: redis?.url };
    for (let index = 0; index < count; index += 1) gateways.push(await GatewayProcess.start(settings));
    admin = new GatewayConsole(first().url);
    await admin.setUp();
    await admin.setOptions(FX_PRICES(['fx-endless']));
    await admin.addChannel({ base_url: upstream.url, models: ['fx-endless'] });
  }, 240_000);
  afterAll(async () => {
    for (const gateway of gateways) await gateway.stop();
    await upstream.close();
    await redis?.stop();
    await database?.drop();
  });

  const first = (): GatewayProcess => gateways[0] ?? missing();
  const last = (): GatewayProcess => gateways.at(-1) ?? missing();
  const streams: OpenStream[] = [];
  const clients: RelayClient[] = [];

  beforeEach(async () => {
    const username = `closed${(number += 1)}`;
    const password = 'correct horse';
    await admin.send('POST', '/api/user/', { username, password, display_name: username });
    const users = await admin.send<{ items: { id: number; username: string }[] }>(
      'GET',
      `/api/user/?p=1&page_size=100`,
    );
    const { id } = users.items.find((one) => one.username === username) ?? missing();
    const record = await admin.send<Record<string, unknown>>('GET', `/api/user/${id}`);
    await admin.send('PUT', '/api/user/', { ...record, quota: 1_000_000, password: '' });
    user = { id, console: new GatewayConsole(first().url) };
    await user.console.signIn(username, password);
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.leave();
    for (const client of clients.splice(0)) client.close();
  });

  async function openStream(key: string): Promise<OpenStream> {
    const client = new RelayClient(last().url, key);
    clients.push(client);
    const stream = await client.openStream('fx-endless');
    streams.push(stream);
    await stream.readEvents(5);
    return stream;
  }
  async function expectEnded(
    stream: OpenStream,
    words: string,
    close: () => Promise<unknown>,
    withinMs = 2_000,
  ): Promise<void> {
    // Reading first: the end may be there before the console has answered.
    const ended = stream.readAll();
    const startedMs = performance.now();
    await close();
    const { text } = await ended;
    expect(performance.now() - startedMs).toBeLessThan(withinMs);
    expect(text).toContain('"error"');
    expect(text).toContain(words);
    expect(text).not.toContain('[DONE]');
    // Produced output is charged.
    await admin.waitFor(
      () => admin.send<{ used_quota: number }>('GET', `/api/user/${user.id}`),
      ({ used_quota: used }) => used > 10 && used < 1_500,
    );
    const { items } = await admin.waitFor(
      () =>
        admin.send<{ items: { content: string; other: string }[] }>(
          'GET',
          `/api/log/?type=2&username=closed${number}`,
        ),
      ({ items: lines }) => lines.some(({ content }) => content.includes(words)),
    );
    const [line] = items.filter(({ content }) => content.includes(words));
    expect(JSON.parse(line?.other ?? '{}')).toMatchObject({ outcome: 'limit' });
  }

  it('a disabled token', async () => {
    const token = await user.console.addToken();
    const other = await user.console.addToken();
    const stream = await openStream(token.key);
    const untouched = await openStream(other.key);
    await expectEnded(stream, 'disabled', () =>
      user.console.send('PUT', '/api/token/?status_only=true', { id: token.id, status: 2 }),
    );
    await untouched.readEvents(30);
  });

  it('a disabled account', async () => {
    const stream = await openStream((await user.console.addToken()).key);
    await expectEnded(stream, 'disabled', () =>
      admin.send('POST', '/api/user/manage', { id: user.id, action: 'disable' }),
    );
  });

  it('a deleted token', async () => {
    const token = await user.console.addToken();
    const stream = await openStream(token.key);
    await expectEnded(stream, 'Incorrect API key', () =>
      user.console.send('DELETE', `/api/token/${token.id}`),
    );
  });

  it('a token that expires meanwhile finishes what it began', async () => {
    const expires = Math.floor(Date.now() / 1000) + 3;
    const token = await user.console.addToken({ expired_time: expires });
    const stream = await openStream(token.key);
    const late = new RelayClient(last().url, token.key);
    clients.push(late);
    await until(async () => (await late.ask({ path: '/v1/models', method: 'GET' })).status === 401);
    // News of the account has everything of it looked at again.
    const record = await admin.send<Record<string, unknown>>('GET', `/api/user/${user.id}`);
    await admin.send('PUT', '/api/user/', { ...record, display_name: 'expired', password: '' });
    await stream.readEvents(60);
  });

  it('a disabled account while Redis is away [F-40]', async () => {
    if (redis === undefined) return;
    const stream = await openStream((await user.console.addToken()).key);
    redis.pause();
    try {
      const ban = () => admin.send('POST', '/api/user/manage', { id: user.id, action: 'disable' });
      await expectEnded(stream, 'disabled', ban, 6_000);
    } finally {
      redis.resume();
    }
  });

  it('an account that is only edited keeps its streams', async () => {
    const stream = await openStream((await user.console.addToken()).key);
    const record = await admin.send<Record<string, unknown>>('GET', `/api/user/${user.id}`);
    await admin.send('PUT', '/api/user/', { ...record, display_name: 'renamed', password: '' });
    await stream.readEvents(60);
  });
});
