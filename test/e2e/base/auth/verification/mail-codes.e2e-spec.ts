import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Mailer } from '../../../../../server/base/notifications/mail/mailer.js';
import { UserEntity } from '../../../../../server/base/users/user.entity.js';
import { ageSteps } from '../../../../support/age-steps.js';
import { ApiClient, type ApiReply } from '../../../../support/api-client.ts';
import { signUp } from '../../../../support/build-test-app.ts';
import { proveMail } from '../../../../support/mail-server.ts';
import {
  type AccountsFixture,
  PASSWORD,
  startAccounts,
  STORAGES,
} from '../../../../support/fixtures/accounts.fixture.ts';

describe.each(STORAGES)('mail codes with %s', (storage) => {
  let fixture: AccountsFixture;
  let count = 0;
  const newMail = (): string => `person${(count += 1)}@example.test`;

  beforeAll(async () => {
    fixture = await startAccounts(storage);
    await proveMail(fixture.root);
    await fixture.set({ key: 'EmailVerificationEnabled', value: true });
  });
  afterAll(() => fixture.close());

  const register = (form: Record<string, unknown>, client = fixture.guest()): Promise<ApiReply> =>
    client.post('/api/user/register', {
      username: `reg${count}`,
      password: PASSWORD,
      password2: PASSWORD,
      ...form,
    });

  it('register an account, in any letter case, and store the proven address', async () => {
    const email = 'Anna.B@Example.TEST';
    expect((await fixture.askCode(email)).body).toEqual({ success: true, message: '' });
    const code = await fixture.codeTo('Anna.B@example.test');
    const reply = await register({
      username: 'anna',
      email: ' anna.b@example.test',
      verification_code: ` ${code.toLowerCase()} `,
    });
    expect(reply.body).toEqual({ success: true, message: '' });
    const anna = await ApiClient.signIn(fixture.app.url, 'ANNA.b@example.test', PASSWORD);
    expect(await anna.expectSuccess('GET', '/api/user/self')).toMatchObject({
      username: 'anna',
      email: 'anna.b@example.test',
    });
  });

  it.each([
    ['no address', { email: '' }, 'mail_code_required'],
    ['no code', { verification_code: '' }, 'mail_code_required'],
    ['a code nobody sent', { verification_code: '222222' }, 'mail_code_wrong'],
    ['an address that is none', { email: 'nobody' }, 'mail_invalid'],
    ['two passwords that differ', { password2: 'another password' }, 'passwords_differ'],
  ])('does not register with %s', async (_name, form, wanted) => {
    const reply = await register({ email: newMail(), verification_code: 'ABCDEF', ...form });
    expect(reply.body).toMatchObject({ success: false, code: wanted });
  });

  it('counts a code once [CODE-102]', async () => {
    const email = newMail();
    await fixture.askCode(email);
    const verification_code = await fixture.codeTo(email);
    expect((await register({ username: `once${count}`, email, verification_code })).body.success).toBe(true);
    const again = await register({ username: `twice${count}`, email, verification_code });
    expect(again.body.code).toBe('mail_code_wrong');
  });

  it('die with the fifth wrong try [CODE-01]', async () => {
    const email = newMail();
    await fixture.askCode(email);
    const verification_code = await fixture.codeTo(email);
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect((await register({ email, verification_code: '222222' })).body.code).toBe('mail_code_wrong');
    }
    expect((await register({ email, verification_code })).body.code).toBe('mail_code_wrong');
  });

  it('lets one of many parallel uses through [CODE-01]', async () => {
    const email = newMail();
    await fixture.askCode(email);
    const verification_code = await fixture.codeTo(email);
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        register({ username: `para${count}x${index}`, email, verification_code }),
      ),
    );
    expect(replies.filter(({ body }) => body.success === true)).toHaveLength(1);
    expect(await fixture.app.dataSource.getRepository(UserEntity).countBy({ emailFolded: email })).toBe(1);
  });

  it('made for registering bind nothing, and the other way round [CODE-01]', async () => {
    const user = await signUp(fixture.root, { username: `bind${(count += 1)}` });
    const email = newMail();
    await fixture.askCode(email);
    const forRegistering = await fixture.codeTo(email);
    const query = new URLSearchParams({ email, code: forRegistering }).toString();
    expect((await user.get(`/api/oauth/email/bind?${query}`)).body.code).toBe('mail_code_wrong');
    const other = newMail();
    await fixture.askCode(other, { client: user });
    const forBinding = await fixture.codeTo(other);
    expect((await register({ email: other, verification_code: forBinding })).body.code).toBe(
      'mail_code_wrong',
    );
    // Another account cannot bind them either.
    const stranger = await signUp(fixture.root, { username: `bind${(count += 1)}` });
    expect((await stranger.post('/api/oauth/email/bind', { email: other, code: forBinding })).body.code).toBe(
      'mail_code_wrong',
    );
    expect((await user.post('/api/oauth/email/bind', { email: other, code: forBinding })).body.success).toBe(
      true,
    );
    expect(await user.expectSuccess('GET', '/api/user/self')).toMatchObject({ email: other });
  });

  it('notifies the former address when the account gets another [AUTH-12]', async () => {
    const user = await signUp(fixture.root, { username: `move${(count += 1)}` });
    const [former, next] = [newMail(), newMail()];
    for (const email of [former, next]) {
      await fixture.askCode(email, { client: user });
      const code = await fixture.codeTo(email);
      expect((await user.post('/api/oauth/email/bind', { email, code })).body.success).toBe(true);
    }
    const notice = await fixture.mail.letterTo(former, 2);
    expect(notice.subject).toBe('Your account at Tollgate was changed');
    expect(notice.text).not.toContain(next);
  });

  it('sends one in 30 seconds per address, whatever the client [CODE-05]', async () => {
    const email = newMail();
    expect((await fixture.askCode(email)).body.success).toBe(true);
    const second = await fixture.askCode(email);
    expect(second).toMatchObject({ status: 429, body: { code: 'mail_too_often' } });
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(20);
    expect(Number(second.headers.get('retry-after'))).toBeLessThanOrEqual(30);
  });

  it('sends 20 an hour per client [CODE-05]', async () => {
    const client = fixture.guest();
    const replies = [];
    for (let index = 0; index < 22; index += 1) replies.push(await fixture.askCode(newMail(), { client }));
    expect(replies.map(({ status }) => status === 429).indexOf(true)).toBe(20);
    expect(replies.at(-1)).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  });

  it('answers alike for an address that has an account, and notifies its owner instead [AUTH-02]', async () => {
    const known = newMail();
    await giveMail(fixture, (await signUp(fixture.root, { username: `known${count}` })).userId, known);
    const [forKnown, forUnknown] = [await fixture.askCode(known), await fixture.askCode(newMail())];
    expect([forKnown.status, forKnown.body]).toEqual([forUnknown.status, forUnknown.body]);
    const letter = await fixture.mail.letterTo(known);
    expect(letter.subject).toBe('You already have an account at Tollgate');
    expect(letter.text).toContain('https://gate.example/login');
    expect(letter.text).not.toMatch(/^ {4}[2-9A-Z]{6}$/m);
  });

  it.each([
    ['EmailDomainRestrictionEnabled', 'user@elsewhere.test', 'mail_domain_refused'],
    ['EmailDomainRestrictionEnabled', 'user@gmail.com.evil.test', 'mail_domain_refused'],
    ['EmailAliasRestrictionEnabled', 'us+er@gmail.com', 'mail_alias_refused'],
    ['EmailAliasRestrictionEnabled', 'us.er@gmail.com', 'mail_alias_refused'],
  ])(
    'obey %s for %s, where a code is asked for and where it is used [CODE-06, CODE-111]',
    async (key, email, code) => {
      await fixture.set({ key, value: true });
      try {
        expect((await fixture.askCode(email)).body.code).toBe(code);
        expect((await register({ email, verification_code: 'ABCDEF' })).body.code).toBe(code);
        expect((await fixture.askCode(`ok${(count += 1)}@GMAIL.com`)).body.success).toBe(true);
      } finally {
        await fixture.set({ key, value: false });
      }
    },
  );

  it('sends none while registration is closed', async () => {
    await fixture.set({ key: 'RegisterEnabled', value: false });
    expect((await fixture.askCode(newMail())).body.code).toBe('register_off');
    await fixture.set({ key: 'RegisterEnabled', value: true });
  });

  it.each([
    ['', 'mail_required'],
    ['   ', 'mail_required'],
    ['a@b.test,c@d.test', 'mail_invalid'],
    ['a@b.test\r\nBcc: c@d.test', 'mail_invalid'],
    ['a\u200bb@c.test', 'mail_invalid'],
    ['a@\u202etset.test', 'mail_invalid'],
    [`${'a'.repeat(900)}@b.test`, 'mail_invalid'],
  ])('sends none to %j [CODE-04]', async (email, code) => {
    expect((await fixture.askCode(email)).body.code).toBe(code);
  });

  it('uses the language of the page', async () => {
    const email = newMail();
    const client = fixture.guest();
    client.headers['accept-language'] = 'zh-CN,zh;q=0.9';
    await fixture.askCode(email, { client });
    expect((await fixture.mail.letterTo(email)).subject).toBe('Tollgate邮箱验证邮件');
    const refusal = await fixture.askCode('', { client });
    expect(refusal.body.message).toBe('请输入邮箱地址');
  });
});

