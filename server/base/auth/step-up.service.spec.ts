import { describe, expect, it } from '@jest/globals';
import { anActor, byAccessToken } from '../../../test/support/people.js';
import type { Env } from '../../config/env.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { AccountsService } from '../users/accounts.service.js';
import type { TwoFactorService } from './two-factor/two-factor.service.js';
import type { LoginService } from './login.service.js';
import type { SessionsService } from './sessions.service.js';
import { StepUpAuth } from './step-up.service.js';

function stepUp({ freshUntilMs = 0, password = 'hash', hasApp = false } = {}) {
  const renewed: string[] = [];
  const auth = new StepUpAuth(
    {
      freshUntilMs: async () => freshUntilMs,
      verify: async (digest: string) => void renewed.push(digest),
    } as unknown as SessionsService,
    { passwordOf: async () => password } as unknown as AccountsService,
    {
      confirmPassword: async (_user: unknown, typed: string) => typed === 'right',
    } as unknown as LoginService,
    {
      isEnabled: async () => hasApp,
      spend: async (_id: number, code: string) => {
        if (code !== '123456') throw new DomainError('two_factor_code_wrong');
      },
    } as unknown as TwoFactorService,
    { isFreshLoginRequired: true } as Env,
  );
  const outcome = (work: Promise<void>) =>
    work.then(
      () => 'done',
      (error: { code: string }) => error.code,
    );
  return { auth, renewed, outcome };
}

describe('StepUpAuth', () => {
  it('takes a recent login, and none by an access token', async () => {
    const fresh = stepUp({ freshUntilMs: 1 });
    expect(await fresh.outcome(fresh.auth.assertFresh(anActor()))).toBe('done');
    expect(await fresh.outcome(fresh.auth.assertFresh(byAccessToken()))).toBe('session_required');
    const old = stepUp();
    expect(await old.outcome(old.auth.assertFresh(anActor()))).toBe('login_not_fresh');
  });

  it.each([
    ['the right password', {}, 'right', 'done'],
    ['a wrong password', {}, 'wrong', 'proof_wrong'],
    ['no password', { freshUntilMs: 1 }, '', 'proof_required'],
    ['an account without one, and an old login', { password: '' }, '', 'login_not_fresh'],
    ['an account without one, and a recent login', { password: '', freshUntilMs: 1 }, '', 'done'],
  ])('answers %s where the password is demanded', async (_, situation, typed, answer) => {
    const { auth, outcome } = stepUp(situation);
    expect(await outcome(auth.require(anActor(), typed, 'ip'))).toBe(answer);
    expect(await outcome(auth.require(byAccessToken(), typed, 'ip'))).toBe('session_required');
  });

  it.each([
    ['a recent login', { freshUntilMs: 1, hasApp: true }, '', '', 'done', []],
    ['the password', {}, 'right', '', 'done', ['digest']],
    ['the password and a code', { hasApp: true }, 'right', '123456', 'done', ['digest']],
    ['the password without the code', { hasApp: true }, 'right', '', 'two_factor_code_wrong', []],
    ['a recent login and a wrong password', { freshUntilMs: 1 }, 'wrong', '', 'proof_wrong', []],
    ['nothing', {}, '', '', 'proof_required', []],
  ])('answers %s where one or the other will do', async (_, situation, password, code, answer, digests) => {
    const { auth, renewed, outcome } = stepUp(situation);
    expect(await outcome(auth.requireUnlessFresh(anActor(), { password, code }, 'ip'))).toBe(answer);
    expect(renewed).toEqual(digests);
  });

  it('refuses access tokens whatever they bring', async () => {
    const { auth, outcome } = stepUp({ freshUntilMs: 1 });
    const proof = { password: 'right', code: '123456' };
    expect(await outcome(auth.requireUnlessFresh(byAccessToken(), proof, 'ip'))).toBe('session_required');
  });
});
