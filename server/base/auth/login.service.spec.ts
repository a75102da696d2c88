import { describe, expect, it } from '@jest/globals';
import { anAccount } from '../../../test/support/people.js';
import type { AccountsService } from '../users/accounts.service.js';
import type { OptionsService } from '../options/options.service.js';
import { countKeyOf, type LoginAttempt, type LoginGuard } from './login-guard.js';
import type { LoginUnlock } from './login-unlock.service.js';
import { LoginService, type PasswordLogin } from './login.service.js';
import type { PasswordHasher } from './password.js';

const HASH = '$argon2id$v=19$of-right';

function login(account: ReturnType<typeof anAccount> | null = anAccount(), { isOn = true } = {}) {
  const done: unknown[] = [];
  const attempts: LoginAttempt[] = [];
  const service = new LoginService(
    {
      findForLogin: async () => (account === null ? null : { ...account, password: HASH }),
      passwordOf: async () => HASH,
    } as unknown as AccountsService,
    {
      verify: async (hash: string | null, password: string) => {
        done.push('hashed');
        return hash === HASH && password.startsWith('right');
      },
    } as unknown as PasswordHasher,
    {
      admit: async (attempt: LoginAttempt) => {
        attempts.push(attempt);
        return 'admission';
      },
      recordFailure: async () => void done.push('noted'),
      fail: async () => void done.push('failed'),
      pass: async () => void done.push('passed'),
    } as unknown as LoginGuard,
    {
      countsOf: async (token: string) => (token === 'link' ? 'link-1' : undefined),
      spend: async (token: string) => void done.push(`spent ${token}`),
    } as unknown as LoginUnlock,
    { values: () => ({ PasswordLoginEnabled: isOn }) } as unknown as OptionsService,
  );
  const signIn = (changes: Partial<PasswordLogin> = {}) =>
    service.signIn({ name: 'Ann', password: 'right', ...changes }, '192.0.2.1').then(
      ({ id }) => id,
      (error: { code: string }) => error.code,
    );
  return { service, signIn, done, attempts };
}

describe('LoginService', () => {
  it('lets in by the right password, counted by the account and not by how its name was spelled', async () => {
    const { signIn, done, attempts } = login();
    expect(await signIn()).toBe(7);
    expect(attempts).toEqual([{ account: countKeyOf({ id: 7 }, ''), ip: '192.0.2.1' }]);
    expect(done).toEqual(['hashed', 'passed']);
  });

  it.each([
    ['a wrong password', anAccount(), 'wrong'],
    ['an unknown name', null, 'right'],
    ['a banned account', anAccount({ status: 2 }), 'right'],
  ])('answers %s alike, after the same work', async (_, account, password) => {
    const { signIn, done } = login(account);
    expect(await signIn({ password })).toBe('login_failed');
    expect(done).toEqual(['hashed', 'noted', 'failed']);
  });

  it('does not hash a text that no account can have as password', async () => {
    const { signIn, done } = login();
    expect(await signIn({ password: `right${'x'.repeat(1_000)}` })).toBe('login_failed');
    expect(done).not.toContain('hashed');
  });

  it('counts an attempt with a mailed link apart, and spends the link when it succeeds', async () => {
    const { signIn, done, attempts } = login();
    await signIn({ unlock: 'link', password: 'wrong' });
    expect(done).not.toContain('spent link');
    await signIn({ unlock: 'link' });
    expect(attempts.map(({ apart }) => apart)).toEqual(['link-1', 'link-1']);
    expect(done).toContain('spent link');
  });

  it.each([
    ['by password when that is off', login(anAccount(), { isOn: false }), {}, 'login_by_password_off'],
    ['without a name', login(), { name: ' ' }, 'login_fields_required'],
    ['without a password', login(), { password: '' }, 'login_fields_required'],
  ])('counts no attempt %s', async (_, { signIn, attempts }, input, code) => {
    expect(await signIn(input)).toBe(code);
    expect(attempts).toEqual([]);
  });

  it('counts confirmations of the own password apart from guesses of others', async () => {
    const { service, done, attempts } = login();
    expect(await service.confirmPassword({ id: 7 }, 'right', '192.0.2.1')).toBe(true);
    expect(await service.confirmPassword({ id: 7 }, 'wrong', '192.0.2.1')).toBe(false);
    expect(attempts.map(({ apart }) => apart)).toEqual(['confirm', 'confirm']);
    expect(done).toEqual(['hashed', 'hashed', 'failed']);
  });
});
