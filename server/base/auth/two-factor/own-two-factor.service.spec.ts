import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../../test/support/code-of.js';
import { anActor, byAccessToken } from '../../../../test/support/people.js';
import { DomainError } from '../../../common/errors/domain-error.js';
import type { SecurityEmails } from '../../notifications/mail/security-emails.js';
import type { TwoFactorService } from './two-factor.service.js';
import type { SessionsService } from '../sessions.service.js';
import { assertBySession, type StepUpAuth } from '../step-up.service.js';
import { OwnTwoFactor } from './own-two-factor.service.js';
import type { TwoFactorSetups } from './two-factor-setups.js';

function factors({ isOn = false, shown = 'secret' as string | null } = {}) {
  const done: string[] = [];
  const checkCode = (code: string) => {
    if (code !== '123456') throw new DomainError('two_factor_code_wrong');
    done.push('code');
  };
  const own = new OwnTwoFactor(
    {
      isEnabled: async () => isOn,
      enable: async (_actor: unknown, secret: string, code: string) => {
        checkCode(code);
        done.push(`on with ${secret}`);
        return ['recovery'];
      },
      spend: async (_id: number, code: string) => checkCode(code),
      remove: async () => void done.push('off'),
      renewRecoveryCodes: async () => {
        done.push('renewed');
        return ['recovery'];
      },
    } as unknown as TwoFactorService,
    {
      require: async (actor: Parameters<typeof assertBySession>[0], password: string) => {
        assertBySession(actor);
        if (password !== 'right') throw new DomainError('proof_wrong');
      },
    } as unknown as StepUpAuth,
    {
      look: async () => shown,
      begin: async () => ({ secret: 'new' }),
      end: async () => void done.push('setup over'),
    } as unknown as TwoFactorSetups,
    {
      closeOthers: async (_id: number, kept: string) => void done.push(`logins but ${kept} end`),
    } as unknown as SessionsService,
    {
      send: (_id: number, change: string) => void done.push(`letter: ${change}`),
    } as unknown as SecurityEmails,
  );
  return { own, done };
}

const proof = { password: 'right', code: '123456' };

describe('OwnTwoFactor', () => {
  it('turns codes on with the secret this login was shown; logins made with less end', async () => {
    const { own, done } = factors();
    expect(await own.enable(anActor(), proof, 'ip')).toEqual({ backup_codes: ['recovery'] });
    expect(done).toEqual([
      'code',
      'on with secret',
      'setup over',
      'logins but digest end',
      'letter: two-factor-on',
    ]);
  });

  it('turns codes off by password and code', async () => {
    const { own, done } = factors({ isOn: true });
    await own.disable(anActor(), proof, 'ip');
    expect(done).toEqual(['code', 'off', 'letter: two-factor-off']);
  });

  it('renews recovery codes by a code', async () => {
    const { own, done } = factors({ isOn: true });
    await own.renewRecoveryCodes(anActor(), '123456');
    expect(done).toEqual(['code', 'renewed', 'letter: recovery-codes']);
  });

  it.each<[string, (own: OwnTwoFactor) => Promise<unknown>, string]>([
    [
      'on by a wrong password',
      (own) => own.enable(anActor(), { ...proof, password: '' }, 'ip'),
      'proof_wrong',
    ],
    [
      'on by a wrong code',
      (own) => own.enable(anActor(), { ...proof, code: '' }, 'ip'),
      'two_factor_code_wrong',
    ],
    [
      'off by a wrong password',
      (own) => own.disable(anActor(), { ...proof, password: '' }, 'ip'),
      'proof_wrong',
    ],
    [
      'off by a wrong code',
      (own) => own.disable(anActor(), { ...proof, code: '' }, 'ip'),
      'two_factor_code_wrong',
    ],
    ['new by a wrong code', (own) => own.renewRecoveryCodes(anActor(), ''), 'two_factor_code_wrong'],
    ['on by an access token', (own) => own.enable(byAccessToken(), proof, 'ip'), 'session_required'],
    ['off by an access token', (own) => own.disable(byAccessToken(), proof, 'ip'), 'session_required'],
    [
      'new by an access token',
      (own) => own.renewRecoveryCodes(byAccessToken(), '123456'),
      'session_required',
    ],
    ['shown to an access token', (own) => own.setUp(byAccessToken()), 'session_required'],
  ])('refuses codes that are to be %s', async (_, act, code) => {
    const { own, done } = factors();
    expect(await codeOf(act(own))).toBe(code);
    expect(done).toEqual([]);
  });

  it('shows no secret where codes are on, and takes no code of one that was not shown', async () => {
    expect(await codeOf(factors({ isOn: true }).own.setUp(anActor()))).toBe('two_factor_on');
    expect(await codeOf(factors({ shown: null }).own.enable(anActor(), proof, 'ip'))).toBe(
      'two_factor_setup_missing',
    );
  });
});
