/**
 * External identity providers: label, column of the account, column of the issuer (null where the provider is one and the same
 * everywhere), option that enables it, and whether the sign-in redirects the browser
 * and returns with a code and a state. The names are parts of addresses and of the user object.
 */
export const PROVIDER_FACTS = {
  github: {
    label: 'GitHub',
    column: 'githubId',
    issuer: 'githubIssuer',
    switch: 'GitHubOAuthEnabled',
    isRedirect: true,
  },
  oidc: { label: 'OIDC', column: 'oidcId', issuer: 'oidcIssuer', switch: 'oidc.enabled', isRedirect: true },
  linuxdo: {
    label: 'Linux DO',
    column: 'linuxDoId',
    issuer: 'linuxDoIssuer',
    switch: 'LinuxDOOAuthEnabled',
    isRedirect: true,
  },
  wechat: {
    label: 'WeChat',
    column: 'wechatId',
    issuer: 'wechatIssuer',
    switch: 'WeChatAuthEnabled',
    isRedirect: false,
  },
  telegram: {
    label: 'Telegram',
    column: 'telegramId',
    issuer: null,
    switch: 'TelegramOAuthEnabled',
    isRedirect: false,
  },
} as const;

type Facts = typeof PROVIDER_FACTS;
export type IdentityProvider = keyof Facts;
export type RedirectProvider = {
  [Name in IdentityProvider]: Facts[Name]['isRedirect'] extends true ? Name : never;
}[IdentityProvider];
export type IdentityColumn = Facts[IdentityProvider]['column'];
export type IssuerColumn = NonNullable<Facts[IdentityProvider]['issuer']>;

export const IDENTITY_PROVIDERS = Object.keys(PROVIDER_FACTS) as readonly IdentityProvider[];

export const REDIRECT_PROVIDERS = IDENTITY_PROVIDERS.filter(
  (name): name is RedirectProvider => PROVIDER_FACTS[name].isRedirect,
);

/** Columns that hold an identity at an outside provider. */
export const EXTERNAL_IDENTITIES: readonly IdentityColumn[] = IDENTITY_PROVIDERS.map(
  (name) => PROVIDER_FACTS[name].column,
);

/** Columns that hold the issuer of an identity. */
export const ISSUER_COLUMNS: readonly IssuerColumn[] = IDENTITY_PROVIDERS.flatMap(
  (name) => PROVIDER_FACTS[name].issuer ?? [],
);

/** Columns that bind an account to an identity; null issuer where the provider has none. */
export const boundTo = (
  provider: IdentityProvider,
  identity: { readonly subject: string; readonly issuer: string } | null,
): Partial<Record<IdentityColumn | IssuerColumn, string | null>> => {
  const { column, issuer } = PROVIDER_FACTS[provider];
  return {
    [column]: identity?.subject ?? null,
    ...(issuer === null ? {} : { [issuer]: identity?.issuer ?? null }),
  };
};
