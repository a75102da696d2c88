import { commaList, flag, integer, secret, text } from '../option-kinds.js';

const LARGEST = Number.MAX_SAFE_INTEGER;
/** Gifts add up: thousands of the largest stay countable. */
const MAX_GIFT = 1_000_000_000_000;
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/;

/** Accounts: gifts, ways in, mail, limits. */
export const ACCOUNT_OPTIONS = {
  QuotaRemindThreshold: integer(
    1_000,
    { min: 0, max: LARGEST },
    { tab: 'operation', heading: 'quota', section: 'quota', help: 'Balance below which users are warned.' },
  ),
  QuotaForNewUser: integer(
    0,
    { min: 0, max: MAX_GIFT },
    { tab: 'operation', heading: 'quota', section: 'quota', help: 'Quota given to a new account.' },
  ),
  QuotaForInviter: integer(
    0,
    { min: 0, max: MAX_GIFT },
    {
      tab: 'operation',
      heading: 'quota',
      section: 'quota',
      help: 'Quota an inviter earns per invited account.',
    },
  ),
  InviterDailyRewards: integer(
    1_000,
    { min: 0, max: 1_000_000 },
    {
      tab: 'none',
      section: 'quota',
      help: 'Rewards one inviter earns within a day; further accounts count only. 0 = no limit.',
    },
  ),
  QuotaForInvitee: integer(
    0,
    { min: 0, max: MAX_GIFT },
    { tab: 'operation', heading: 'quota', section: 'quota', help: 'Quota an invited account receives.' },
  ),
  PasswordLoginEnabled: flag(true, {
    tab: 'system',
    heading: 'login',
    section: 'accounts',
    class: 'security',
    help: 'Sign in with a password.',
  }),
  PasswordRegisterEnabled: flag(true, {
    tab: 'system',
    heading: 'login',
    section: 'accounts',
    class: 'security',
    help: 'Register with a password.',
  }),
  EmailVerificationEnabled: flag(false, {
    tab: 'system',
    heading: 'login',
    section: 'accounts',
    class: 'public',
    help: 'Registering needs a code sent by mail.',
  }),
  RegisterEnabled: flag(true, {
    tab: 'system',
    heading: 'login',
    section: 'accounts',
    class: 'security',
    help: 'New accounts may register, by whatever way.',
  }),
  EmailDomainRestrictionEnabled: flag(false, {
    tab: 'system',
    heading: 'emailRules',
    section: 'accounts',
    class: 'security',
    help: 'Only mail domains of the list may register.',
  }),
  EmailAliasRestrictionEnabled: flag(false, {
    tab: 'system',
    heading: 'emailRules',
    section: 'accounts',
    class: 'security',
    help: 'Refuse mail addresses with plus signs or dots in the local part.',
  }),
  EmailDomainWhitelist: commaList(
    [
      'gmail.com',
      '163.com',
      '126.com',
      'qq.com',
      'outlook.com',
      'hotmail.com',
      'icloud.com',
      'yahoo.com',
      'foxmail.com',
    ],
    DOMAIN,
    { tab: 'system', heading: 'emailRules', section: 'accounts', help: 'Mail domains that may register.' },
  ),
  'passkey.enabled': flag(true, {
    tab: 'system',
    section: 'accounts',
    class: 'public',
    help: 'Sign in with passkeys.',
  }),
  WeeklyEmailEnabled: flag(true, {
    tab: 'system',
    heading: 'mail',
    section: 'installation',
    help: 'Accounts may switch on a weekly summary by e-mail; it is off for each of them at first.',
  }),
  AuditRetentionDays: integer(
    0,
    { min: 0, max: 36_500 },
    {
      tab: 'none',
      section: 'installation',
      help: 'Days the audit log is kept; 0 = for ever. Fewer than 400 count as 400.',
    },
  ),
  AdministratorAdjustmentLimit: integer(
    0,
    { min: 0, max: 9_000_000_000_000_000 },
    {
      tab: 'operation',
      heading: 'quota',
      section: 'installation',
      class: 'security',
      help: 'Most quota an administrator below root adds to or takes from a balance, puts into one batch of codes, or sets as a gift at once; 0 = no limit.',
    },
  ),
  AdministratorDailyQuotaLimit: integer(
    0,
    { min: 0, max: 9_000_000_000_000_000 },
    {
      tab: 'operation',
      heading: 'quota',
      section: 'installation',
      class: 'security',
      help: 'Most quota an administrator below root adds within a day (UTC) by adjustments, codes, orders completed by hand and accounts made, and most one gift option may be set to; 0 = no limit.',
    },
  ),
  TurnstileCheckEnabled: flag(false, {
    tab: 'system',
    heading: 'humanCheck',
    section: 'accounts',
    class: 'public',
    help: 'Human check at login and registration.',
  }),
  TurnstileSiteKey: text({
    tab: 'system',
    heading: 'humanCheck',
    section: 'accounts',
    class: 'public',
    max: 255,
    help: 'Site key of the human check.',
  }),
  TurnstileSecretKey: secret({
    tab: 'system',
    heading: 'humanCheck',
    section: 'accounts',
    help: 'Secret key of the human check.',
  }),
  'token_setting.max_user_tokens': integer(
    1_000,
    { min: 1, max: 1_000_000 },
    { tab: 'none', section: 'accounts', help: 'API tokens one user may have.' },
  ),
} as const satisfies Record<string, unknown>;
