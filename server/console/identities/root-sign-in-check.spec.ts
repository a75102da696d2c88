import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { userRow } from '../../../test/support/stored-rows.js';
import type { AccountsService } from '../../base/users/accounts.service.js';
import type { SignInMethods } from '../../base/users/sign-in-methods.js';
import type { UserEntity } from '../../base/users/user.entity.js';
import { OPTION_FALLBACKS, type OptionValues } from '../../base/options/option-catalogue.js';
import type { OptionsService } from '../../base/options/options.service.js';
import { RootSignInCheck } from './root-sign-in-check.js';

function checkOf(roots: readonly Partial<UserEntity>[], passkeys = 0) {
  let check: (candidate: OptionValues) => Promise<void> = async () => undefined;
  const keys: string[] = [];
  new RootSignInCheck(
    {
      registerCheck: (of: readonly string[], ask: typeof check) => {
        keys.push(...of);
        check = ask;
      },
    } as unknown as OptionsService,
    {
      listRoots: async () => roots.map((root) => userRow({ role: 100, ...root })),
    } as unknown as AccountsService,
    { countOf: async () => passkeys } as unknown as SignInMethods,
  ).onModuleInit();
  const ask = (changes: Partial<OptionValues>) => codeOf(check({ ...OPTION_FALLBACKS, ...changes }));
  return { keys, ask };
}

const off = { PasswordLoginEnabled: false };

describe('RootSignInCheck', () => {
  it('checks every option that may shut root out', () => {
    expect(checkOf([]).keys).toEqual(
      expect.arrayContaining([
        'PasswordLoginEnabled',
        'passkey.enabled',
        'ServerAddress',
        'GitHubOAuthEnabled',
        'oidc.enabled',
        'oidc.well_known',
        'GitHubServerAddress',
      ]),
    );
  });

  it.each<[string, string, readonly Partial<UserEntity>[], number, Partial<OptionValues>]>([
    ['lets passwords be', 'done', [{}], 0, { PasswordLoginEnabled: true }],
    ['lets a root come in by a passkey', 'done', [{}], 1, off],
    [
      'lets one of several roots come in by an identity',
      'done',
      [{}, { githubId: '1' }],
      0,
      { ...off, GitHubOAuthEnabled: true },
    ],
    [
      'does not count an identity of a provider that is off',
      'option_last_login_way',
      [{ githubId: '1' }],
      0,
      off,
    ],
    ['shuts out no root who has nothing else', 'option_last_login_way', [{}], 0, off],
  ])('%s: %s', async (_, code, roots, passkeys, candidate) => {
    expect(await checkOf(roots, passkeys).ask(candidate)).toBe(code);
  });
});