/** An account without a mail about its address. */
async function giveMail({ app }: AccountsFixture, id: number, email: string): Promise<void> {
  await app.dataSource.getRepository(UserEntity).update({ id }, { email, emailFolded: email.toLowerCase() });
}

describe('mail codes as time passes', () => {
  let fixture: AccountsFixture;
  beforeAll(async () => {
    fixture = await startAccounts();
    await proveMail(fixture.root);
    await fixture.set({ key: 'EmailVerificationEnabled', value: true });
  });
  afterAll(() => fixture.close());

  it('ends a code after ten minutes, and the older one with a newer one', async () => {
    const email = 'timed@example.test';
    await fixture.askCode(email);
    const first = await fixture.codeTo(email);
    fixture.clock.advance(31_000);
    await fixture.askCode(email);
    const second = await fixture.codeTo(email, 2);
    const form = { username: 'timed', password: PASSWORD, email };
    const use = (verification_code: string) =>
      fixture.guest().post('/api/user/register', { ...form, verification_code });
    expect((await use(first)).body.code).toBe('mail_code_wrong');
    await ageSteps(fixture.app.dataSource, 600_000);
    fixture.clock.advance(600_000);
    expect((await use(second)).body.code).toBe('mail_code_wrong');
  });

  it('sends five an hour per address [CODE-05]', async () => {
    const email = 'hourly@example.test';
    const replies = [];
    for (let index = 0; index < 6; index += 1) {
      replies.push(await fixture.askCode(email));
      fixture.clock.advance(31_000);
    }
    expect(replies.map(({ body }) => body.success)).toEqual([true, true, true, true, true, false]);
  });

  it('takes as long for an address that has an account as for one that has none [AUTH-02]', async () => {
    const known = 'slow-or-not@example.test';
    await giveMail(fixture, (await signUp(fixture.root, { username: 'slowornot' })).userId, known);
    const times = { known: [] as number[], unknown: [] as number[] };
    const timeOf = async (email: string): Promise<number> => {
      const startedAt = performance.now();
      expect((await fixture.askCode(email)).body.success).toBe(true);
      return performance.now() - startedAt;
    };
    for (let round = 0; round < 40; round += 1) {
      fixture.clock.advance(900_000);
      // Background work of earlier steps is done, and the order of the two alternates.
      await fixture.app.app.get(Mailer).whenIdle();
      await fixture.guest().get('/api/status');
      const isKnownFirst = round % 2 === 0;
      if (isKnownFirst) times.known.push(await timeOf(known));
      times.unknown.push(await timeOf(`nobody${round}@example.test`));
      if (!isKnownFirst) times.known.push(await timeOf(known));
    }
    // The quick ones of many: whatever else the machine does makes calls slower, never quicker.
    expect(Math.abs(quick(times.known) - quick(times.unknown))).toBeLessThan(5);
  });
});

const quick = (values: readonly number[]): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 8)] ?? Number.NaN;
