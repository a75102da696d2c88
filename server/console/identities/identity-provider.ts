import { DomainError } from '../../common/errors/domain-error.js';
import { identityIssuerOf, isOfIssuer } from '../../base/users/identity-issuer.js';
import type { OptionKey, OptionValues } from '../../base/options/option-catalogue.js';
import {
  IDENTITY_PROVIDERS,
  type IdentityColumn,
  type IdentityProvider,
  type IssuerColumn,
  PROVIDER_FACTS,
} from '../../base/access/identity-providers.js';

export const PROVIDER_SWITCHES: readonly OptionKey[] = IDENTITY_PROVIDERS.map(
  (provider) => PROVIDER_FACTS[provider].switch,
);

export const isProviderOn = (options: OptionValues, provider: IdentityProvider): boolean =>
  options[PROVIDER_FACTS[provider].switch];

/** Fails: DomainError `identity_provider_off`. */
export function assertProviderOn(options: OptionValues, provider: IdentityProvider): void {
  if (!isProviderOn(options, provider))
    throw new DomainError('identity_provider_off', { provider: PROVIDER_FACTS[provider].label });
}

type BoundAccount = Readonly<
  Record<IdentityColumn, string | null> & Partial<Record<IssuerColumn, string | null>>
>;

/** Returns true when the identity of a provider opens an account: the provider is on, and its present issuer vouched. */
export const isOpenedBy = (options: OptionValues, user: BoundAccount, provider: IdentityProvider): boolean =>
  isProviderOn(options, provider) &&
  user[PROVIDER_FACTS[provider].column] !== null &&
  isOfIssuer(user, provider, identityIssuerOf(options, provider));

/** Returns true when any identity opens an account. @param but  a provider that does not count */
export const hasIdentityWay = (options: OptionValues, user: BoundAccount, but?: IdentityProvider): boolean =>
  IDENTITY_PROVIDERS.some((provider) => provider !== but && isOpenedBy(options, user, provider));
