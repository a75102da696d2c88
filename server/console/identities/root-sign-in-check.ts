import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainError } from '../../common/errors/domain-error.js';
import type { OptionKey, OptionValues } from '../../base/options/option-catalogue.js';
import { OptionsService } from '../../base/options/options.service.js';
import { AccountsService } from '../../base/users/accounts.service.js';
import { ISSUER_OPTIONS } from '../../base/users/identity-issuer.js';
import { SignInMethods } from '../../base/users/sign-in-methods.js';
import { hasIdentityWay, PROVIDER_SWITCHES } from './identity-provider.js';

/** Each of them may be the one root comes in by. */
const SWITCHES: readonly OptionKey[] = [
  ...(['PasswordLoginEnabled', 'passkey.enabled'] as const),
  // Passkeys belong to its host name.
  'ServerAddress',
  ...PROVIDER_SWITCHES,
  ...ISSUER_OPTIONS,
];

/** No option may be changed so that root cannot come in any more. */
@Injectable()
export class RootSignInCheck implements OnModuleInit {
  constructor(
    private readonly options: OptionsService,
    private readonly accounts: AccountsService,
    private readonly ways: SignInMethods,
  ) {}

  onModuleInit(): void {
    this.options.registerCheck(SWITCHES, (candidate) => this.check(candidate));
  }

  private async check(candidate: OptionValues): Promise<void> {
    if (candidate.PasswordLoginEnabled) return;
    for (const root of await this.accounts.listRoots()) {
      if (hasIdentityWay(candidate, root) || (await this.ways.countOf(root.id, candidate)) > 0) return;
    }
    throw new DomainError('option_last_login_way');
  }
}
