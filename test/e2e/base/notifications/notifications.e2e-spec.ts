import { createHmac } from 'node:crypto';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AccountMoney } from '../../../../server/base/billing/ledger/account-money.service.js';
import { MoneyService } from '../../../../server/base/billing/engine/money.service.js';
import { Notifier } from '../../../../server/base/notifications/notifier.js';
import { QuotaWarnings } from '../../../../server/base/notifications/quota-warnings.service.js';
import { QuotaWatch } from '../../../../server/base/notifications/quota-watch.js';
import { QuotaWarningEntity } from '../../../../server/base/notifications/quota-warning.entity.js';
import { AccountsService } from '../../../../server/base/users/accounts.service.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { Clock } from '../../../../server/common/clock.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { makeCertificate } from '../../../support/certificate.ts';
import { FakeUpstream } from '../../../support/fake-upstream.ts';
import { answer } from '../../../support/fake-upstream-behaviours.ts';
import { FX_PRICES } from '../../../support/gateway-console.ts';
import { type MailServer, mailOptions, startMailServer } from '../../../support/mail-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../../../support/webhook-receiver.ts';

const MODEL = 'fx-hundred';

let app: TestApp;
let root: ApiClient;
let mail: MailServer;
let hook: WebhookReceiver;
let upstream: FakeUpstream;
let count = 0;

beforeAll(async () => {
  const certificate = makeCertificate();
  setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
  mail = await startMailServer();
  hook = await startWebhookReceiver(certificate);
  upstream = await FakeUpstream.start();
  upstream.on(MODEL, answer({ tokens: 100, gapMs: 0 }));
  app = await startTestApp({
    env: {
      ALLOWED_PRIVATE_HOSTS_USERS: 'localhost:*',
      ALLOWED_PRIVATE_HOSTS: '127.0.0.1',
      SERVER_ADDRESS: 'https://gate.example',
    },
  });
  root = await setUpRoot(app);
  const prices = Object.entries(FX_PRICES([MODEL])).map(([key, value]) => ({
    key,
    value: typeof value === 'object' ? JSON.stringify(value) : value,
  }));
  await root.expectSuccess('PUT', '/api/option/', [...mailOptions(mail), ...prices]);
  await root.expectSuccess('POST', '/api/channel/', {
    name: 'upstream',
    type: 1,
    key: 'sk-upstream',
    base_url: upstream.url,
    models: MODEL,
    group: 'default',
  });
});
afterAll(async () => {
  await app.close();
  await Promise.all([mail.close(), hook.close(), upstream.close()]);
});

const hookUrl = (path: string): string => `https://localhost:${hook.port}${path}`;
const callsTo = (path: string) => hook.calls.filter((call) => call.path === path);

/** An account with a balance, a token and notification settings. */
async function newSpender(quota: number, setting: Record<string, unknown>) {
  const username = `spender${(count += 1)}`;
  const client = await signUp(root, { username });
  const email = `${username}@example.test`;
  await app.dataSource.getRepository(UserEntity).update({ id: client.userId }, { email, emailFolded: email });
  if (quota > 0) await addQuota(client, quota);
  await client.expectSuccess('PUT', '/api/user/setting', setting);
  const key = await newToken(client);
  return { client, email, key };
}

const addQuota = (client: ApiClient, value: number): Promise<unknown> =>
  root.expectSuccess('POST', '/api/user/manage', {
    id: client.userId,
    action: 'add_quota',
    mode: 'add',
    value,
  });

async function newToken(client: ApiClient): Promise<string> {
  await client.expectSuccess('POST', '/api/token/', {
    name: 'key',
    unlimited_quota: true,
    expired_time: -1,
    remain_quota: 0,
  });
  const [token] = await client.expectSuccess<{ id: number; key: string }[]>('GET', '/api/token/?p=0&size=10');
  const { key } = await client.expectSuccess<{ key: string }>('POST', `/api/token/${token?.id}/key`);
  return key;
}

/** One call of 110 tokens, booked. @returns the balance after it */
async function spend({ client, key }: { client: ApiClient; key: string }): Promise<number> {
  const response = await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key.startsWith('sk-') ? key : `sk-${key}`}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'hello' }], max_tokens: 100 }),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`the call answered ${response.status}: ${text}`);
  const money = app.app.get(MoneyService);
  money.spool.flush();
  await money.flusher.drain(5_000);
  await app.app.get(QuotaWatch).look();
  return (await client.expectSuccess<{ quota: number }>('GET', '/api/user/self')).quota;
}

