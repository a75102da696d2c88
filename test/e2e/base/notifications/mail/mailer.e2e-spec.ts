import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MailHealth } from '../../../../../server/base/notifications/mail/mail-health.js';
import { Mailer } from '../../../../../server/base/notifications/mail/mailer.js';
import { OutboundPolicy } from '../../../../../server/infra/http-client/safe-url.js';
import { MAIL_TEMPLATES } from '../../../../../server/base/notifications/mail/mail-templates.js';
import { OPTION_FALLBACKS } from '../../../../../server/base/options/option-catalogue.js';
import type { OptionsService } from '../../../../../server/base/options/options.service.js';
import type { ApiClient, ApiReply } from '../../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../../support/build-test-app.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';
import {
  MAIL_ACCOUNT,
  type MailServer,
  mailOptions,
  startMailServer,
} from '../../../../support/mail-server.ts';
import { until } from '../../../../support/until.ts';

let app: TestApp;
let root: ApiClient;
let server: MailServer;

const set = (...changes: { key: string; value: unknown }[]): Promise<unknown> =>
  root.expectSuccess('PUT', '/api/option/', changes);
const testMail = (to: string, headers: Record<string, string> = {}): Promise<ApiReply> =>
  root.send('POST', '/api/option/test_mail', { to }, headers);

beforeAll(async () => {
  server = await startMailServer();
  app = await startTestApp({ env: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } });
  root = await setUpRoot(app);
});
afterAll(async () => {
  await app.close();
  await server.close();
});

describe('mail', () => {
  it('reports that nothing is set up, until server and sender are', async () => {
    expect((await testMail('someone@example.test')).body.code).toBe('mail_unavailable');
    await set({ key: 'SMTPServer', value: '127.0.0.1' }, { key: 'SMTPAccount', value: 'no address' });
    expect((await testMail('someone@example.test')).body.code).toBe('mail_unavailable');
  });

  it('sends over TLS, signed in, and encoded [CODE-07]', async () => {
    await set(...mailOptions(server), { key: 'SystemName', value: 'Brücke <b>&' });
    expect((await testMail('one@example.test', { 'accept-language': 'zh-CN' })).body).toMatchObject({
      success: true,
    });
    const letter = await server.letterTo('one@example.test');
    expect(letter).toMatchObject({
      from: MAIL_ACCOUNT.user,
      to: ['one@example.test'],
      isEncrypted: true,
      user: MAIL_ACCOUNT.user,
      subject: 'Brücke <b>&测试邮件',
    });
    expect(letter.headers['auto-submitted']).toBe('auto-generated');
    expect(letter.headers['from']).toContain(`<${MAIL_ACCOUNT.user}>`);
    // Text shows the name as it is, HTML shows it as text.
    expect(letter.text).toContain('Brücke <b>&');
    expect(letter.html).toContain('Brücke &lt;b&gt;&amp;');
    expect(letter.html).not.toContain('<b>&');
    expect(letter.html).toContain('<html lang="zh-CN">');
  });

  it('fails for a wrong password at the mail server, and reports it to root', async () => {
    await set({ key: 'SMTPToken', value: 'wrong' });
    const { body } = await testMail('two@example.test');
    expect(body).toMatchObject({ success: false, code: 'mail_failed' });
    expect(body.message).not.toContain('wrong');
    await set({ key: 'SMTPToken', value: MAIL_ACCOUNT.password });
    expect(server.letters.filter(({ to }) => to.includes('two@example.test'))).toEqual([]);
  });

  it('fails when the certificate is not trusted [CODE-07, OPT-112]', async () => {
    await set({ key: 'SMTPInsecureSkipVerify', value: false });
    const { body } = await testMail('three@example.test');
    expect(body).toMatchObject({ success: false, code: 'mail_failed' });
    await set({ key: 'SMTPInsecureSkipVerify', value: true });
  });

  it('sends no password over an unencrypted connection, unless the option allows it', async () => {
    const open = await startMailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    try {
      await set({ key: 'SMTPPort', value: open.port });
      expect((await testMail('four@example.test')).body).toMatchObject({
        success: false,
        code: 'mail_failed',
      });
      await set({ key: 'SMTPStartTLSEnabled', value: false });
      expect((await testMail('four@example.test')).body.success).toBe(true);
      expect(await open.letterTo('four@example.test')).toMatchObject({ isEncrypted: false });
    } finally {
      await set({ key: 'SMTPPort', value: server.port }, { key: 'SMTPStartTLSEnabled', value: true });
      await open.close();
    }
  });

  it('uses TLS from the first byte when configured', async () => {
    const secure = await startMailServer({ secure: true });
    try {
      await set({ key: 'SMTPPort', value: secure.port }, { key: 'SMTPSSLEnabled', value: true });
      expect((await testMail('five@example.test')).body.success).toBe(true);
      expect(await secure.letterTo('five@example.test')).toMatchObject({ isEncrypted: true });
    } finally {
      await set({ key: 'SMTPPort', value: server.port }, { key: 'SMTPSSLEnabled', value: false });
      await secure.close();
    }
  });

  it.each([
    ['a line break and a header', 'a@example.test\r\nBcc: b@example.test'],
    ['two receivers', 'a@example.test, b@example.test'],
    ['a display name', 'A <a@example.test>'],
    ['a quoted local part', '"a\r\nRCPT TO:<b@example.test>"@example.test'],
  ])('refuses to send for %s [CODE-04]', async (_name, to) => {
    const before = server.letters.length;
    expect((await testMail(to)).body.code).toBe('mail_invalid');
    expect(server.letters).toHaveLength(before);
  });

  it('a name of the system with a line break adds no header [CODE-04]', async () => {
    await set({ key: 'SystemName', value: 'Name\r\nBcc: b@example.test' });
    expect((await testMail('six@example.test')).body.success).toBe(true);
    const letter = await server.letterTo('six@example.test');
    expect(letter.to).toEqual(['six@example.test']);
    expect(letter.headers).not.toHaveProperty('bcc');
    await set({ key: 'SystemName', value: 'Tollgate' });
  });

  it('connects to no server of a private network without permission [NET-03]', async () => {
    const other = await startTestApp();
    try {
      const owner = await setUpRoot(other);
      await owner.expectSuccess('PUT', '/api/option/', mailOptions(server));
      const { body } = await owner.post('/api/option/test_mail', { to: 'x@example.test' });
      expect(body).toMatchObject({ success: false, code: 'mail_failed' });
      expect(body.message).toContain('ALLOWED_PRIVATE_HOSTS');
      await owner.expectSuccess('PUT', '/api/option/', { key: 'SMTPPort', value: 6379 });
      expect((await owner.post('/api/option/test_mail', { to: 'x@example.test' })).body.message).toContain(
        'Port 6379',
      );
    } finally {
      await other.close();
    }
  });

  it('lets root alone send a test', async () => {
    const user = await signUp(root, { username: 'mailuser' });
    expect((await user.post('/api/option/test_mail', { to: 'x@example.test' })).body.code).toBe(
      'not_permitted',
    );
  });

  it('tries again in the background after a temporary refusal, and stops after a permanent one', async () => {
    const clock = new FakeClock();
    const values = {
      ...OPTION_FALLBACKS,
      ...Object.fromEntries(mailOptions(server).map(({ key, value }) => [key, value])),
    };
    const noted: string[] = [];
    const health: Pick<MailHealth, 'recordSent' | 'recordFailure'> = {
      recordSent: () => Promise.resolve(void noted.push('sent')),
      recordFailure: (_settings, { kind }) => Promise.resolve(void noted.push(kind)),
    };
    const mailer = new Mailer(
      { values: () => values } as unknown as OptionsService,
      new OutboundPolicy({ allowedPrivateHosts: ['127.0.0.1'], isLoopback: true }),
      clock,
      health as MailHealth,
    );
    const order = { template: 'test', language: 'en', values: { at: 'now' } } as const;
    server.refusal = 550;
    mailer.post({ ...order, to: 'never@example.test' });
    await mailer.whenIdle();
    server.refusal = 451;
    const refused = server.nextRefusal();
    mailer.post({ ...order, to: 'later@example.test' });
    await refused;
    server.refusal = undefined;
    const arrived = server.letterTo('later@example.test');
    await until(() => clock.timers > 0);
    clock.advance(2_000);
    expect(await arrived).toMatchObject({ subject: 'Test email of Tollgate' });
    expect(server.letters.filter(({ to }) => to.includes('never@example.test'))).toEqual([]);
    // A success after retries is no failure.
    await mailer.whenIdle();
    expect(noted).toEqual(['rejected', 'sent']);
  });
});

