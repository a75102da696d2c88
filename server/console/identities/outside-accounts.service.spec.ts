import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { memoryRateLimiter } from '../../../test/support/memory-rate-limiter.js';
import { anAccount } from '../../../test/support/people.js';
import type { AccountCreation, AccountRequest } from '../../base/users/account-creation.service.js';
import type { AccountsService } from '../../base/users/accounts.service.js';
import { OPTION_FALLBACKS, type OptionValues } from '../../base/options/option-catalogue.js';
import type { OptionsService } from '../../base/options/options.service.js';
import type { Bindings } from './bindings.service.js';
import { ExternalAccounts } from './external-accounts.service.js';
import type { VouchedProfile } from './external-profile.js';

type Found = ReturnType<typeof anAccount> & { readonly deletedAtMs: number | null };

interface Situation {
  readonly known?: Found;
  readonly byMail?: ReturnType<typeof anAccount>;
  readonly options?: Partial<OptionValues>;
  readonly takenNames?: readonly string[];
  readonly isMailTaken?: boolean;
  readonly canBind?: boolean;
  /** Number of times a concurrent request takes the name first. */
  readonly collisions?: number;
}

function outside({
  known,
  byMail,
  options = {},
  takenNames = [],
  isMailTaken = false,
  canBind = true,
  collisions = 0,
}: Situation = {}) {
  const wanted: AccountRequest[] = [];
  const bound: number[] = [];
  const released: string[] = [];
  const accounts = new ExternalAccounts(
    {
      findByIdentity: async () => known ?? null,
      findByMail: async () => byMail ?? null,
      findIdentity: async (id: number) => anAccount({ id }),
      isNameTaken: async (name: string) => takenNames.includes(name),
      isConfusableWithStaff: async (name: string) => name === 'r00t',
      isMailTaken: async () => isMailTaken,
    } as unknown as AccountsService,
    {
      tryCreate: async (request: AccountRequest) => {
        wanted.push(request);
        return wanted.length > collisions ? 100 : null;
      },
    } as unknown as AccountCreation,
    {
      values: () => ({ ...OPTION_FALLBACKS, GitHubOAuthEnabled: true, ...options }),
    } as unknown as OptionsService,
    memoryRateLimiter(new FakeClock()),
    {
      releaseStale: async ({ issuer }: { issuer: string }) => void released.push(issuer),
      bindVerified: async ({ id }: { id: number }) => {
        bound.push(id);
        return canBind;
      },
    } as unknown as Bindings,
  );
  const enter = (changes: Partial<VouchedProfile> = {}) =>
    accounts.enter(
      { provider: 'github', subject: '42', issuer: ISSUER, username: 'ann', ...changes },
      { aff: 'code', ip: '192.0.2.1' },
    );
  return { wanted, bound, released, enter };
}

const ISSUER = 'https://github.com https://api.github.com';
const linking = { LinkAccountsByVerifiedMail: true };
const verified = { verifiedMail: 'Ann@example.com' };

