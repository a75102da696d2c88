import { DomainError } from '../../common/errors/domain-error.js';
import type { OptionKey, OptionValues } from '../options/option-catalogue.js';
import type { IdentityColumn } from '../access/user.codes.js';

/** Where people sign in from outside. The names are parts of addresses and of the user object. */
export const IDENTITY_PROVIDERS = ['github', 'oidc', 'linuxdo', 'wechat', 'telegram'] as const;
export type IdentityProvider = (typeof IDENTITY_PROVIDERS)[number];

/** Those a browser is sent to and comes back from with a code and a state. */
export const REDIRECT_PROVIDERS = ['github', 'oidc', 'linuxdo'] as const;
export type RedirectProvider = (typeof REDIRECT_PROVIDERS)[number];

export interface ProviderFacts {
  /** As people write it. */
  readonly label: string;
  readonly column: IdentityColumn;
  /** The option that switches it on. */
  readonly switch: Extract<
    OptionKey,
    | 'GitHubOAuthEnabled'
    | 'oidc.enabled'
    | 'LinuxDOOAuthEnabled'
    | 'WeChatAuthEnabled'
    | 'TelegramOAuthEnabled'
  >;
}

export const PROVIDER_FACTS: Readonly<Record<IdentityProvider, ProviderFacts>> = {
  github: { label: 'GitHub', column: 'githubId', switch: 'GitHubOAuthEnabled' },
  oidc: { label: 'OIDC', column: 'oidcId', switch: 'oidc.enabled' },
  linuxdo: { label: 'Linux DO', column: 'linuxDoId', switch: 'LinuxDOOAuthEnabled' },
  wechat: { label: 'WeChat', column: 'wechatId', switch: 'WeChatAuthEnabled' },
  telegram: { label: 'Telegram', column: 'telegramId', switch: 'TelegramOAuthEnabled' },
};

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
