import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { anActor, byAccessToken } from '../../../test/support/people.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { SecurityEmails } from '../../base/notifications/mail/security-emails.js';
import type { LoginService } from '../../base/auth/login.service.js';
import type { PasswordHasher } from '../../base/auth/password.js';
import type { StepUpAuth } from '../../base/auth/step-up.service.js';
import type { UserEdit } from './dto/user.dto.js';
import { UserPasswords } from './user-passwords.js';

function passwords({ hasPassword = true, isFresh = false } = {}) {
  return new UserPasswords(
    { hash: async (password: string) => `hash of ${password}` } as unknown as PasswordHasher,
    {
      confirmPassword: async (_actor: unknown, typed: string) => typed === 'old secret',
    } as unknown as LoginService,
    {
      hasPassword: async () => hasPassword,
      assertFresh: async () => {
        if (!isFresh) throw new DomainError('login_not_fresh');
      },
    } as unknown as StepUpAuth,
    { send: () => undefined } as unknown as SecurityEmails,
  );
}
const own = (password: string, original = 'old secret', situation = {}, actor = anActor()) =>
  passwords(situation).ownHash(actor, { password, original }, 'ip');

describe('UserPasswords', () => {
  it('takes a new password of one’s own beside the original one', async () => {
    expect(await own('new secret')).toBe('hash of new secret');
  });

  it.each([
    ['a wrong original', () => own('new secret', 'wrong'), 'password_original_wrong'],
    ['the same once more', () => own('old secret'), 'password_unchanged'],
    ['one that is too short', () => own('short'), 'password_length'],
    ['an access token', () => own('new secret', 'old secret', {}, byAccessToken()), 'session_required'],
    [
      'an old login of an account without one',
      () => own('new secret', '', { hasPassword: false }),
      'login_not_fresh',
    ],
    [
      'a recent login of an account without one',
      () => own('new secret', '', { hasPassword: false, isFresh: true }),
      'done',
    ],
    [
      'a recent login of an account with one',
      () => own('new secret', '', { isFresh: true }),
      'password_original_wrong',
    ],
  ])('answers %s', async (_, act, code) => {
    expect(await codeOf(act())).toBe(code);
  });

  it('requires the original of one’s own password in the administration, too, and of no other account’s', async () => {
    const edit = (id: number, password = 'new secret') =>
      codeOf(passwords().newHash(anActor({ role: 100 }), { id, password } as UserEdit, 'ip'));
    expect([await edit(7), await edit(8)]).toEqual(['password_original_wrong', 'done']);
    expect(await edit(8, 'short')).toBe('password_length');
    expect(await passwords().newHash(anActor(), { id: 7 } as UserEdit, 'ip')).toBeUndefined();
  });
});
