import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { anAccount, anActor, byAccessToken } from '../../../test/support/people.js';
import { userRow } from '../../../test/support/stored-rows.js';
import type { AccountsService } from '../../base/users/accounts.service.js';
import type { SignInMethods } from '../../base/users/sign-in-methods.js';
import type { UserEntity } from '../../base/users/user.entity.js';
import type { SignInMethodChanges } from '../../base/auth/sign-in-method-changes.js';
import { OPTION_FALLBACKS, type OptionValues } from '../../base/options/option-catalogue.js';
import type { OptionsService } from '../../base/options/options.service.js';
import { Bindings } from './bindings.service.js';

interface Situation {
  readonly holder?: { readonly id: number } | null;
  readonly user?: Partial<UserEntity>;
  readonly options?: Partial<OptionValues>;
  readonly password?: string;
  readonly passkeys?: number;
  /** True when another flow bound the identity first. */
  readonly isTaken?: boolean;
}

function bindings({
  holder = null,
  user = {},
  options = {},
  password = '',
  passkeys = 0,
  isTaken = false,
}: Situation = {}) {
  const changes: unknown[] = [];
  const service = new Bindings(
    {
      change: async (
        _owner: unknown,
        _letter: unknown,
        work: (manager: unknown, user: UserEntity) => Promise<unknown>,
      ) => (await work({}, userRow({ id: 7, ...user }))) !== null,
      record: async (userId: number, _actor: unknown, work: (manager: unknown) => Promise<unknown>) =>
        void changes.push(['recorded', userId, await work({})]),
    } as unknown as SignInMethodChanges,
    {
      findByIdentity: async () => holder,
      passwordOf: async () => password,
      releaseIdentity: async (
        _manager: unknown,
        { id }: { id: number },
        { subject }: { subject: string },
      ) => {
        changes.push(['released', id, subject]);
        return true;
      },
      changeWith: async (_manager: unknown, id: number, change: object) => {
        if (isTaken) throw Object.assign(new Error('duplicate'), { code: '23505' });
        changes.push([id, change]);
      },
    } as unknown as AccountsService,
    { countOf: async () => passkeys } as unknown as SignInMethods,
    { values: () => ({ ...OPTION_FALLBACKS, ...options }) } as unknown as OptionsService,
  );
  return { service, changes };
}

const issuer = 'https://github.com https://api.github.com';
const profile = { provider: 'github', subject: '42', issuer } as const;
const STALE = { githubIssuer: 'https://git.old https://git.old/api/v3' };

describe('Bindings.bind', () => {
  it('binds an unused identity', async () => {
    const { service, changes } = bindings();
    await service.bind(anActor(), profile);
    expect(changes).toEqual([[7, { githubId: '42', githubIssuer: issuer }]]);
  });

  it('changes nothing where it is bound already', async () => {
    const { service, changes } = bindings({ holder: { id: 7 } });
    expect(await codeOf(service.bind(anActor(), profile))).toBe('done');
    expect(changes).toEqual([]);
  });

  it('takes the subject off an account that another issuer bound it to, and records it there', async () => {
    const { service, changes } = bindings({ holder: { id: 8, ...STALE } as Situation['holder'] });
    await service.bind(anActor(), profile);
    expect(changes).toEqual([
      ['released', 8, '42'],
      ['recorded', 8, { action: 'identity.unbind', detail: { provider: 'github', by: 'another issuer' } }],
      [7, { githubId: '42', githubIssuer: issuer }],
    ]);
  });

  it('binds anew over an identity of the own account that another issuer vouched for', async () => {
    const { service, changes } = bindings({ user: { githubId: '41', ...STALE } });
    await service.bind(anActor(), profile);
    expect(changes).toEqual([[7, { githubId: '42', githubIssuer: issuer }]]);
  });

  it.each<[string, Situation, string, string]>([
    ['somebody has', { holder: { id: 8 } }, '42', 'identity_taken'],
    ['somebody takes meanwhile', { isTaken: true }, '42', 'identity_taken'],
    ['of an account with another one', { user: { githubId: '41' } }, '42', 'identity_bound_already'],
    ['of nobody', {}, ' ', 'identity_answer_unreadable'],
    ['on a demonstration site', { options: { DemoSiteEnabled: true } }, '42', 'demo_site'],
  ])('refuses an identity %s', async (_, situation, subject, code) => {
    const { service, changes } = bindings(situation);
    expect(await codeOf(service.bind(anActor(), { ...profile, subject }))).toBe(code);
    expect(changes).toEqual([]);
  });
});

describe('Bindings.bindVerified', () => {
  it.each<[string, Situation, boolean]>([
    ['has none of the provider', {}, true],
    ['has another one of it', { user: { githubId: '41' } }, false],
    ['loses it to somebody faster', { isTaken: true }, false],
  ])('returns whether the account got it that %s', async (_, situation, isBound) => {
    expect(await bindings(situation).service.bindVerified(anAccount(), profile)).toBe(isBound);
  });
});

describe('Bindings.unbind', () => {
  const bound = { githubId: '42' };

  it.each<[string, Situation]>([
    ['a password', { user: bound, password: 'hash' }],
    ['a passkey', { user: bound, passkeys: 1 }],
    ['another identity', { user: { ...bound, oidcId: '1' }, options: { 'oidc.enabled': true } }],
  ])('takes an identity off an account that keeps %s', async (_, situation) => {
    const { service, changes } = bindings(situation);
    await service.unbind(anActor(), 'github');
    expect(changes).toEqual([[7, { githubId: null, githubIssuer: null }]]);
  });

  it.each<[string, Situation, string]>([
    ['which is its last way in', { user: bound, options: { GitHubOAuthEnabled: true } }, 'identity_last_way'],
    [
      'beside a password of no use',
      { user: bound, password: 'hash', options: { PasswordLoginEnabled: false } },
      'identity_last_way',
    ],
    [
      'beside an identity of a provider that is off',
      { user: { ...bound, oidcId: '1' } },
      'identity_last_way',
    ],
    ['that it has not', { password: 'hash' }, 'identity_not_bound'],
  ])('keeps an identity %s', async (_, situation, code) => {
    const { service, changes } = bindings(situation);
    expect(await codeOf(service.unbind(anActor(), 'github'))).toBe(code);
    expect(changes).toEqual([]);
  });

  it('takes nothing off by an access token', async () => {
    const { service } = bindings({ user: { ...bound, email: 'a@example.com' }, password: 'hash' });
    expect(await codeOf(service.unbind(byAccessToken(), 'github'))).toBe('session_required');
    expect(await codeOf(service.unbindMail(byAccessToken()))).toBe('session_required');
  });

  it('takes a mail address off that is there', async () => {
    const { service, changes } = bindings({ user: { email: 'a@example.com' } });
    await service.unbindMail(anActor());
    expect(changes).toEqual([[7, { email: '', emailFolded: null }]]);
    expect(await codeOf(bindings().service.unbindMail(anActor()))).toBe('identity_not_bound');
  });
});
