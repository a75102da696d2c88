import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { LogEntity } from '../../../../server/base/logs/log.entity.js';
import { OptionEntity } from '../../../../server/base/options/option.entity.js';
import { OptionsService } from '../../../../server/base/options/options.service.js';
import { ApiClient, type ApiReply } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';

const PASSWORD = 'password-of-a-test';

let app: TestApp;
let root: ApiClient;

beforeAll(async () => {
  app = await startTestApp();
  root = await setUpRoot(app);
});
afterAll(() => app.close());

describe('registration', () => {
  const register = (form: Record<string, unknown>): Promise<ApiReply> =>
    new ApiClient(app.url).post('/api/user/register', form);
  const set = (key: string, value: boolean): Promise<unknown> =>
    root.expectSuccess('PUT', '/api/option/', { key, value });

  it.each([
    ['RegisterEnabled', false, 'register_off'],
    ['PasswordRegisterEnabled', false, 'register_by_password_off'],
  ])('respects the switch %s', async (key, value, code) => {
    await set(key, value);
    try {
      expect((await register({ username: 'newcomer', password: PASSWORD })).body.code).toBe(code);
    } finally {
      await set(key, !value);
    }
  });

  it('does not demand mail codes while no mail server is filled in', async () => {
    const reply = await root.put('/api/option/', { key: 'EmailVerificationEnabled', value: true });
    expect(reply.body).toMatchObject({ success: false, code: 'option_incomplete' });
    expect(await root.expectSuccess('GET', '/api/status')).toMatchObject({ email_verification: false });
  });

  it('refuses rather than skips the codes when they are demanded and no mail can leave', async () => {
    // Stored before the switch needed a mail server, or by hand.
    const options = app.dataSource.getRepository(OptionEntity);
    await options.save({ key: 'EmailVerificationEnabled', value: 'true' });
    const service = app.app.get(OptionsService);
    await service.refresh();
    try {
      const form = { username: 'newcomer', password: PASSWORD, email: 'new@example.test' };
      const reply = await register({ ...form, verification_code: 'ABCDEF' });
      expect(reply.body).toMatchObject({ success: false, code: 'register_mail_unavailable' });
    } finally {
      await options.delete({ key: 'EmailVerificationEnabled' });
      await service.refresh();
    }
  });

  it.each([
    ['a name with an @, which could be a mail address', { username: 'a@b.c' }, 'username_invalid'],
    ['a name of 13 characters', { username: 'a'.repeat(13) }, 'username_invalid'],
    ['a name of 2 characters', { username: 'ab' }, 'username_invalid'],
    ['a name in another script', { username: 'pаypal' }, 'username_invalid'],
    ['AUTH-10 a reserved name', { username: 'Admin' }, 'username_reserved'],
    ['a reserved name with dots', { username: 'a.d-min' }, 'username_reserved'],
    ['a reserved name with a digit for a letter', { username: 'r00t' }, 'username_reserved'],
    ['a reserved name with letters drawn alike', { username: 'adrnln' }, 'username_reserved'],
    ["a name that looks like an administrator's", { username: 'b0ss.0ne' }, 'username_reserved'],
    ['AUTH-10 the name of somebody in capitals', { username: 'PERSON1' }, 'username_taken'],
    ['a password of 7 characters', { username: 'newcomer', password: '1234567' }, 'password_length'],
    ['a password of 129 characters', { username: 'newcomer', password: 'x'.repeat(129) }, 'password_length'],
    ['no password', { username: 'newcomer', password: '' }, 'username_and_password_required'],
  ])('refuses %s', async (_name, form, code) => {
    const fresh = await startThrottled();
    expect((await fresh.register({ password: PASSWORD, ...form })).body.code).toBe(code);
  });

  it('makes at most 5 accounts an hour from one address, with nothing but what may be chosen [AUTH-09, SELF-01]', async () => {
    const fresh = await startThrottled();
    const hostile = {
      role: 100,
      quota: 1e9,
      group: 'vip',
      status: 1,
      id: 1,
      inviter_id: 1,
      auth_version: 9,
      aff_quota: 5,
    };
    const replies = [];
    for (let index = 0; index < 8; index += 1) {
      replies.push(await fresh.register({ username: `flood${index}`, password: PASSWORD, ...hostile }));
    }
    expect(replies.filter(({ body }) => body.success === true)).toHaveLength(5);
    const user = await ApiClient.signIn(fresh.url, 'flood0', PASSWORD);
    const self = await user.expectSuccess<Record<string, unknown>>('GET', '/api/user/self');
    expect(self).toMatchObject({
      role: 1,
      quota: 0,
      group: 'default',
      display_name: 'flood0',
      inviter_id: 0,
      aff_quota: 0,
    });
  });

  it('gives newcomer and inviter what the options promise, and writes it down [SELF-109]', async () => {
    const inviter = await signUp(root, { username: 'inviter' });
    const code = await inviter.expectSuccess<string>('GET', '/api/user/aff');
    await root.expectSuccess('PUT', '/api/option/', [
      { key: 'QuotaForNewUser', value: 500 },
      { key: 'QuotaForInvitee', value: 70 },
      { key: 'QuotaForInviter', value: 30 },
    ]);
    const guest = new ApiClient(app.url);
    await guest.expectSuccess('POST', '/api/user/register', {
      username: 'invited',
      password: PASSWORD,
      aff_code: code,
    });
    await guest.expectSuccess('POST', '/api/user/register', {
      username: 'uninvited',
      password: PASSWORD,
      aff_code: 'nobodys1',
    });
    const invited = await ApiClient.signIn(app.url, 'invited', PASSWORD);
    const uninvited = await ApiClient.signIn(app.url, 'uninvited', PASSWORD);
    // 500 for registering + 70 for the code.
    expect(await invited.expectSuccess('GET', '/api/user/self')).toMatchObject({
      quota: 570,
      inviter_id: inviter.userId,
    });
    expect(await uninvited.expectSuccess('GET', '/api/user/self')).toMatchObject({
      quota: 500,
      inviter_id: 0,
    });
    expect(await inviter.expectSuccess('GET', '/api/user/self')).toMatchObject({
      quota: 0,
      aff_count: 1,
      aff_quota: 30,
      aff_history_quota: 30,
    });
    const lines = await app.dataSource
      .getRepository(LogEntity)
      .find({ where: { type: 4 }, order: { id: 'ASC' } });
    expect(lines.map(({ userId, quota }) => [userId, quota])).toEqual([
      [invited.userId, 500],
      [invited.userId, 70],
      [inviter.userId, 30],
      [uninvited.userId, 500],
    ]);
    expect(await checkMoney(app.dataSource)).toEqual([]);
  });

  /** One more app for the whole describe: registration is limited per address, and all tests share theirs. */
  let throttled: TestApp | undefined;
  const startThrottled = async () => {
    if (throttled === undefined) {
      throttled = await startTestApp();
      const owner = await setUpRoot(throttled);
      await owner.expectSuccess('POST', '/api/user/', { username: 'person1', password: PASSWORD });
      await signUp(owner, { username: 'bossone', role: 'admin' });
    }
    const { url } = throttled;
    return {
      url,
      register: (form: Record<string, unknown>) => new ApiClient(url).post('/api/user/register', form),
    };
  };
  afterAll(() => throttled?.close());
});
