/**
 * External identity providers: label, column of the account, option that enables it, and whether the sign-in redirects the browser
 * and returns with a code and a state. The names are parts of addresses and of the user object.
 */
export const PROVIDER_FACTS = {
  github: { label: 'GitHub', column: 'githubId', switch: 'GitHubOAuthEnabled', isRedirect: true },
  oidc: { label: 'OIDC', column: 'oidcId', switch: 'oidc.enabled', isRedirect: true },
  linuxdo: { label: 'Linux DO', column: 'linuxDoId', switch: 'LinuxDOOAuthEnabled', isRedirect: true },
  wechat: { label: 'WeChat', column: 'wechatId', switch: 'WeChatAuthEnabled', isRedirect: false },
  telegram: { label: 'Telegram', column: 'telegramId', switch: 'TelegramOAuthEnabled', isRedirect: false },
} as const;

type Facts = typeof PROVIDER_FACTS;
export type IdentityProvider = keyof Facts;
export type RedirectProvider = {
  [Name in IdentityProvider]: Facts[Name]['isRedirect'] extends true ? Name : never;
}[IdentityProvider];
export type IdentityColumn = Facts[IdentityProvider]['column'];

export const IDENTITY_PROVIDERS = Object.keys(PROVIDER_FACTS) as readonly IdentityProvider[];

export const REDIRECT_PROVIDERS = IDENTITY_PROVIDERS.filter(
  (name): name is RedirectProvider => PROVIDER_FACTS[name].isRedirect,
);

/** Columns that hold an identity at an outside provider. */
export const EXTERNAL_IDENTITIES: readonly IdentityColumn[] = IDENTITY_PROVIDERS.map(
  (name) => PROVIDER_FACTS[name].column,
);
