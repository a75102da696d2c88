import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkMoney } from '../../../../server/base/billing/checks/check-money.js';
import { PasskeyEntity } from '../../../../server/console/passkeys/passkey.entity.js';
import { RecoveryCodeEntity } from '../../../../server/base/auth/two-factor/recovery-code.entity.js';
import { TwoFactorEntity } from '../../../../server/base/auth/two-factor/two-factor.entity.js';
import { DeregisteredAccounts } from '../../../../server/base/users/deregistered-accounts.service.js';
import { UserEntity } from '../../../../server/base/users/user.entity.js';
import { ApiClient } from '../../../support/api-client.ts';
import { signUp } from '../../../support/build-test-app.ts';
import { proveMail } from '../../../support/mail-server.ts';
import { ShiftedClock } from '../../../support/shifted-clock.ts';
import {
  type AccountsFixture,
  PASSWORD,
  startAccounts,
  STORAGES,
} from '../../../support/fixtures/accounts.fixture.ts';

const DAY_MS = 86_400_000;

describe('leaving', () => {
  let fixture: AccountsFixture;
  beforeAll(async () => {
    fixture = await startAccounts(STORAGES[0], {}, new ShiftedClock());
    await proveMail(fixture.root);
    await fixture.set(
      { key: 'EmailVerificationEnabled', value: true },
      { key: 'QuotaForNewUser', value: 1_000 },
    );
  });
  afterAll(() => fixture.close());

  const register = async (username: string, email: string) => {
    await fixture.askCode(email);
    const verification_code = await fixture.codeTo(email);
    return fixture
      .guest()
      .post('/api/user/register', { username, password: PASSWORD, email, verification_code });
  };
  const row = (username: string) =>
    fixture.app.dataSource.getRepository(UserEntity).findOneByOrFail({ usernameFolded: username });

  /** A passkey, one-time codes and a recovery code of an account. */
  const ownRows = async (userId: number) => {
    const { manager } = fixture.app.dataSource;
    await manager.getRepository(PasskeyEntity).insert({
      userId,
      credentialDigest: `digest-${userId}`,
      credentialId: 'sealed',
      publicKey: 'sealed',
      name: 'key',
      counter: 0,
      transports: '',
      isSynced: false,
      createdAtMs: 1,
      lastUsedAtMs: 0,
      relyingParty: 'localhost',
      aaguid: '',
    });
    await manager
      .getRepository(TwoFactorEntity)
      .insert({ userId, secretSealed: 'sealed', lastStep: 0, createdAtMs: 1 });
    await manager.getRepository(RecoveryCodeEntity).insert({ userId, digest: 'digest' });
  };
  const countOwn = (userId: number) =>
    Promise.all(
      [PasskeyEntity, TwoFactorEntity, RecoveryCodeEntity].map((table) =>
        fixture.app.dataSource.getRepository(table).countBy({ userId }),
      ),
    );

  it('needs the own name, and a session [SELF-05]', async () => {
    await register('leaver', 'leaver@example.test');
    const user = await ApiClient.signIn(fixture.app.url, 'leaver', PASSWORD);
    expect((await user.delete('/api/user/self', { username: 'Leaver' })).body.code).toBe(
      'account_name_mismatch',
    );
    const token = await user.expectSuccess<string>('POST', '/api/user/token');
    const byToken = { authorization: token, cookie: '' };
    expect((await user.send('DELETE', '/api/user/self', { username: 'leaver' }, byToken)).body.code).toBe(
      'session_required',
    );
    expect((await fixture.root.delete('/api/user/self', { username: 'root' })).body.code).toBe(
      'root_cannot_leave',
    );
    expect((await user.delete('/api/user/self', { username: 'leaver' })).body.success).toBe(true);
    expect((await user.get('/api/user/self')).status).toBe(401);
  });

  it('root purges what is left of a deregistered account at once; what the books are made of stays', async () => {
    await register('purged', 'purged@example.test');
    const user = await ApiClient.signIn(fixture.app.url, 'purged', PASSWORD);
    const { id, quota } = await row('purged');
    await fixture.app.dataSource.getRepository(UserEntity).update({ id }, { githubId: '4711' });
    const purge = () => fixture.root.post(`/api/user/${id}/purge`, {});
    const listed = async (query: string) =>
      (
        await fixture.root.expectSuccess<{ items: { id: number }[] }>(
          'GET',
          `/api/user/search?keyword=purged${query}`,
        )
      ).items.map((each) => each.id);
    expect((await purge()).body.code).toBe('user_not_deregistered');
    expect([await listed(''), await listed('&deregistered=only')]).toEqual([[id], []]);
    expect((await user.delete('/api/user/self', { username: 'purged' })).body.success).toBe(true);
    expect([
      await listed(''),
      await listed('&deregistered=hide'),
      await listed('&deregistered=only'),
    ]).toEqual([[id], [], [id]]);
    await ownRows(id);
    const books = async () => {
      const of = (table: string, column: string) =>
        fixture.app.dataSource.getRepository<Record<string, number>>(table).countBy({ [column]: id });
      return [await of('ledger', 'userId'), await of('logs', 'userId')];
    };
    const before = await books();
    expect((await purge()).body.success).toBe(true);
    expect(await row('purged')).toMatchObject({
      email: '',
      displayName: '',
      setting: '',
      githubId: null,
      affCode: null,
      quota,
      emailFolded: expect.stringMatching(/^gone:[0-9a-f]{64}$/),
      purgedAtMs: expect.any(Number),
    });
    expect(await countOwn(id)).toEqual([0, 0, 0]);
    expect(await books()).toEqual(before);
    expect([await listed(''), await listed('&deregistered=only')]).toEqual([[], []]);
    const { items } = await fixture.root.expectSuccess<{ items: { action: string; target_id: string }[] }>(
      'GET',
      '/api/audit?action=user.purge',
    );
    expect(items[0]).toMatchObject({ action: 'user.purge', target_id: String(id) });
    expect((await purge()).body.code).toBe('user_not_found');
    // Neither the name nor the address is given away again.
    const again = { username: 'Purged', password: 'password-of-a-test' };
    expect((await fixture.root.post('/api/user/', again)).body.code).toBe('username_taken');
    expect(await checkMoney(fixture.app.dataSource)).toEqual([]);
  });

  it('clears what is personal after 30 days, and the address earns no second gift [SELF-05, AUTH-09]', async () => {
    const sweep = fixture.app.app.get(DeregisteredAccounts);
    const { id } = await row('leaver');
    await ownRows(id);
    expect(await row('leaver')).toMatchObject({ email: 'leaver@example.test', quota: 1_000 });
    fixture.clock.advance(29 * DAY_MS);
    await sweep.sweep();
    expect(await row('leaver')).toMatchObject({ email: 'leaver@example.test' });
    expect(await countOwn(id)).toEqual([1, 1, 1]);
    fixture.clock.advance(2 * DAY_MS);
    await sweep.sweep();
    expect(await countOwn(id)).toEqual([0, 0, 0]);
    const cleared = await row('leaver');
    expect(cleared).toMatchObject({ email: '', displayName: '', setting: '', quota: 1_000 });
    expect(cleared.emailFolded).toMatch(/^gone:[0-9a-f]{64}$/);
    // Once more changes nothing but what was left over elsewhere.
    await ownRows(id);
    await sweep.sweep();
    expect(await countOwn(id)).toEqual([0, 0, 0]);
    expect(await row('leaver')).toEqual(cleared);
    await fixture.askCode('Leaver@example.test');
    expect((await fixture.mail.letterTo('Leaver@example.test')).subject).toBe(
      'You already have an account at Tollgate',
    );
    expect(await checkMoney(fixture.app.dataSource)).toEqual([]);
  });

  it('keeps the accounts of those who stay', async () => {
    await register('stayer', 'stayer@example.test');
    fixture.clock.advance(40 * DAY_MS);
    const { id } = await row('stayer');
    await ownRows(id);
    await fixture.app.app.get(DeregisteredAccounts).sweep();
    expect(await countOwn(id)).toEqual([1, 1, 1]);
    expect(await row('stayer')).toMatchObject({ email: 'stayer@example.test', displayName: 'stayer' });
  });
});

