import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { anActor, byAccessToken } from '../../../test/support/people.js';
import { userRow } from '../../../test/support/stored-rows.js';
import type { Env } from '../../config/env.js';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import type { AccountsService } from '../../base/users/accounts.service.js';
import type { UserEntity } from '../../base/users/user.entity.js';
import type { SignInMethodChanges } from '../../base/auth/sign-in-method-changes.js';
import type { VerificationTickets } from '../../base/auth/verification-tickets.js';
import { OPTION_FALLBACKS, type OptionValues } from '../../base/options/option-catalogue.js';
import type { OptionsService } from '../../base/options/options.service.js';
import { OwnPasskeys } from './own-passkeys.js';
import { PasskeyCeremonies } from './passkey-ceremonies.js';
import type { PasskeyEntity } from './passkey.entity.js';
import type { PasskeysRepository } from './passkeys.repository.js';

interface Situation {
  /** Relying parties of its passkeys. */
  readonly parties?: readonly string[];
  readonly password?: string;
  readonly options?: Partial<OptionValues>;
  readonly user?: Partial<UserEntity>;
}

function passkeys({ parties = ['gate.test'], password = '', options = {}, user = {} }: Situation = {}) {
  const removed: number[] = [];
  const values = {
    ...OPTION_FALLBACKS,
    ServerAddress: 'https://gate.test',
    'passkey.enabled': true,
    ...options,
  };
  const rows = parties.map(
    (relyingParty, index) => ({ id: index + 1, name: 'key', relyingParty }) as PasskeyEntity,
  );
  const optionsService = { values: () => values } as unknown as OptionsService;
  const own = new OwnPasskeys(
    {
      listOf: async () => rows,
      delete: async (_manager: unknown, userId: number, id: number) => userId === 7 && removed.push(id),
      rename: async (userId: number, id: number) => userId === 7 && rows.some((row) => row.id === id),
    } as unknown as PasskeysRepository,
    new PasskeyCeremonies(
      {} as VerificationTickets,
      new SecretBox('x'.repeat(32)),
      optionsService,
      {} as Env,
    ),
    { passwordOf: async () => password } as unknown as AccountsService,
    {
      change: (_owner: unknown, _letter: unknown, work: (manager: unknown, user: UserEntity) => unknown) =>
        Promise.resolve(work({}, userRow({ id: 7, ...user }))),
    } as unknown as SignInMethodChanges,
    optionsService,
  );
  return { own, removed, remove: (id = 1) => codeOf(own.remove(anActor(), id)) };
}

describe('OwnPasskeys', () => {
  it.each<[string, Situation]>([
    ['beside a password', { password: 'hash' }],
    ['beside another passkey of this host', { parties: ['gate.test', 'gate.test'] }],
    [
      'beside an identity of a provider that is on',
      { options: { GitHubOAuthEnabled: true }, user: { githubId: '1' } },
    ],
    [
      'beside one of which the page decides',
      { parties: ['a.test', 'b.test'], options: { ServerAddress: '' } },
    ],
  ])('removes a passkey %s', async (_, situation) => {
    const { removed, remove } = passkeys(situation);
    expect(await remove()).toBe('done');
    expect(removed).toEqual([1]);
  });

  it.each<[string, Situation]>([
    ['alone', {}],
    ['beside a password that is of no use', { password: 'hash', options: { PasswordLoginEnabled: false } }],
    ['beside a passkey of a host name before', { parties: ['gate.test', 'old.test'] }],
    ['beside an identity of a provider that is off', { user: { githubId: '1' } }],
  ])('keeps the last sign-in method: a passkey %s', async (_, situation) => {
    const { removed, remove } = passkeys(situation);
    expect(await remove()).toBe('passkey_last_way');
    expect(removed).toEqual([]);
  });

  it('finds no passkey of another account', async () => {
    expect(await passkeys({ password: 'hash' }).remove(2)).toBe('not_found');
    expect(await codeOf(passkeys().own.rename(anActor(), 2, 'key'))).toBe('not_found');
    expect(await codeOf(passkeys().own.rename(anActor({ id: 8 }), 1, 'key'))).toBe('not_found');
  });

  it('takes neither acts from an access token', async () => {
    const { own } = passkeys({ password: 'hash' });
    expect(await codeOf(own.remove(byAccessToken(), 1))).toBe('session_required');
    expect(await codeOf(own.rename(byAccessToken(), 1, 'key'))).toBe('session_required');
  });
});
