import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { anAccount, anActor, byAccessToken } from '../../../test/support/people.js';
import { digestOf } from '../../base/auth/sessions.service.js';
import { DomainError } from '../../common/errors/domain-error.js';
import type { AccountsService } from '../../base/users/accounts.service.js';
import type { AuditLog } from '../../base/audit/audit-log.js';
import type { StepUpAuth } from '../../base/auth/step-up.service.js';
import type { PasskeyAssertion } from './dto/passkey.dto.js';
import type { PasskeyCeremonies } from './passkey-ceremonies.js';
import { PasskeyUse } from './passkey-use.js';
import type { PasskeysRepository } from './passkeys.repository.js';

const page = { protocol: 'https', host: 'gate.test' };
const assertion = (userHandle?: string) =>
  ({
    credential: { id: 'credential', response: { clientDataJSON: 'data', userHandle } },
  }) as unknown as PasskeyAssertion;

function uses({
  relyingParty = 'gate.test',
  isKnown = true,
  grew = true,
  isSigned = true,
  account = anAccount() as ReturnType<typeof anAccount> | null,
} = {}) {
  const done: unknown[] = [];
  const use = new PasskeyUse(
    {
      findByCredential: async () => (isKnown ? { id: 3, userId: 7, relyingParty, counter: 5 } : null),
      recordUse: async () => grew,
    } as unknown as PasskeysRepository,
    {
      partyAt: () => ({ id: 'gate.test', origins: ['https://gate.test'] }),
      userHandleOf: (id: number) => `handle-${id}`,
      spendChallenge: async (_data: string, _party: unknown, purpose: unknown) => {
        done.push(purpose);
        return 'challenge';
      },
      checkUse: async () => {
        if (!isSigned) throw new DomainError('passkey_refused');
        return { counter: 5, isSynced: false };
      },
    } as unknown as PasskeyCeremonies,
    { findIdentity: async () => account } as unknown as AccountsService,
    { renew: async () => void done.push('renewed') } as unknown as StepUpAuth,
    {
      record: async (_manager: unknown, act: { action: string }) => void done.push(act.action),
    } as unknown as AuditLog,
  );
  return { use, done };
}

describe('PasskeyUse at sign-in', () => {
  it('finds the account that the passkey names', async () => {
    const { use, done } = uses();
    expect(await use.finishLogin(assertion('handle-7'), page, 'browser')).toMatchObject({ id: 7 });
    expect(done).toEqual([{ kind: 'login', browser: digestOf('browser') }]);
  });

  it.each([
    ['no handle', {}, undefined],
    ['the handle of another account', {}, 'handle-8'],
    ['a passkey nobody has', { isKnown: false }, 'handle-7'],
    ['a passkey of another host', { relyingParty: 'old.test' }, 'handle-7'],
    ['a wrong signature', { isSigned: false }, 'handle-7'],
    ['an account that is gone', { account: null }, 'handle-7'],
  ])('refuses %s', async (_, situation, handle) => {
    expect(await codeOf(uses(situation).use.finishLogin(assertion(handle), page, 'browser'))).toBe(
      'passkey_refused',
    );
  });

  it('refuses a counter that did not grow, and records that there may be two of the passkey', async () => {
    const { use, done } = uses({ grew: false });
    expect(await codeOf(use.finishLogin(assertion('handle-7'), page, 'browser'))).toBe('passkey_refused');
    expect(done).toContain('passkey.counter_fell');
  });
});

describe('PasskeyUse as a proof', () => {
  it('renews the login whose challenge was answered', async () => {
    const { use, done } = uses();
    await use.finishProof(anActor(), assertion(), page);
    expect(done).toEqual([{ kind: 'verify', userId: 7, sessionDigest: 'digest' }, 'renewed']);
  });

  it.each([
    ['a passkey of somebody else', anActor({ id: 8 }), {}, 'passkey_refused'],
    ['a passkey nobody has', anActor(), { isKnown: false }, 'passkey_refused'],
    ['an access token', byAccessToken(), {}, 'session_required'],
  ])('refuses %s', async (_, actor, situation, code) => {
    const { use, done } = uses(situation);
    expect(await codeOf(use.finishProof(actor, assertion(), page))).toBe(code);
    expect(done).not.toContain('renewed');
  });
});
