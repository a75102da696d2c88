import type { OptionField } from './option-field-types';

const system = { tab: 'system' } as const;
const login = { ...system, heading: 'login' } as const;
const emailRules = { ...system, heading: 'emailRules' } as const;
const mail = { ...system, heading: 'mail' } as const;
const oidc = { ...system, heading: 'oidc' } as const;
const github = { ...system, heading: 'github' } as const;
const linuxDo = { ...system, heading: 'linuxDo' } as const;
const weChat = { ...system, heading: 'weChat' } as const;
const telegram = { ...system, heading: 'telegram' } as const;
const humanCheck = { ...system, heading: 'humanCheck' } as const;

/** Login and registration, mail, outside identities, human check. */
export const SYSTEM_FIELDS: readonly OptionField[] = [
  {
    ...system,
    heading: 'administrators',
    id: 'administratorSections',
    key: 'AdministratorSections',
    kind: 'sections',
  },

  { ...system, heading: 'address', id: 'serverAddress', key: 'ServerAddress', kind: 'address' },

  { ...login, id: 'passwordLogin', key: 'PasswordLoginEnabled', kind: 'flag' },
  { ...login, id: 'register', key: 'RegisterEnabled', kind: 'flag' },
  { ...login, id: 'passwordRegister', key: 'PasswordRegisterEnabled', kind: 'flag' },
  { ...login, id: 'emailVerification', key: 'EmailVerificationEnabled', kind: 'flag' },
  { ...login, id: 'linkByMail', key: 'LinkAccountsByVerifiedMail', kind: 'flag' },

  { ...emailRules, id: 'domainRestriction', key: 'EmailDomainRestrictionEnabled', kind: 'flag' },
  { ...emailRules, id: 'aliasRestriction', key: 'EmailAliasRestrictionEnabled', kind: 'flag' },
  { ...emailRules, id: 'domainWhitelist', key: 'EmailDomainWhitelist', kind: 'domains' },

  { ...mail, id: 'mailServer', key: 'SMTPServer', kind: 'text' },
  { ...mail, id: 'mailPort', key: 'SMTPPort', kind: 'integer', min: 1, max: 65_535 },
  { ...mail, id: 'mailAccount', key: 'SMTPAccount', kind: 'text' },
  { ...mail, id: 'mailFrom', key: 'SMTPFrom', kind: 'text' },
  { ...mail, id: 'mailToken', key: 'SMTPToken', kind: 'secret' },
  { ...mail, id: 'mailTls', key: 'SMTPSSLEnabled', kind: 'flag' },
  { ...mail, id: 'mailStartTls', key: 'SMTPStartTLSEnabled', kind: 'flag' },
  { ...mail, id: 'mailAuthLogin', key: 'SMTPForceAuthLogin', kind: 'flag' },
  { ...mail, id: 'mailAnyCertificate', key: 'SMTPInsecureSkipVerify', kind: 'flag' },

  { ...oidc, id: 'oidcEnabled', key: 'oidc.enabled', kind: 'flag' },
  { ...oidc, id: 'oidcClientId', key: 'oidc.client_id', kind: 'text' },
  { ...oidc, id: 'oidcClientSecret', key: 'oidc.client_secret', kind: 'secret' },
  { ...oidc, id: 'oidcWellKnown', key: 'oidc.well_known', kind: 'address' },
  { ...oidc, id: 'oidcAuthorization', key: 'oidc.authorization_endpoint', kind: 'endpoint' },
  { ...oidc, id: 'oidcToken', key: 'oidc.token_endpoint', kind: 'endpoint' },
  { ...oidc, id: 'oidcUserInfo', key: 'oidc.user_info_endpoint', kind: 'endpoint' },

  { ...github, id: 'githubEnabled', key: 'GitHubOAuthEnabled', kind: 'flag' },
  { ...github, id: 'githubClientId', key: 'GitHubClientId', kind: 'text' },
  { ...github, id: 'githubClientSecret', key: 'GitHubClientSecret', kind: 'secret' },
  { ...github, id: 'githubServer', key: 'GitHubServerAddress', kind: 'address' },
  { ...github, id: 'githubApi', key: 'GitHubApiAddress', kind: 'address' },

  { ...linuxDo, id: 'linuxDoEnabled', key: 'LinuxDOOAuthEnabled', kind: 'flag' },
  { ...linuxDo, id: 'linuxDoClientId', key: 'LinuxDOClientId', kind: 'text' },
  { ...linuxDo, id: 'linuxDoClientSecret', key: 'LinuxDOClientSecret', kind: 'secret' },
  { ...linuxDo, id: 'linuxDoServer', key: 'LinuxDOServerAddress', kind: 'address' },
  { ...linuxDo, id: 'linuxDoTrust', key: 'LinuxDOMinimumTrustLevel', kind: 'integer', min: 0, max: 4 },

  { ...weChat, id: 'weChatEnabled', key: 'WeChatAuthEnabled', kind: 'flag' },
  { ...weChat, id: 'weChatServer', key: 'WeChatServerAddress', kind: 'address' },
  { ...weChat, id: 'weChatToken', key: 'WeChatServerToken', kind: 'secret' },
  { ...weChat, id: 'weChatPicture', key: 'WeChatAccountQRCodeImageURL', kind: 'address' },

  { ...telegram, id: 'telegramEnabled', key: 'TelegramOAuthEnabled', kind: 'flag' },
  { ...telegram, id: 'telegramToken', key: 'TelegramBotToken', kind: 'secret' },
  { ...telegram, id: 'telegramName', key: 'TelegramBotName', kind: 'text' },

  { ...humanCheck, id: 'humanCheckEnabled', key: 'TurnstileCheckEnabled', kind: 'flag' },
  { ...humanCheck, id: 'humanCheckSiteKey', key: 'TurnstileSiteKey', kind: 'text' },
  { ...humanCheck, id: 'humanCheckSecret', key: 'TurnstileSecretKey', kind: 'secret' },
];
