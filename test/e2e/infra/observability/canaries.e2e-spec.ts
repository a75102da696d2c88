import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PinoLogger } from '../../../../server/infra/observability/pino-logger.js';
import { knownSecrets } from '../../../../server/infra/observability/known-secrets.js';
import { readEnv } from '../../../../server/config/env.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { FakeUpstream } from '../../../support/fake-upstream.ts';
import { GatewayConsole } from '../../../support/gateway-console.ts';
import { FX_MESSAGES, RelayClient } from '../../../support/relay-client.ts';

/** Texts that must be nowhere in the log, whatever goes wrong. */
const CANARIES = {
  upstreamKey: 'canary-upstream-key-4711',
  otherUpstreamKey: 'sk-canaryupstream0123456789',
  password: 'canary-password-0815',
  wrongPassword: 'canary-wrong-password-17',
  query: 'canary-query-secret-23',
  prompt: 'canary-prompt-of-a-caller',
  answer: 'canary-answer-of-a-model',
  smtp: 'canary-smtp-password-5',
  webhook: 'canary-webhook-secret-9',
  session: 's'.repeat(32),
  crypto: 'c'.repeat(32),
};

describe('the log when everything goes wrong [F-48]', () => {
  const lines: string[] = [];
  let upstream: FakeUpstream;
  let app: TestApp;
  let console: GatewayConsole;
  let client: RelayClient;
  const keys: string[] = [];

  beforeAll(async () => {
    upstream = await FakeUpstream.start();
    const secrets = knownSecrets(
      readEnv({ SESSION_SECRET: CANARIES.session, CRYPTO_SECRET: CANARIES.crypto, HOST: '127.0.0.1' }),
    );
    const logger = new PinoLogger('trace', secrets, { write: (line: string) => void lines.push(line) });
    app = await startTestApp({ logger });
    console = new GatewayConsole(app.url);
    await console.setUp();
    await console.setOptions({ ModelRatio: { 'fx-std': 1, 'fx-echo': 1, 'fx-gone': 1 }, RetryTimes: 1 });
    const { key } = await console.addToken();
    keys.push(key);
    client = new RelayClient(app.url, key);
  });

  afterAll(async () => {
    client?.close();
    await app?.close();
    await upstream?.close();
  });

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${app.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  async function goWrong(): Promise<void> {
    upstream.on('fx-echo', async ({ entry, response }) => {
      const text = JSON.stringify({
        error: {
          message: `bad key ${entry.headers.authorization}: ${CANARIES.answer} ${'x'.repeat(20_000)}`,
        },
      });
      response.writeHead(401, { 'content-type': 'application/json' }).end(text);
    });
    const gone = await FakeUpstream.start();
    await console.addChannel({
      base_url: upstream.url,
      models: ['fx-std', 'fx-echo'],
      key: CANARIES.upstreamKey,
    });
    await console.addChannel({
      base_url: gone.url,
      models: ['fx-gone'],
      key: CANARIES.otherUpstreamKey,
    });
    await gone.close();
    const messages = [{ role: 'user', content: CANARIES.prompt }];
    for (const model of ['fx-echo', 'fx-gone', 'nobody-serves-this'])
      await client.ask({ body: { model, messages } });
    await client.ask({
      path: `/v1/chat/completions?key=${CANARIES.query}`,
      body: { model: 'fx-std', messages },
    });
    await post('/v1/chat/completions', '{"model":', { authorization: `Bearer ${keys[0] ?? ''}` });
    const stranger = new RelayClient(app.url, 'sk-canarystranger0123456789');
    await stranger.ask({ body: { model: 'fx-std', messages: FX_MESSAGES } });
    stranger.close();

    await post('/api/user/login', { username: 'root', password: CANARIES.wrongPassword });
    await post('/api/user/login', `{"username":"root","password":"${CANARIES.wrongPassword}"`);
    await post('/api/user/register', { username: 'somebody', password: CANARIES.password });
    await fetch(`${app.url}/api/oauth/github?code=${CANARIES.query}&state=${CANARIES.query}`);
    await fetch(`${app.url}/reset?token=${CANARIES.query}&email=a@b.example`);
    await fetch(`${app.url}/api/%zz?password=${CANARIES.query}`);
    await post(`/api/webhook/${CANARIES.query}`, CANARIES.webhook);
    await console.sendRaw('PUT', '/api/option/', { key: 'SMTPToken', value: CANARIES.smtp });
    await console.sendRaw('PUT', '/api/option/', { key: 'SMTPServer', value: 'mail.invalid' });
    await console.sendRaw('POST', '/api/option/test_mail', {});
    await console.sendRaw('PUT', '/api/option/', { key: 'StripeWebhookSecret', value: CANARIES.webhook });
    await post('/api/stripe/webhook', { id: CANARIES.webhook }, { 'stripe-signature': CANARIES.webhook });

    // The database itself goes: every question fails with whatever the driver says.
    await app.dataSource.destroy();
    await client.ask({ body: { model: 'fx-std', messages } });
    await post('/api/user/login', { username: 'root', password: CANARIES.wrongPassword });
    await console.sendRaw('PUT', '/api/option/', { key: 'SMTPToken', value: CANARIES.smtp });
    await app.dataSource.initialize();
  }

  it('holds no secret, no prompt and no answer; every line is JSON below 4 KiB that names its source', async () => {
    await goWrong();
    expect(lines.length).toBeGreaterThan(10);
    for (const line of lines) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(4_096);
      expect(line.endsWith('\n')).toBe(true);
      const { level, time, pid, context, msg } = JSON.parse(line) as Record<string, unknown>;
      expect([typeof level, typeof pid, typeof context, typeof msg]).toEqual([
        'number',
        'number',
        'string',
        'string',
      ]);
      expect(new Date(String(time)).getTime()).toBeGreaterThan(0);
    }
    const text = lines.join('');
    const found = Object.entries(CANARIES).filter(([, secret]) => text.includes(secret));
    expect(found).toEqual([]);
    for (const key of [...keys, 'sk-canarystranger0123456789']) expect(text).not.toContain(key.slice(3));
  });

  it('names the request in which something goes wrong', () => {
    const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const failed = events.filter(({ context, level }) => context === 'Console' && Number(level) >= 50);
    expect(failed.length).toBeGreaterThan(0);
    for (const { requestId } of failed) expect(requestId).toEqual(expect.stringMatching(/^[0-9a-f-]{36}$/));
  });
});
