import { DomainError } from '../../common/errors/domain-error.js';
import type { OptionKey, OptionValues } from '../../base/options/option-catalogue.js';
import {
  IDENTITY_PROVIDERS,
  type IdentityColumn,
  type IdentityProvider,
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

/** Whether an account is opened by an identity of a provider that is on. @param but  one that does not count */
export const hasIdentityWay = (
  options: OptionValues,
  user: Readonly<Record<IdentityColumn, string | null>>,
  but?: IdentityProvider,
): boolean =>
  IDENTITY_PROVIDERS.some(
    (provider) =>
      provider !== but && isProviderOn(options, provider) && user[PROVIDER_FACTS[provider].column] !== null,
  );
