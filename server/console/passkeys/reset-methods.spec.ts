import { describe, expect, it } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { codeOf } from '../../../test/support/code-of.js';
import { anAccount } from '../../../test/support/people.js';
import { userRow } from '../../../test/support/stored-rows.js';
import type { ProvenReset, ResetProofs } from '../../base/auth/password-reset/reset-proofs.js';
import type { SignInMethodChanges } from '../../base/auth/sign-in-method-changes.js';
import { OPTION_FALLBACKS } from '../../base/options/option-catalogue.js';
import type { OptionsService } from '../../base/options/options.service.js';
import type { AccountsService } from '../../base/users/accounts.service.js';
import type { PasskeysRepository } from './passkeys.repository.js';
import { ResetMethods } from './reset-methods.js';

const REQUEST = {} as FastifyRequest;
const REPLY = {} as FastifyReply;
const BOUND = { githubId: '1', telegramId: '2' };

function methods({
  proof = { account: anAccount(), hasSecondStep: false } as ProvenReset | null,
  isFirst = true,
  options = {},
} = {}) {
  const done: unknown[] = [];
  const service = new ResetMethods(
    { look: async () => proof, take: async () => isFirst } as unknown as ResetProofs,
    {
      identitiesOf: async () => userRow(BOUND),
      changeWith: async (...change: unknown[]) => void done.push(change.slice(1)),
    } as unknown as AccountsService,
    {
      listOf: async () => [{ name: 'Phone' }],
      deleteAllOf: async () => 1,
    } as unknown as PasskeysRepository,
    {
      change: async (_owner: unknown, _letter: unknown, work: (...of: unknown[]) => Promise<unknown>) =>
        void done.push(await work({}, userRow(BOUND))),
    } as unknown as SignInMethodChanges,
    {
      values: () => ({ ...OPTION_FALLBACKS, GitHubOAuthEnabled: true, ...options }),
    } as unknown as OptionsService,
  );
  return { done, list: () => service.list(REQUEST), release: () => codeOf(service.release(REQUEST, REPLY)) };
}

describe('ResetMethods', () => {
  it('lists what opens the account: not an identity of a provider that is off', async () => {
    expect(await methods().list()).toEqual({
      identities: ['github'],
      passkeys: ['Phone'],
      may_release: true,
    });
    const off = { 'passkey.enabled': false, GitHubOAuthEnabled: false };
    expect(await methods({ options: off }).list()).toEqual({
      identities: [],
      passkeys: [],
      may_release: true,
    });
  });

  it('releases every identity and passkey, ends the logins, and records what', async () => {
    const { done, release } = methods();
    expect(await release()).toBe('done');
    expect(done).toEqual([
      [7, { githubId: null, githubIssuer: null, telegramId: null }, { endsLogins: true }],
      { action: 'identity.release_all', detail: { provider: ['github', 'telegram'], count: 1 } },
    ]);
  });

  it.each([
    ['without a reset of this browser', { proof: null }, 'reset_link_invalid'],
    ['a second time', { isFirst: false }, 'reset_link_invalid'],
    [
      'of an account with an authenticator app',
      { proof: { account: anAccount(), hasSecondStep: true } },
      'reset_release_needs_login',
    ],
    ['while passwords do not sign in', { options: { PasswordLoginEnabled: false } }, 'identity_last_way'],
  ])('releases nothing %s', async (_, situation, code) => {
    const { done, release } = methods(situation);
    expect(await release()).toBe(code);
    expect(done).toEqual([]);
  });
});