describe('the warning of a low balance', () => {
  it('comes by mail once per crossing, not per call', async () => {
    const spender = await newSpender(10_000, {
      notify_type: 'email',
      quota_warning_threshold: 9_950,
      language: 'en',
    });
    const balance = await spend(spender);
    expect(balance).toBeLessThan(9_950);
    const letter = await mail.letterTo(spender.email);
    expect(letter.subject).toBe('Your balance at Tollgate is low');
    expect(letter.text).toContain(`$${(balance / 500_000).toFixed(6)}`);
    expect(letter.text).toContain('https://gate.example/topup');
    for (let call = 0; call < 3; call += 1) await spend(spender);
    expect(mail.letters.filter(({ to }) => to.includes(spender.email))).toHaveLength(1);
  });

  it('comes again after the balance was raised and fell once more, seen from above or not', async () => {
    const spender = await newSpender(10_000, { quota_warning_threshold: 9_950 });
    await spend(spender);
    await mail.letterTo(spender.email);
    // Topped up, and below again with the next call: no look ever saw the balance above the threshold.
    const { quota } = await spender.client.expectSuccess<{ quota: number }>('GET', '/api/user/self');
    await addQuota(spender.client, 9_951 - quota);
    await spend(spender);
    await mail.letterTo(spender.email, 2);
    await addQuota(spender.client, 50_000);
    await spend(spender);
    const row = { userId: spender.client.userId };
    expect(await app.dataSource.getRepository(QuotaWarningEntity).findOneBy(row)).toBeNull();
    expect(mail.letters.filter(({ to }) => to.includes(spender.email))).toHaveLength(2);
  });

  it('does not come while the balance is above the threshold of the account', async () => {
    const spender = await newSpender(10_000, { quota_warning_threshold: 10 });
    await spend(spender);
    expect(mail.letters.filter(({ to }) => to.includes(spender.email))).toHaveLength(0);
  });

  it('does not come to an account whose threshold is 0, however little is left', async () => {
    const spender = await newSpender(500, { quota_warning_threshold: 0 });
    expect(await spend(spender)).toBeLessThan(1_000);
    expect(mail.letters.filter(({ to }) => to.includes(spender.email))).toHaveLength(0);
  });

  it('comes once when several instances see the crossing', async () => {
    const spender = await newSpender(10_000, {
      notify_type: 'webhook',
      webhook_url: hookUrl('/crowd'),
      quota_warning_threshold: 9_950,
    });
    const watch = app.app.get(QuotaWatch);
    const part = <T>(type: abstract new (...parts: never[]) => T): T => app.app.get(type);
    const twin = new QuotaWatch(part(MoneyService), part(AccountMoney), part(QuotaWarnings), part(Clock));
    const money = app.app.get(MoneyService);
    const reservations = new Set<string>();
    const take = money.takeCharged.bind(money);
    // Both see what was charged.
    money.takeCharged = () => {
      for (const id of take()) reservations.add(id);
      return [...reservations];
    };
    try {
      await spend(spender);
      await Promise.all([watch.look(), twin.look(), watch.look(), twin.look()]);
    } finally {
      money.takeCharged = take;
    }
    expect(callsTo('/crowd')).toHaveLength(1);
  });

  it('calls a webhook with a signed body whose marks are filled in [NOTE-102, NOTE-103]', async () => {
    const spender = await newSpender(10_000, {
      notify_type: 'webhook',
      webhook_url: hookUrl('/hook?a=1'),
      webhook_secret: 'shared secret',
      quota_warning_threshold: 9_950,
      language: 'zh',
    });
    const balance = await spend(spender);
    const [call] = callsTo('/hook?a=1');
    const signature = createHmac('sha256', 'shared secret')
      .update(call?.body ?? '')
      .digest('hex');
    expect(call?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-webhook-signature': signature,
      authorization: 'Bearer shared secret',
    });
    const shown = `$${(balance / 500_000).toFixed(6)}`;
    expect(JSON.parse(call?.body ?? '')).toEqual({
      type: 'quota_exceed',
      title: '您的额度即将用尽',
      content: `您的额度即将用尽，当前剩余额度为 ${shown}，为了不影响您的使用，请及时充值。充值链接：https://gate.example/topup`,
      values: ['您的额度即将用尽', shown, 'https://gate.example/topup', 'https://gate.example/topup'],
      timestamp: expect.any(Number),
    });
  });
});

