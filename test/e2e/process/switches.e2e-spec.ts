import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DegradedModes } from '../../../server/infra/observability/degraded-modes.js';
import { setUpRoot, startTestApp, type TestApp } from '../../support/build-test-app.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { FakeUpstream } from '../../support/fake-upstream.js';
import { FX_PRICES, GatewayConsole } from '../../support/gateway-console.js';
import { errorOf, RelayClient } from '../../support/relay-client.js';
import { until } from '../../support/until.js';

const ROLLBACK = join(import.meta.dirname, '../../../dist/server/options-rollback.js');

let database: TestDatabase;
let app: TestApp;
let upstream: FakeUpstream;
let admin: GatewayConsole;
let key: string;

beforeAll(async () => {
  database = await createTestDatabase('sqlite');
  upstream = await FakeUpstream.start();
  app = await startTestApp({ env: { DATABASE_URL: database.url } });
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES(['fx-quick']));
  await admin.addChannel({ base_url: upstream.url, models: ['fx-quick'] });
  key = (await admin.addToken()).key;
});
afterAll(async () => {
  await app?.close();
  await upstream?.close();
  await database?.drop();
});

const call = async () => {
  const client = new RelayClient(app.url, key);
  const answer = await client.chat('fx-quick');
  client.close();
  return answer;
};

describe('kill switches', () => {
  it('the relay: 503 with a message, nothing upstream, and back again', async () => {
    expect((await call()).status).toBe(200);
    await admin.setOptions({ RelayEnabled: false });
    const before = upstream.journal.length;
    const refused = await call();
    expect(refused.status).toBe(503);
    expect(refused.headers['retry-after']).toBe('30');
    expect(errorOf(refused).message).toContain('switched off');
    expect(upstream.journal).toHaveLength(before);
    await admin.setOptions({ RelayEnabled: true });
    expect((await call()).status).toBe(200);
  });

  it('one type of provider: its channels count as disabled', async () => {
    await admin.setOptions({ DisabledChannelTypes: '14,1' });
    const refused = await call();
    expect(refused.status).toBe(503);
    expect(errorOf(refused).message).toContain('No available channel for model fx-quick');
    await admin.setOptions({ DisabledChannelTypes: '14' });
    expect((await call()).status).toBe(200);
    await admin.setOptions({ DisabledChannelTypes: '' });
  });

  it('topping up: no way to pay is offered or taken', async () => {
    const epay = {
      PayAddress: 'https://pay.example.com',
      EpayId: 'merchant',
      EpayKey: 'k'.repeat(16),
      ServerAddress: 'https://gateway.example.com',
      PayMethods: JSON.stringify([{ name: 'Alipay', type: 'alipay' }]),
    };
    await admin.setOptions(epay);
    const info = () => admin.send<{ enable_online_topup: boolean }>('GET', '/api/user/topup/info');
    expect((await info()).enable_online_topup).toBe(true);
    await admin.setOptions({ PaymentEnabled: false });
    expect(await info()).toMatchObject({ enable_online_topup: false, pay_methods: [] });
    const refused = await admin.sendRaw('POST', '/api/user/pay', { amount: 10, payment_method: 'alipay' });
    expect(refused).toMatchObject({ success: false, code: 'topup_off' });
    await admin.setOptions({ PaymentEnabled: true });
  });

  it('registration', async () => {
    await admin.setOptions({ RegisterEnabled: false });
    const guest = new GatewayConsole(app.url);
    const answer = await guest.sendRaw('POST', '/api/user/register', {
      username: 'somebody',
      password: 'password-of-a-test',
    });
    expect(answer).toMatchObject({ success: false, code: 'register_off' });
    await admin.setOptions({ RegisterEnabled: true });
  });
});

