import { describe, expect, it } from '@jest/globals';
import { userRow } from '../../../test/support/stored-rows.js';
import { OPTION_FALLBACKS, type OptionValues } from '../options/option-catalogue.js';
import type { OptionsService } from '../options/options.service.js';
import type { AccountsRepository } from './accounts.repository.js';
import { IdentityIssuers, identityIssuerOf, isOfIssuer } from './identity-issuer.js';

const issuer = (provider: Parameters<typeof identityIssuerOf>[1], changes: Partial<OptionValues> = {}) =>
  identityIssuerOf({ ...OPTION_FALLBACKS, ...changes }, provider);

describe('identityIssuerOf', () => {
  it.each([
    ['github', {}, 'https://github.com https://api.github.com'],
    ['github', { GitHubServerAddress: 'https://git.test' }, 'https://git.test https://api.github.com'],
    ['oidc', {}, ''],
    [
      'oidc',
      { 'oidc.well_known': 'https://id.test/a/.well-known/openid-configuration' },
      'https://id.test/a',
    ],
    ['oidc', { 'oidc.well_known': 'https://id.test/a' }, 'https://id.test/a'],
    ['oidc', { 'oidc.user_info_endpoint': 'https://id.test/me' }, 'https://id.test/me'],
    ['linuxdo', {}, 'https://connect.linux.do'],
    ['wechat', { WeChatServerAddress: 'https://helper.test' }, 'https://helper.test'],
    ['telegram', {}, ''],
  ] as const)('names for %s with %j the issuer %s', (provider, options, expected) => {
    expect(issuer(provider, options)).toBe(expected);
  });

  it.each([
    ['github', 'GitHubServerAddress'],
    ['github', 'GitHubApiAddress'],
    ['oidc', 'oidc.well_known'],
    ['oidc', 'oidc.user_info_endpoint'],
    ['linuxdo', 'LinuxDOServerAddress'],
    ['wechat', 'WeChatServerAddress'],
  ] as const)('changes for %s with %s', (provider, key) => {
    expect(issuer(provider, { [key]: 'https://a.test' })).not.toBe(
      issuer(provider, { [key]: 'https://b.test' }),
    );
  });
});

describe('isOfIssuer', () => {
  it.each([
    ['github', { githubIssuer: 'a' }, 'a', true],
    ['github', { githubIssuer: 'a' }, 'b', false],
    ['github', { githubIssuer: null }, 'b', true],
    ['github', { oidcIssuer: 'a' }, 'b', true],
    ['telegram', {}, '', true],
  ] as const)('compares for %s bound with %j the issuer %s: %s', (provider, account, now, expected) => {
    expect(isOfIssuer(account, provider, now)).toBe(expected);
  });
});

describe('IdentityIssuers', () => {
  it('fills missing issuers before a change, and counts the accounts left without an identity', async () => {
    const filled: unknown[] = [];
    let check: (candidate: OptionValues, current: OptionValues) => Promise<void> = async () => undefined;
    const before = { ...OPTION_FALLBACKS, LinuxDOServerAddress: 'https://a.test' };
    const now = { ...OPTION_FALLBACKS, LinuxDOServerAddress: 'https://b.test' };
    const issuers = new IdentityIssuers(
      {
        registerCheck: (_keys: unknown, ask: typeof check) => void (check = ask),
        values: () => now,
      } as unknown as OptionsService,
      {
        fillIssuers: async (...columns: unknown[]) => void filled.push(columns),
        countBound: async (column: string, _issuer: string, old: string) =>
          column === 'linuxDoId' && old === 'https://a.test' ? 3 : 0,
      } as unknown as AccountsRepository,
    );
    issuers.onModuleInit();
    await check(now, before);
    expect(filled).toEqual([['linuxDoId', 'linuxDoIssuer', 'https://a.test']]);
    expect(await issuers.lostSince(before)).toEqual([{ provider: 'linuxdo', accounts: 3 }]);
    expect(await issuers.lostSince(now)).toEqual([]);
  });

  it('shows an account without identities that another issuer vouched for', () => {
    const issuers = new IdentityIssuers(
      { values: () => OPTION_FALLBACKS } as unknown as OptionsService,
      {} as AccountsRepository,
    );
    const user = userRow({ linuxDoId: '7', linuxDoIssuer: 'https://a.test', telegramId: '8', githubId: '9' });
    expect(issuers.withoutStale(user)).toEqual({ ...user, linuxDoId: null, linuxDoIssuer: null });
    expect(issuers.withoutStale(userRow())).toEqual(userRow());
  });
});