describe('notification settings', () => {
  it('an address that was not proven is not written to [SELF-04]', async () => {
    const spender = await newSpender(10_000, {
      quota_warning_threshold: 9_950,
      notification_email: 'stranger@example.test',
    });
    const stored = await spender.client.expectSuccess<{ setting: string }>('GET', '/api/user/self');
    expect(JSON.parse(stored.setting)).toMatchObject({
      notification_email: 'stranger@example.test',
      notification_email_verified: false,
    });
    await spend(spender);
    await mail.letterTo(spender.email);
    expect(mail.letters.filter(({ to }) => to.includes('stranger@example.test'))).toEqual([]);
  });

  it('an address that was proven by a code is written to; a code for something else proves nothing [SELF-04]', async () => {
    const { client } = await newSpender(10_000, {});
    const email = 'other-box@example.test';
    const ask = (purpose: string) => client.get(`/api/verification?email=${email}&purpose=${purpose}`);
    await ask('notification');
    const code = /^ {4}(\w{6})$/m.exec((await mail.letterTo(email)).text)?.[1] ?? '';
    const change = (form: Record<string, unknown>) => client.put('/api/user/setting', form);
    expect((await change({ notification_email: email, notification_email_code: '222222' })).body.code).toBe(
      'mail_code_wrong',
    );
    expect(
      (await change({ notification_email: 'else@example.test', notification_email_code: code })).body.code,
    ).toBe('mail_code_wrong');
    expect((await change({ notification_email: email, notification_email_code: code })).body.success).toBe(
      true,
    );
    const { setting } = await client.expectSuccess<{ setting: string }>('GET', '/api/user/self');
    expect(JSON.parse(setting)).toMatchObject({
      notification_email: email,
      notification_email_verified: true,
    });
    expect(setting).not.toContain('proven');
    expect((await client.post('/api/user/setting/test', {})).body.success).toBe(true);
    expect((await mail.letterTo(email, 2)).subject).toBe('Test email of Tollgate');
    // Setting the field by hand proves nothing.
    await change({ notification_email: 'new@example.test', notification_email_proven: 'new@example.test' });
    const after = await client.expectSuccess<{ setting: string }>('GET', '/api/user/self');
    expect(JSON.parse(after.setting)).toMatchObject({ notification_email_verified: false });
  });

  it('reports the result of the test button, and no more', async () => {
    const { client } = await newSpender(0, { notify_type: 'webhook', webhook_url: hookUrl('/test') });
    const test = () => client.post('/api/user/setting/test', {});
    expect((await test()).body.success).toBe(true);
    expect(JSON.parse(callsTo('/test')[0]?.body ?? '')).toMatchObject({ type: 'test' });
    expect(callsTo('/test')[0]?.headers).not.toHaveProperty('x-webhook-signature');
    hook.answer = { status: 500 };
    expect((await test()).body.code).toBe('webhook_refused');
    hook.answer = { status: 302, headers: { location: hookUrl('/elsewhere') } };
    expect((await test()).body.code).toBe('webhook_refused');
    expect(callsTo('/elsewhere')).toEqual([]);
    hook.answer = { status: 204 };
  });

  const store = async (client: ApiClient, setting: object): Promise<void> => {
    const change = { setting: JSON.stringify(setting) };
    await app.dataSource.getRepository(UserEntity).update({ id: client.userId }, change);
  };

  it.each([
    ['an address of a private network', 'https://10.0.0.1/hook', 'webhook_address'],
    ['a metadata service', 'https://169.254.169.254/latest', 'webhook_address'],
    ['a port of a database', 'https://localhost:6379/', 'webhook_address'],
    ['nobody', 'https://localhost:1024/', 'webhook_unreachable'],
  ])('sends nothing to %s, and refuses to store it [SELF-03, NET-03]', async (_name, url, code) => {
    const { client } = await newSpender(0, {});
    const setting = { notify_type: 'webhook', webhook_url: url };
    const saved = await client.put('/api/user/setting', setting);
    expect(saved.body.code).toBe(code === 'webhook_address' ? 'webhook_address_forbidden' : undefined);
    // Simulates a name that leads somewhere else by then.
    await store(client, setting);
    expect((await client.post('/api/user/setting/test', {})).body.code).toBe(code);
  });

  it('call https only, also when an older program stored something else [SELF-03]', async () => {
    const plain = await startWebhookReceiver();
    const { client } = await newSpender(0, {});
    await store(client, { notify_type: 'webhook', webhook_url: `http://127.0.0.1:${plain.port}/` });
    expect((await client.post('/api/user/setting/test', {})).body.code).toBe('webhook_address');
    expect(plain.calls).toEqual([]);
    await plain.close();
  });

  it('sends through the worker when one is configured, after the same check [SELF-03]', async () => {
    const worker = await startWebhookReceiver();
    await root.expectSuccess('PUT', '/api/option/', [
      { key: 'WorkerUrl', value: `http://127.0.0.1:${worker.port}/relay/` },
      { key: 'WorkerValidKey', value: 'worker key' },
    ]);
    try {
      const setting = {
        notify_type: 'webhook',
        webhook_url: 'https://hooks.example/x',
        webhook_secret: 'shh',
      };
      const { client } = await newSpender(0, setting);
      expect((await client.post('/api/user/setting/test', {})).body.success).toBe(true);
      const [call] = worker.calls;
      const order = JSON.parse(call?.body ?? '') as { body: unknown };
      expect(call?.path).toBe('/relay/');
      expect(order).toMatchObject({ url: 'https://hooks.example/x', key: 'worker key', method: 'POST' });
      const signature = createHmac('sha256', 'shh').update(JSON.stringify(order.body)).digest('hex');
      expect(order).toMatchObject({ headers: { 'x-webhook-signature': signature } });
      await store(client, { ...setting, webhook_url: 'https://10.0.0.1/' });
      expect((await client.post('/api/user/setting/test', {})).body.code).toBe('webhook_address');
      expect(worker.calls).toHaveLength(1);
    } finally {
      await root.expectSuccess('PUT', '/api/option/', { key: 'WorkerUrl', value: '' });
      await worker.close();
    }
  });

  it('reports a missing address on the test button, which is not a way to send mail', async () => {
    const client = await signUp(root, { username: `mute${(count += 1)}` });
    const codes = [];
    for (let index = 0; index < 6; index += 1)
      codes.push((await client.post('/api/user/setting/test', {})).body.code);
    expect(codes).toEqual([
      ...Array.from({ length: 5 }, () => 'notification_address_missing'),
      'too_many_requests',
    ]);
  });
});