describe('the way back', () => {
  interface Version {
    version_id: number | null;
    key: string;
  }
  const newest = async (option: string): Promise<number> => {
    const changes = await admin.send<Version[]>('GET', `/api/option/history?key=${option}&size=1`);
    return changes[0]?.version_id ?? -1;
  };
  const valueOf = async (option: string) =>
    (await admin.send<{ key: string; value: string }[]>('GET', '/api/option/')).find(
      (row) => row.key === option,
    )?.value;

  it('all options of a version at once, as a version of its own with a row in the audit log', async () => {
    await admin.setOptions({ RetryTimes: 1 });
    const good = await newest('RetryTimes');
    await admin.send('PUT', '/api/option/', [
      { key: 'RetryTimes', value: '4' },
      { key: 'SystemName', value: 'Broken' },
    ]);
    const changed = await admin.send<string[]>('POST', '/api/option/rollback_version', {
      version_id: good,
      note: 'that was a mistake',
    });
    expect(changed.toSorted()).toEqual(['RetryTimes', 'SystemName']);
    expect(await valueOf('RetryTimes')).toBe('1');
    const audit = await admin.send<{ items: { action: string; detail: unknown }[] }>('GET', '/api/audit?p=0');
    expect(JSON.stringify(audit)).toContain('that was a mistake');
    expect(
      await admin.sendRaw('POST', '/api/option/rollback_version', { version_id: 999_999 }),
    ).toMatchObject({
      code: 'not_found',
    });
  });

  it('npm run options:rollback does the same while the server runs, which follows within five seconds', async () => {
    if (!existsSync(ROLLBACK)) throw new Error(`${ROLLBACK} is missing: run npm run build first`);
    await admin.setOptions({ RetryTimes: 2 });
    const good = await newest('RetryTimes');
    await admin.setOptions({ RetryTimes: 3 });
    const run = async (...words: string[]) => {
      const child = spawn(process.execPath, [ROLLBACK, ...words], {
        env: {
          PATH: process.env['PATH'],
          DATABASE_URL: database.url,
          DATA_DIR: app.env.dataDir,
          SESSION_SECRET: app.env.sessionSecret,
          CRYPTO_SECRET: app.env.cryptoSecret,
        },
      });
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (bytes) => (text += String(bytes)));
      const [code] = (await once(child, 'close')) as [number];
      return { code, text };
    };
    expect(await run(String(good), 'from', 'the', 'shell')).toEqual({
      code: 0,
      text: `Put back to version ${good}: RetryTimes. Running instances follow within 5 s.\n`,
    });
    await until(async () => (await valueOf('RetryTimes')) === '2');
    expect(await run('999999')).toEqual({
      code: 1,
      text: 'options:rollback changed nothing: there is no such version, or it changed nothing that is kept\n',
    });
    expect((await run()).text).toContain('name a version');
  });
});

describe('SAFE_MODE', () => {
  it('lets root sign in with any stored options, keeps calls and payments off, and applies saved options afterwards', async () => {
    const own = await createTestDatabase('sqlite');
    const first = await startTestApp({ env: { DATABASE_URL: own.url } });
    const root = await setUpRoot(first);
    await root.expectSuccess('PUT', '/api/option/', { key: 'SystemName', value: 'House' });
    // Simulates an edit by hand in the database.
    await first.dataSource.query(
      `INSERT INTO "options" ("key", "value") VALUES ('PasswordLoginEnabled', 'false'), ('TurnstileCheckEnabled', 'true'),
        ('RetryTimes', '4')`,
    );
    await first.close();

    const safe = await startTestApp({ env: { DATABASE_URL: own.url, SAFE_MODE: '1' } });
    expect(safe.app.get(DegradedModes).list()).toMatchObject([
      { mode: 'safe-mode', cause: 'SAFE_MODE is set' },
    ]);
    const console = new GatewayConsole(safe.url);
    await console.signIn();
    expect(await console.send('GET', '/api/status')).toMatchObject({
      system_name: 'House',
      register_enabled: false,
      password_login_enabled: true,
    });
    const listed = await console.send<{ key: string; value: string }[]>('GET', '/api/option/');
    expect(listed.find(({ key: name }) => name === 'RetryTimes')?.value).toBe('4');
    const client = new RelayClient(safe.url, 'sk-nobody');
    expect((await client.chat('fx-quick')).status).toBe(503);
    client.close();
    await console.setOptions({ PasswordLoginEnabled: true, TurnstileCheckEnabled: false });
    await safe.close();

    const mended = await startTestApp({ env: { DATABASE_URL: own.url } });
    await new GatewayConsole(mended.url).signIn();
    await mended.close();
    await own.drop();
  });
});
