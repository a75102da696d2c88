import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { getMetadataArgsStorage } from 'typeorm';
import { UserEntity } from '../../base/users/user.entity.js';
import { userSchema } from '../../base/users/user-view.js';
import { OPTION_FALLBACKS } from '../../base/options/option-catalogue.js';
import {
  IDENTITY_PROVIDERS,
  PROVIDER_FACTS,
  REDIRECT_PROVIDERS,
} from '../../base/access/identity-providers.js';
import { assertProviderOn, hasIdentityWay, isProviderOn, PROVIDER_SWITCHES } from './identity-provider.js';

const NO_IDENTITY = { githubId: null, oidcId: null, linuxDoId: null, wechatId: null, telegramId: null };

describe('providers of identities', () => {
  it('keep a column and a switch of their own each', () => {
    const facts = IDENTITY_PROVIDERS.map((provider) => PROVIDER_FACTS[provider]);
    expect(new Set(facts.map(({ column }) => column)).size).toBe(IDENTITY_PROVIDERS.length);
    expect(new Set(PROVIDER_SWITCHES).size).toBe(IDENTITY_PROVIDERS.length);
    expect(IDENTITY_PROVIDERS).toEqual(expect.arrayContaining([...REDIRECT_PROVIDERS]));
  });

  it.each(IDENTITY_PROVIDERS)(
    'finds the column of %s under a unique index, its member and its row in the console',
    (provider) => {
      const { column } = PROVIDER_FACTS[provider];
      const { columns, indices } = getMetadataArgsStorage();
      const isOwn = ({ target }: { readonly target: unknown }): boolean => target === UserEntity;
      const stored = columns.filter(isOwn).find(({ propertyName }) => propertyName === column);
      const index = indices
        .filter(isOwn)
        .find(({ columns: own }) => Array.isArray(own) && own.includes(column));
      expect(index).toMatchObject({ unique: true });
      expect(Object.keys(userSchema.shape)).toContain(stored?.options.name);
      const rows = readFileSync(
        join(import.meta.dirname, '../../../console/src/shared/identity/providers.ts'),
        'utf8',
      );
      expect(rows).toContain(`'${provider}'`);
    },
  );

  it.each(IDENTITY_PROVIDERS)('switches %s on by its own switch only', (provider) => {
    const off = { ...OPTION_FALLBACKS, ...Object.fromEntries(PROVIDER_SWITCHES.map((key) => [key, false])) };
    const on = { ...off, [PROVIDER_FACTS[provider].switch]: true };
    expect(IDENTITY_PROVIDERS.filter((one) => isProviderOn(off, one))).toEqual([]);
    expect(IDENTITY_PROVIDERS.filter((one) => isProviderOn(on, one))).toEqual([provider]);
  });

  it('opens an account by an identity of a provider that is on, the one left out aside', () => {
    const options = { ...OPTION_FALLBACKS, GitHubOAuthEnabled: true, WeChatAuthEnabled: false };
    const ada = { ...NO_IDENTITY, githubId: '7', wechatId: '8' };
    expect(hasIdentityWay(options, NO_IDENTITY)).toBe(false);
    expect(hasIdentityWay(options, ada)).toBe(true);
    expect(hasIdentityWay(options, ada, 'github')).toBe(false);
    expect(hasIdentityWay({ ...options, WeChatAuthEnabled: true }, ada, 'github')).toBe(true);
  });

  it('does not count an identity that another issuer vouched for', () => {
    const options = { ...OPTION_FALLBACKS, GitHubOAuthEnabled: true };
    const ada = { ...NO_IDENTITY, githubId: '7', githubIssuer: 'https://git.old https://git.old/api/v3' };
    expect(hasIdentityWay(options, ada)).toBe(false);
    expect(
      hasIdentityWay(
        { ...options, GitHubServerAddress: 'https://git.old', GitHubApiAddress: 'https://git.old/api/v3' },
        ada,
      ),
    ).toBe(true);
  });

  it('refuses a provider that is off', () => {
    const options = { ...OPTION_FALLBACKS, GitHubOAuthEnabled: true, WeChatAuthEnabled: false };
    expect(() => assertProviderOn(options, 'github')).not.toThrow();
    expect(() => assertProviderOn(options, 'wechat')).toThrow(
      expect.objectContaining({ code: 'identity_provider_off' }),
    );
  });
});