describe('frequency', () => {
  it('allows two of a kind in ten minutes, and ten of all kinds in an hour [SELF-03]', async () => {
    const { client } = await newSpender(0, { notify_type: 'webhook', webhook_url: hookUrl('/often') });
    const [recipient] = await app.app.get(AccountsService).listRecipients([client.userId]);
    if (recipient === undefined) throw new Error('no such account');
    const notifier = app.app.get(Notifier);
    for (let index = 0; index < 4; index += 1)
      await notifier.notify(recipient, { kind: 'quota-warning', balance: 1, threshold: 2 });
    expect(callsTo('/often')).toHaveLength(2);
    for (let channelId = 1; channelId <= 12; channelId += 1)
      await notifier.notify(recipient, { kind: 'channel-off', channelId, reason: 'no credit' });
    expect(callsTo('/often')).toHaveLength(10);
    expect(JSON.parse(callsTo('/often')[2]?.body ?? '')).toEqual({
      type: 'channel_update_1_3',
      title: 'Channel 1 was disabled',
      content: 'Channel 1 was disabled, reason: no credit',
      timestamp: expect.any(Number),
    });
  });
});

describe('root', () => {
  it('reports a channel that was disabled automatically, and the end of a test run', async () => {
    await app.dataSource
      .getRepository(UserEntity)
      .update({ id: root.userId }, { email: 'root@example.test', emailFolded: 'root@example.test' });
    upstream.on('fx-refused', (exchange) => {
      exchange.response.writeHead(401, { 'content-type': 'application/json' });
      exchange.response.end(JSON.stringify({ error: { message: 'Incorrect API key provided', type: 'x' } }));
    });
    await root.expectSuccess('PUT', '/api/option/', { key: 'AutomaticDisableChannelEnabled', value: true });
    await root.expectSuccess('POST', '/api/channel/', {
      name: 'refused',
      type: 1,
      key: 'sk-wrong',
      base_url: upstream.url,
      models: 'fx-refused',
      group: 'default',
      test_model: 'fx-refused',
      auto_ban: 1,
    });
    await root.expectSuccess('GET', '/api/channel/test');
    const subjects = [await mail.letterTo('root@example.test'), await mail.letterTo('root@example.test', 2)];
    expect(subjects.map(({ subject }) => subject).toSorted()).toEqual([
      'Channel 2 was disabled',
      'The channel test is complete',
    ]);
  });
});
