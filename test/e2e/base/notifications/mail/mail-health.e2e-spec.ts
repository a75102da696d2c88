import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Mailer } from '../../../../../server/base/notifications/mail/mailer.js';
import type { ApiClient, ApiReply } from '../../../../support/api-client.ts';
import { setUpRoot, startTestApp, type TestApp } from '../../../../support/build-test-app.ts';
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from '../../../../support/database.ts';
import { type MailServer, mailOptions, proveMail, startMailServer } from '../../../../support/mail-server.ts';
import { ShiftedClock } from '../../../../support/shifted-clock.ts';

interface Finding {
  readonly rule: string;
  readonly severity: string;
  readonly title: string;
  readonly sentence: string;
}

describe.each(DATABASE_KINDS)('mail on %s', (kind) => {
  let database: TestDatabase;
  const clock = new ShiftedClock();
  let app: TestApp;
  let root: ApiClient;
  let server: MailServer;

  /** Addresses the mail server says no to, and in which words. */
  const refused = new Map<string, string>();

  beforeAll(async () => {
    server = await startMailServer({
      onRcptTo: ({ address }, _session, callback) => {
        const words = refused.get(address);
        callback(words === undefined ? null : Object.assign(new Error(words), { responseCode: 550 }));
      },
    });
    database = await createTestDatabase(kind);
    app = await startTestApp({
      clock,
      env: { DATABASE_URL: database.url, ALLOWED_PRIVATE_HOSTS: '127.0.0.1' },
    });
    root = await setUpRoot(app);
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([server.close(), database.drop()]);
  });

  const put = (changes: unknown): Promise<ApiReply> => root.put('/api/option/', changes);
  const demand = { key: 'EmailVerificationEnabled', value: true };
  const testMail = (to: string): Promise<ApiReply> => root.post('/api/option/test_mail', { to });
  const finding = async (): Promise<Finding | undefined> => {
    // The page queries the database once in two seconds, whatever the number of readers.
    clock.advance(2_000);
    const status = await root.expectSuccess('GET', '/api/operations/status');
    return (status as { findings: Finding[] }).findings.find(({ rule }) => rule === 'mail-failing');
  };

  it('requires no codes before a mail was sent with the current settings', async () => {
    const unproven = { success: false, code: 'option_mail_unproven' };
    expect((await put([...mailOptions(server), demand])).body).toMatchObject(unproven);
    await put([...mailOptions(server), { key: 'SMTPToken', value: 'wrong' }]);
    expect((await testMail('a@example.test')).body.code).toBe('mail_failed');
    expect((await put(demand)).body).toMatchObject(unproven);
    await put({ key: 'SMTPToken', value: mailOptions(server).find(({ key }) => key === 'SMTPToken')?.value });
    await proveMail(root);
    await put({ key: 'SMTPFrom', value: 'other@mail.test' });
    expect((await put(demand)).body).toMatchObject(unproven);
    await proveMail(root);
    expect((await put(demand)).body).toMatchObject({ success: true });
    expect(await finding()).toBeUndefined();
  });

  it('shows settings that change while codes are required until a mail is sent with them', async () => {
    await put({ key: 'SMTPFrom', value: 'third@mail.test' });
    expect(await finding()).toMatchObject({ severity: 'notice', title: 'Untested mail settings' });
    app.app.get(Mailer, { strict: false }).post({
      to: 'b@example.test',
      template: 'test',
      language: 'en',
      values: { at: new Date(0).toISOString() },
    });
    await server.letterTo('b@example.test');
    await app.app.get(Mailer, { strict: false }).whenIdle();
    expect(await finding()).toBeUndefined();
  });

  it.each(['no such user', '5.1.1 no such user', '5.2.2 mailbox full'])(
    'takes a recipient refused with "%s" for no fault of the settings',
    async (words) => {
      refused.set('ghost@example.test', words);
      expect((await testMail('ghost@example.test')).body.code).toBe('mail_failed');
      expect(await finding()).toBeUndefined();
    },
  );

  it('reports a server that takes no mail until the next mail is sent, without an address', async () => {
    refused.set('ghost@example.test', '5.7.1 relaying for ghost@example.test denied');
    await testMail('ghost@example.test');
    await testMail('ghost@example.test');
    const found = await finding();
    expect(found).toMatchObject({ severity: 'fault', title: 'Emails cannot be sent' });
    expect(found?.sentence).toMatch(
      /^Emails not sent since the last successful one: 2\. .*relaying for … denied/,
    );
    expect(found?.sentence).not.toContain('ghost');
    await proveMail(root);
    expect(await finding()).toBeUndefined();
  });

  it('ignores failures of settings that were replaced since', async () => {
    await put({ key: 'SMTPPort', value: 1 });
    expect((await testMail('c@example.test')).body.code).toBe('mail_failed');
    expect(await finding()).toMatchObject({ severity: 'fault' });
    await put({ key: 'SMTPPort', value: server.port });
    expect(await finding()).toBeUndefined();
  });
});