describe('templates', () => {
  const values = {
    code: { code: 'ABC234', minutes: 10 },
    'address-known': { link: 'https://gate.example/login' },
    reset: { link: 'https://gate.example/reset?email=a&token=b', minutes: 10, username: 'alice' },
    'login-unlock': { link: 'https://gate.example/login?unlock=a', minutes: 15, username: 'alice' },
    'account-changed': { username: 'alice', change: 'mail', at: '2026-11-21T06:07:08.009Z' },
    'quota-warning': { balance: '$0.001000', threshold: '$1.000000', link: 'https://gate.example/topup' },
    'limit-near': {
      limit: 'CI',
      value: 'laptop',
      percent: 80,
      used: '$4.000000',
      amount: '$5.000000',
      resets: '2026-11-22 00:00 UTC',
    },
    'channel-off': { channel: 'Channel 7', reason: 'no credit' },
    'channel-on': { channel: 'Channel 7' },
    'token-locked': { token: 'laptop', reason: 'seen in a public repository' },
    'channel-test': { summary: '3 channels tested, 1 failed' },
    alert: {
      title: '2 alerts, 2 个告警',
      items: [{ title: 'Spool', text: 'oldest record: 6 min' }],
      link: 'https://gate.example/status',
    },
    'order-incident': { tradeNo: 'USR1NO', what: 'was paid a second time', detail: 'payment P1' },
    test: { at: '2026-11-21T06:07:08.009Z' },
  } as const;

  // The weekly summary shows computed figures: its own tests compare them.
  const names = Object.keys(MAIL_TEMPLATES).filter((name) => name !== 'weekly-summary');

  it.each(names as (keyof typeof values)[])(
    'has the same content in both languages and carries every value: %s',
    async (name) => {
      const mailer = app.app.get(Mailer);
      for (const language of ['en', 'zh'] as const) {
        const to = `${name}.${language}@example.test`;
        const order = { to, template: name, language, values: values[name] };
        await mailer.send(order as Parameters<Mailer['send']>[0]);
        const letter = await server.letterTo(to);
        const shown = Object.values<unknown>(values[name])
          .flatMap((value) =>
            Array.isArray(value) ? value.flatMap((item: object) => Object.values(item)) : [value],
          )
          .filter((value) => value !== 'mail');
        const forPeople = (value: unknown) =>
          value === '2026-11-21T06:07:08.009Z' ? '2026-11-21 06:07:08 UTC' : String(value);
        for (const value of shown) expect(letter.text).toContain(forPeople(value));
        expect(letter.html).toContain('<!doctype html>');
        // The texts of an alert come ready-made in its reader's language.
        const written = name === 'alert' ? letter.text.replaceAll('2 个告警', '') : letter.subject;
        expect(/[\u4e00-\u9fff]/.test(written)).toBe(language === 'zh');
      }
    },
  );
});