describe('ExternalAccounts', () => {
  it('opens no account that another issuer vouched for, but a new one [OAUTH-03]', async () => {
    const stale = { ...anAccount({ id: 1, role: 100 }), deletedAtMs: null, githubIssuer: 'https://git.old' };
    const { wanted, released, enter } = outside({ known: stale as unknown as Situation['known'] });
    expect(await enter()).toMatchObject({ id: 100 });
    expect([released, wanted.map(({ identity }) => identity)]).toEqual([
      [ISSUER],
      [{ provider: 'github', subject: '42', issuer: ISSUER }],
    ]);
  });

  it('finds the account of an identity', async () => {
    const { wanted, enter } = outside({ known: { ...anAccount(), deletedAtMs: null } });
    expect(await enter()).toMatchObject({ id: 7 });
    expect(wanted).toEqual([]);
  });

  it.each<[string, Situation, Partial<VouchedProfile>, string]>([
    [
      'of a banned account',
      { known: { ...anAccount({ status: 2 }), deletedAtMs: null } },
      {},
      'account_banned',
    ],
    ['of a deregistered account', { known: { ...anAccount(), deletedAtMs: 1 } }, {}, 'account_deregistered'],
    ['of nobody', {}, { subject: '\u3164' }, 'identity_answer_unreadable'],
    ['nobody has at Telegram', {}, { provider: 'telegram' }, 'identity_unknown'],
    ['nobody has while registering is off', { options: { RegisterEnabled: false } }, {}, 'register_off'],
    ['nobody has on a demonstration site', { options: { DemoSiteEnabled: true } }, {}, 'demo_site'],
    [
      'nobody has of a provider that is off',
      { options: { GitHubOAuthEnabled: false } },
      {},
      'identity_provider_off',
    ],
  ])('signs no one in by an identity %s', async (_, situation, profile, code) => {
    const { wanted, enter } = outside(situation);
    expect(await codeOf(enter(profile))).toBe(code);
    expect(wanted).toEqual([]);
  });

  it('makes an account without a password, with the name and the verified address of the provider', async () => {
    const { wanted, enter } = outside();
    expect(await enter({ ...verified, displayName: 'Ann B.' })).toMatchObject({ id: 100 });
    expect(wanted).toEqual([
      {
        username: 'ann',
        displayName: 'Ann B.',
        passwordHash: '',
        role: 1,
        affCode: 'code',
        email: 'Ann@example.com',
        identity: { provider: 'github', subject: '42', issuer: ISSUER },
        actorId: 0,
      },
    ]);
  });

  it.each<[string, Situation, string]>([
    ['is taken', { takenNames: ['ann'] }, 'ann'],
    ["looks like an administrator's", {}, 'r00t'],
  ])('makes a name up when the one of the provider %s', async (_, situation, username) => {
    const { wanted, enter } = outside(situation);
    await enter({ username });
    expect(wanted[0]?.username).toMatch(/^github_[a-z2-9]{8}$/);
  });

  it.each<[string, Situation]>([
    ['somebody has', { isMailTaken: true }],
    [
      'the rules refuse',
      { options: { EmailDomainRestrictionEnabled: true, EmailDomainWhitelist: ['other.test'] } },
    ],
  ])('stores no address that %s', async (_, situation) => {
    const { wanted, enter } = outside(situation);
    await enter(verified);
    expect(wanted[0]?.email).toBe('');
  });

  it('tries other names when one is taken meanwhile, five times', async () => {
    const lucky = outside({ collisions: 1 });
    await lucky.enter();
    expect(lucky.wanted.map(({ username }) => username)).toEqual(['ann', expect.stringMatching(/^github_/)]);
    const unlucky = outside({ collisions: 9 });
    expect(await codeOf(unlucky.enter())).toBe('server_busy');
    expect(unlucky.wanted).toHaveLength(5);
  });

  it('makes twenty accounts an hour for a network, and no more', async () => {
    const { wanted, enter } = outside();
    for (let count = 0; count < 20; count += 1) await enter();
    expect(await codeOf(enter())).toBe('too_many_requests');
    expect(wanted).toHaveLength(20);
  });

  it('lets in by a verified address where the operator chose so', async () => {
    const { bound, wanted, enter } = outside({ byMail: anAccount(), options: linking });
    expect(await enter(verified)).toMatchObject({ id: 7 });
    expect([bound, wanted]).toEqual([[7], []]);
  });

  it.each<[string, Situation, Partial<VouchedProfile>]>([
    ['the operator did not choose so', { byMail: anAccount() }, verified],
    ['the provider verified none', { byMail: anAccount(), options: linking }, {}],
    ['it is that of an administrator', { byMail: anAccount({ role: 10 }), options: linking }, verified],
    ['its account is banned', { byMail: anAccount({ status: 2 }), options: linking }, verified],
    [
      'its account has another identity there',
      { byMail: anAccount(), options: linking, canBind: false },
      verified,
    ],
  ])('opens no existing account by an address when %s', async (_, situation, profile) => {
    expect(await outside(situation).enter(profile)).toMatchObject({ id: 100 });
  });
});