describe('passwords everybody tries first', () => {
  let fixture: AccountsFixture;
  beforeAll(async () => {
    fixture = await startAccounts();
  });
  afterAll(() => fixture.close());

  it.each(['12345678', 'PassWord', 'admin123', 'root123456'])(
    'refuses them: %s [AUTH-11]',
    async (password) => {
      const guest = fixture.guest();
      expect((await guest.post('/api/user/register', { username: 'weak', password })).body.code).toBe(
        'password_well_known',
      );
      const form = { password, original_password: 'correct horse battery' };
      expect((await fixture.root.put('/api/user/self', form)).body.code).toBe('password_well_known');
    },
  );

  it('warns when an administrator comes from elsewhere with one [AUTH-11]', async () => {
    const { hash } = await import('@node-rs/argon2');
    const admin = await signUp(fixture.root, { username: 'elsewhere', role: 'admin' });
    const users = fixture.app.dataSource.getRepository(UserEntity);
    await users.update({ id: admin.userId }, { password: await hash('123456') });
    const login = await fixture
      .guest()
      .post('/api/user/login', { username: 'elsewhere', password: '123456' });
    expect(login.body).toMatchObject({ success: true, default_password: true });
    const other = await fixture
      .guest()
      .post('/api/user/login', { username: 'root', password: 'correct horse battery' });
    expect(other.body).not.toHaveProperty('default_password');
    // An administrator is warned and goes on.
    const warned = await ApiClient.signIn(fixture.app.url, 'elsewhere', '123456');
    expect((await warned.get('/api/user/')).body.success).toBe(true);
  });

  it('opens nothing to root but changing it [AUTH-11]', async () => {
    const { hash } = await import('@node-rs/argon2');
    const users = fixture.app.dataSource.getRepository(UserEntity);
    await users.update({ id: fixture.root.userId }, { password: await hash('123456') });
    const held = await ApiClient.signIn(fixture.app.url, 'root', '123456');
    const refusals = await Promise.all([
      held.get('/api/user/'),
      held.get('/api/option/'),
      held.get('/api/user/token'),
      held.post('/api/user/', { username: 'planted', password: 'long enough words' }),
      held.put('/api/user/', { id: held.userId, display_name: 'Taken over' }),
      held.put('/api/user/setting', { notify_type: 'email' }),
    ]);
    for (const { status, body } of refusals)
      expect([status, body.code]).toEqual([403, 'password_change_required']);
    // A route that needs no login ignores it: nothing of the account can be bound.
    const bind = await held.post('/api/oauth/start', { provider: 'github', intent: 'bind' });
    expect(bind.body.success).toBe(false);
    expect((await held.get('/api/user/self')).body.success).toBe(true);
    const changed = await held.put('/api/user/self', {
      original_password: '123456',
      password: 'correct horse battery',
    });
    expect(changed.body.success).toBe(true);
    const free = await ApiClient.signIn(fixture.app.url, 'root', 'correct horse battery');
    expect((await free.get('/api/option/')).body.success).toBe(true);
  });
});
