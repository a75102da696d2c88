import type { TFunction } from 'i18next';
import type { Status } from '../session/status';

/** Services one is sent to and comes back from through /oauth/{name}. */
const REDIRECT_PROVIDERS = ['github', 'oidc', 'linuxdo'] as const;
export type RedirectProvider = (typeof REDIRECT_PROVIDERS)[number];

/** Ways in beside the password, in the order they are offered. */
export const PROVIDERS = [...REDIRECT_PROVIDERS, 'wechat', 'telegram'] as const;
export type Provider = (typeof PROVIDERS)[number];

export function isRedirectProvider(name: string | undefined): name is RedirectProvider {
  return REDIRECT_PROVIDERS.some((known) => known === name);
}

/** Those the operator switched on (public status). */
export function enabledProviders(status: Status | undefined): Provider[] {
  if (status === undefined) return [];
  const isOn: Record<Provider, boolean> = {
    github: status.github_oauth,
    oidc: status.oidc_enabled,
    linuxdo: status.linuxdo_oauth,
    wechat: status.wechat_login,
    telegram: status.telegram_oauth && status.telegram_bot_name !== '',
  };
  return PROVIDERS.filter((provider) => isOn[provider]);
}

/** Names of services are the same everywhere, but for WeChat's. */
export function providerName(provider: Provider, t: TFunction): string {
  const names: Record<Provider, string> = {
    github: 'GitHub',
    oidc: 'OIDC',
    linuxdo: 'Linux DO',
    wechat: t('identity.wechat.title'),
    telegram: 'Telegram',
  };
  return names[provider];
}
