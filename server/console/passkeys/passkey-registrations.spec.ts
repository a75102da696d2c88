import { describe, expect, it } from '@jest/globals';
import type { EntityManager } from 'typeorm';
import { codeOf } from '../../../test/support/code-of.js';
import { anActor, byAccessToken } from '../../../test/support/people.js';
import type { AccountsService } from '../../base/users/accounts.service.js';
import type { SignInMethodChanges } from '../../base/auth/sign-in-method-changes.js';
import type { StepUpAuth } from '../../base/auth/step-up.service.js';
import type { PasskeyRegistration } from './dto/passkey.dto.js';
import type { PasskeyCeremonies } from './passkey-ceremonies.js';
import { PasskeyRegistrations } from './passkey-registrations.js';
import type { NewPasskey, PasskeysRepository } from './passkeys.repository.js';

const page = { protocol: 'https', host: 'gate.test' };

function registrations({ before = 0, meanwhile = 0, isKnown = false } = {}) {
  const inserted: NewPasskey[] = [];
  const purposes: unknown[] = [];
  const service = new PasskeyRegistrations(
    {
      listOf: async (_userId: number, manager?: EntityManager) =>
        Array.from({ length: manager === undefined ? before : before + meanwhile }, () => ({
          relyingParty: 'gate.test',
        })),
      insert: async (_manager: unknown, row: NewPasskey) => {
        if (isKnown) throw Object.assign(new Error('duplicate'), { code: '23505' });
        inserted.push(row);
      },
    } as unknown as PasskeysRepository,
    {
      partyAt: () => ({ id: 'gate.test', origins: [] }),
      offerRegistration: async (_party: unknown, purpose: unknown) => {
        purposes.push(purpose);
        return {};
      },
      checkRegistration: async (_party: unknown, purpose: unknown) => {
        purposes.push(purpose);
        return { credentialId: 'c' };
      },
    } as unknown as PasskeyCeremonies,
    { findIdentity: async () => null } as unknown as AccountsService,
    { requireUnlessFresh: async () => void purposes.push('proved') } as unknown as StepUpAuth,
    {
      change: async (_owner: unknown, _letter: unknown, work: (manager: unknown) => Promise<unknown>) =>
        work({}),
    } as unknown as SignInMethodChanges,
  );
  const finish = (name = '', actor = anActor()) =>
    codeOf(service.finish(actor, { name, credential: {} } as unknown as PasskeyRegistration, page));
  const begin = (actor = anActor()) => codeOf(service.begin(actor, { password: '', code: '' }, page, 'ip'));
  return { inserted, purposes, begin, finish };
}

describe('PasskeyRegistrations', () => {
  it('requires a proof before it offers a challenge, bound to account and login', async () => {
    const { purposes, begin } = registrations();
    expect(await begin()).toBe('done');
    expect(purposes).toEqual(['proved', { kind: 'register', userId: 7, sessionDigest: 'digest' }]);
  });

  it('keeps the passkey for the account that made it, under its name or the next number', async () => {
    const { inserted, finish } = registrations({ before: 2 });
    await finish();
    await finish('Work key');
    expect(inserted).toMatchObject([
      { userId: 7, relyingParty: 'gate.test', name: 'Passkey 3' },
      { userId: 7, name: 'Work key' },
    ]);
  });

  it('stops at twenty, also when another one was added meanwhile', async () => {
    expect(await registrations({ before: 19 }).begin()).toBe('done');
    expect(await registrations({ before: 20 }).begin()).toBe('passkey_limit');
    const { inserted, finish } = registrations({ before: 19, meanwhile: 1 });
    expect(await finish()).toBe('passkey_limit');
    expect(inserted).toEqual([]);
  });

  it('rejects a registered passkey and access-token sessions', async () => {
    expect(await registrations({ isKnown: true }).finish()).toBe('passkey_known');
    expect(await registrations().finish('', byAccessToken())).toBe('session_required');
    expect(await registrations().begin(byAccessToken())).toBe('session_required');
  });
});
