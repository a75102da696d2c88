import { address, endpoint, flag, integer, secret, text } from '../option-kinds.js';

/** Signing in by way of somebody else. */
export const IDENTITY_OPTIONS = {
  'oidc.enabled': flag(false, {
    tab: 'system',
    section: 'accounts',
    class: 'public',
    help: 'Sign in with OIDC.',
  }),
  'oidc.client_id': text({
    tab: 'system',
    section: 'accounts',
    class: 'public',
    max: 255,
    help: 'OIDC client id.',
  }),
  'oidc.client_secret': secret({ tab: 'system', section: 'accounts', help: 'OIDC client secret.' }),
  'oidc.well_known': address({ tab: 'system', section: 'accounts', help: 'OIDC discovery address.' }),
  'oidc.authorization_endpoint': endpoint({
    tab: 'system',
    section: 'accounts',
    class: 'public',
    help: 'OIDC authorization endpoint.',
  }),
  'oidc.token_endpoint': endpoint({ tab: 'system', section: 'accounts', help: 'OIDC token endpoint.' }),
  'oidc.user_info_endpoint': endpoint({
    tab: 'system',
    section: 'accounts',
    help: 'OIDC user info endpoint.',
  }),
  GitHubOAuthEnabled: flag(false, {
    tab: 'system',
    section: 'accounts',
    class: 'public',
    help: 'Sign in with GitHub.',
  }),
  GitHubClientId: text({
    tab: 'system',
    section: 'accounts',
    class: 'public',
    max: 255,
    help: 'GitHub client id.',
  }),
  GitHubClientSecret: secret({ tab: 'system', section: 'accounts', help: 'GitHub client secret.' }),
  GitHubServerAddress: address({
    tab: 'system',
    section: 'accounts',
    class: 'public',
    help: 'Base address of GitHub; empty = https://github.com. Another one for GitHub Enterprise.',
  }),
  GitHubApiAddress: address({
    tab: 'system',
    section: 'accounts',
    help: "Base address of GitHub's API; empty = https://api.github.com. GitHub Enterprise has it under /api/v3.",
  }),
  LinuxDOOAuthEnabled: flag(false, {
    tab: 'system',
    section: 'accounts',
    class: 'public',
    help: 'Sign in with Linux DO.',
  }),
  LinuxDOClientId: text({
    tab: 'system',
    section: 'accounts',
    class: 'public',
    max: 255,
    help: 'Linux DO client id.',
  }),
  LinuxDOClientSecret: secret({ tab: 'system', section: 'accounts', help: 'Linux DO client secret.' }),
  LinuxDOServerAddress: address({
    tab: 'system',
    section: 'accounts',
    class: 'public',
    help: 'Base address of Linux DO Connect; empty = https://connect.linux.do.',
  }),
  LinuxDOMinimumTrustLevel: integer(
    0,
    { min: 0, max: 4 },
    { tab: 'system', section: 'accounts', help: 'Lowest trust level of Linux DO accounts.' },
  ),
  WeChatAuthEnabled: flag(false, {
    tab: 'system',
    section: 'accounts',
    class: 'public',
    help: 'Sign in with WeChat.',
  }),
  WeChatServerAddress: address({ tab: 'system', section: 'accounts', help: 'WeChat login server.' }),
  WeChatServerToken: secret({
    tab: 'system',
    section: 'accounts',
    help: 'Token of the WeChat login server.',
  }),
  WeChatAccountQRCodeImageURL: address({
    tab: 'system',
    section: 'accounts',
    class: 'public',
    help: 'Picture of the WeChat QR code.',
  }),
  LinkAccountsByVerifiedMail: flag(false, {
    tab: 'system',
    section: 'accounts',
    help: 'Who signs in from outside for the first time gets the account with the mail address the provider verified, instead of a new one. Administrators are never linked.',
  }),
  TelegramOAuthEnabled: flag(false, {
    tab: 'system',
    section: 'accounts',
    class: 'public',
    help: 'Sign in with Telegram.',
  }),
  TelegramBotToken: secret({ tab: 'system', section: 'accounts', help: 'Telegram bot token.' }),
  TelegramBotName: text({
    tab: 'system',
    section: 'accounts',
    class: 'public',
    max: 255,
    help: 'Telegram bot name.',
  }),
} as const satisfies Record<string, unknown>;
