import {
  DEFAULT_AUDIO_COMPLETION_RATIO,
  DEFAULT_AUDIO_RATIO,
  DEFAULT_CACHE_RATIO,
  DEFAULT_COMPLETION_RATIO,
  DEFAULT_CREATE_CACHE_1H_RATIO,
  DEFAULT_CREATE_CACHE_RATIO,
  DEFAULT_GROUP_RATIO,
  DEFAULT_IMAGE_COMPLETION_RATIO,
  DEFAULT_REASONING_RATIO,
  DEFAULT_IMAGE_RATIO,
  DEFAULT_LONG_CONTEXT_RATIO,
  DEFAULT_MODEL_PRICE,
  DEFAULT_MODEL_RATIO,
} from '../billing/default-prices.js';
import type { LengthTierDocument } from '../billing/length-tiers.js';
import { DEFAULT_TOOL_PRICES } from '../billing/tool-prices.js';
import {
  amountList,
  chatLinks,
  groupLimitMap,
  groupRatioMap,
  lengthTierMap,
  modelHeaderMap,
  nameList,
  payMethods,
  RATIO_MAP_FORM,
  ratioMap,
  safetyMap,
  textMap,
  tokenCountMap,
  toolPriceMap,
  versionMap,
} from './option-documents.js';
import { type AffinityRule, affinityRules, DEFAULT_AFFINITY_RULES } from './affinity-rules.js';
import {
  address,
  choice,
  commaList,
  currencyCode,
  decimal,
  endpoint,
  flag,
  integer,
  json,
  lines,
  type OptionRow,
  secret,
  statusRanges,
  text,
} from './option-kinds.js';

const LARGEST = Number.MAX_SAFE_INTEGER;
/** Gifts add up: thousands of the largest stay countable. */
const LARGEST_GIFT = 1_000_000_000_000;
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/;

const ratios = (fallback: Readonly<Record<string, number>>, help: string) =>
  json(fallback, ratioMap, RATIO_MAP_FORM, { tab: 'operation', help });

/** Every option there is (console API reference, part 12). A key that is not here is refused (OPT-3). */
export const OPTION_CATALOGUE = {
  // Operation
  TopUpLink: address({ tab: 'operation', class: 'public', help: 'External shop link shown in the wallet.' }),
  'general_setting.docs_link': address({
    tab: 'operation',
    class: 'public',
    help: 'Documentation link of the top bar; empty hides it.',
  }),
  QuotaPerUnit: decimal(
    500_000,
    { min: 1, max: 1e12 },
    { tab: 'operation', class: 'public', help: 'Quota that stands for one US dollar.' },
  ),
  RetryTimes: integer(
    0,
    { min: 0, max: 5 },
    { tab: 'operation', help: 'Further attempts on other channels after a failure.' },
  ),
  DisplayInCurrencyEnabled: flag(true, { tab: 'operation', class: 'public', help: 'Show quota as dollars.' }),
  DisplayTokenStatEnabled: flag(true, {
    tab: 'operation',
    help: 'Billing answers for API tokens speak of the token, not of its owner.',
  }),
  DefaultCollapseSidebar: flag(false, {
    tab: 'operation',
    class: 'public',
    help: 'Start with a narrow sidebar.',
  }),
  DemoSiteEnabled: flag(false, {
    tab: 'operation',
    class: 'public',
    help: 'Demonstration site: only root changes anything.',
  }),
  SelfUseModeEnabled: flag(false, {
    tab: 'operation',
    class: 'public',
    help: 'Self-use: models need no price; no register entry.',
  }),
  DrawingEnabled: flag(true, { tab: 'operation', class: 'public', help: 'Show the drawing log.' }),
  MjNotifyEnabled: flag(false, {
    tab: 'operation',
    class: 'public',
    help: 'Callers may pass a callback address upstream (reveals the server address).',
  }),
  MjAccountFilterEnabled: flag(false, {
    tab: 'operation',
    help: 'Callers may pass the drawing account filter.',
  }),
  MjForwardUrlEnabled: flag(true, {
    tab: 'operation',
    help: 'Replace image addresses of the drawing provider by our own.',
  }),
  MjModeClearEnabled: flag(false, {
    tab: 'operation',
    help: 'Remove --fast, --relax and --turbo from drawing prompts.',
  }),
  MjActionCheckSuccessEnabled: flag(true, {
    tab: 'operation',
    help: 'Follow-up drawing actions need a finished drawing.',
  }),
  CheckSensitiveEnabled: flag(true, { tab: 'operation', help: 'Word filter.' }),
  CheckSensitiveOnPromptEnabled: flag(true, { tab: 'operation', help: 'The word filter looks at prompts.' }),
  SensitiveWords: lines([], { tab: 'operation', help: 'Words the filter refuses, one per line.' }),
  LogConsumeEnabled: flag(true, {
    tab: 'operation',
    help: 'Write a usage log line per call. Charges are recorded either way.',
  }),
  LogRetentionDays: integer(
    0,
    { min: 0, max: 36_500 },
    { tab: 'operation', help: 'Calls and failures leave the log after this many days; 0 = they stay.' },
  ),
  DataExportEnabled: flag(true, { tab: 'operation', class: 'public', help: 'Show the data dashboard.' }),
  DataExportInterval: integer(
    5,
    { min: 1, max: 1_440 },
    { tab: 'operation', help: 'Minutes between refreshes of the dashboard data.' },
  ),
  DataExportDefaultTime: choice(['hour', 'day', 'week'], {
    tab: 'operation',
    class: 'public',
    help: 'Grain of the dashboard.',
  }),
  ChannelDisableThreshold: decimal(
    5,
    { min: 0, max: 86_400 },
    {
      tab: 'operation',
      help: 'A channel test slower than this many seconds counts as failed; 0 = no limit.',
    },
  ),
  QuotaRemindThreshold: integer(
    1_000,
    { min: 0, max: LARGEST },
    { tab: 'operation', help: 'Balance below which users are warned.' },
  ),
  AutomaticDisableChannelEnabled: flag(false, {
    tab: 'operation',
    help: 'Disable a channel when its provider refuses it for good.',
  }),
  AutomaticEnableChannelEnabled: flag(false, {
    tab: 'operation',
    help: 'Enable an automatically disabled channel when a test succeeds.',
  }),
  AutomaticDisableKeywords: lines(
    [
      'credit balance is too low',
      'organization has been disabled',
      'exceeded your current quota',
      'permission denied',
      'security token included in the request is invalid',
      'operation not allowed',
      'account is not authorized',
    ],
    { tab: 'operation', help: 'Provider error texts (any letter case) that disable a channel.' },
  ),
  AutomaticRetryStatusCodes: statusRanges(
    // 400, 408, 413, 415 and 422 speak of the request; after 504 and 524 the vendor may still be working, and charging.
    '100-199,300-399,401-407,409-412,414,416-421,423-499,500-503,505-523,525-599',
    { tab: 'operation', help: 'Upstream statuses after which another channel is tried.' },
  ),
  AutomaticDisableStatusCodes: statusRanges('401', {
    tab: 'operation',
    help: 'Upstream statuses that disable a channel, once a test of our own met the same.',
  }),
  'monitor_setting.auto_test_channel_enabled': flag(false, {
    tab: 'operation',
    help: 'Test the channels on a schedule.',
  }),
  'monitor_setting.auto_test_channel_minutes': decimal(
    10,
    { min: 1, max: 43_200 },
    { tab: 'operation', help: 'Minutes between two rounds of tests.' },
  ),
  'monitor_setting.channel_test_mode': choice(['scheduled_all', 'passive_recovery'], {
    tab: 'operation',
    help: 'scheduled_all tests every channel; passive_recovery only those that were disabled automatically, and never disables.',
  }),
  'channel_affinity_setting.enabled': flag(true, {
    tab: 'operation',
    help: 'Calls of one conversation go to the same channel, so that the vendor finds its prompt cache.',
  }),
  'channel_affinity_setting.switch_on_success': flag(true, {
    tab: 'operation',
    help: 'A success on another channel moves the conversation there.',
  }),
  'channel_affinity_setting.keep_on_channel_disabled': flag(false, {
    tab: 'operation',
    help: 'A conversation is remembered while its channel is off, and returns to it.',
  }),
  'channel_affinity_setting.max_entries': integer(
    100_000,
    { min: 100, max: 1_000_000 },
    { tab: 'operation', help: 'Conversations an instance remembers.' },
  ),
  'channel_affinity_setting.default_ttl_seconds': integer(
    3_600,
    { min: 1, max: 604_800 },
    { tab: 'operation', help: 'Seconds a conversation is remembered after its last call.' },
  ),
  'channel_affinity_setting.rules': json<readonly AffinityRule[]>(
    DEFAULT_AFFINITY_RULES,
    affinityRules,
    'a JSON list of affinity rules {name, model_regex, path_regex, key_sources, …}',
    { tab: 'operation', help: 'Which calls belong to one conversation, and by what that is told.' },
  ),
  QuotaForNewUser: integer(
    0,
    { min: 0, max: LARGEST_GIFT },
    { tab: 'operation', help: 'Quota given to a new account.' },
  ),
  PreConsumedQuota: integer(
    500,
    { min: 0, max: 10_000_000 },
    { tab: 'operation', help: 'Output tokens assumed when the caller names no maximum.' },
  ),
  QuotaForInviter: integer(
    0,
    { min: 0, max: LARGEST_GIFT },
    { tab: 'operation', help: 'Quota an inviter earns per invited account.' },
  ),
  InviterDailyRewards: integer(
    1_000,
    { min: 0, max: 1_000_000 },
    {
      tab: 'none',
      help: 'Rewards one inviter earns within a day; further accounts count only. 0 = no limit.',
    },
  ),
  QuotaForInvitee: integer(
    0,
    { min: 0, max: LARGEST_GIFT },
    { tab: 'operation', help: 'Quota an invited account receives.' },
  ),
  Chats: json([], chatLinks, 'a JSON list of {"label": "https://… or app://… with {address} and {key}"}', {
    tab: 'operation',
    class: 'public',
    help: 'Chat links of the sidebar.',
  }),
  GroupRatio: ratios(DEFAULT_GROUP_RATIO, 'Groups and their price factor.'),
  UserUsableGroups: json<Readonly<Record<string, string>>>(
    { default: 'Default group', vip: 'VIP group' },
    textMap,
    'a JSON object of group names to descriptions',
    { tab: 'operation', help: 'Groups every user may choose, with a description.' },
  ),
  ModelPrice: ratios(DEFAULT_MODEL_PRICE, 'Dollars per call; wins over the ratios.'),
  ModelRatio: ratios(DEFAULT_MODEL_RATIO, 'Price of prompt tokens: 1 = 2 dollars per million.'),
  CacheRatio: ratios(DEFAULT_CACHE_RATIO, 'Factor for prompt tokens read from a cache; 1 when missing.'),
  CompletionRatio: ratios(DEFAULT_COMPLETION_RATIO, 'Factor for output tokens.'),

  // Rate limit
  ModelRequestRateLimitEnabled: flag(false, { tab: 'ratelimit', help: 'Limit model requests per user.' }),
  ModelRequestRateLimitDurationMinutes: integer(
    1,
    { min: 1, max: 43_200 },
    { tab: 'ratelimit', help: 'Length of the period in minutes.' },
  ),
  ModelRequestRateLimitCount: integer(
    0,
    { min: 0, max: 2_147_483_647 },
    { tab: 'ratelimit', help: 'Requests per period, failures included; 0 = no limit.' },
  ),
  ModelRequestRateLimitSuccessCount: integer(
    1_000,
    { min: 1, max: 2_147_483_647 },
    { tab: 'ratelimit', help: 'Successful requests per period.' },
  ),
  ModelRequestRateLimitGroup: json(
    {},
    groupLimitMap,
    'a JSON object of groups to [requests, successful requests]',
    { tab: 'ratelimit', help: 'Limits of a group instead of the general ones.' },
  ),

  // Models
  'global.pass_through_request_enabled': flag(false, {
    tab: 'models',
    class: 'security',
    help: 'Send request bodies upstream unchanged.',
  }),
  'global.thinking_model_blacklist': json<readonly string[]>(
    ['kimi-k2-thinking', 'moonshotai/kimi-k2-thinking'],
    nameList,
    'a JSON list of model names',
    { tab: 'models', help: 'Models whose -thinking ending belongs to their name.' },
  ),
  'general_setting.ping_interval_enabled': flag(false, {
    tab: 'models',
    help: 'Keep streams alive with pings.',
  }),
  'general_setting.ping_interval_seconds': integer(
    60,
    { min: 1, max: 3_600 },
    { tab: 'models', help: 'Seconds between pings.' },
  ),
  'gemini.safety_settings': json<Readonly<Record<string, string>>>(
    { default: 'OFF', HARM_CATEGORY_CIVIC_INTEGRITY: 'BLOCK_NONE' },
    safetyMap,
    'a JSON object of categories to OFF, BLOCK_NONE, BLOCK_ONLY_HIGH, BLOCK_MEDIUM_AND_ABOVE or BLOCK_LOW_AND_ABOVE',
    { tab: 'models', help: 'Safety thresholds sent to Gemini.' },
  ),
  'gemini.version_settings': json<Readonly<Record<string, string>>>(
    { default: 'v1beta', 'gemini-1.0-pro': 'v1' },
    versionMap,
    'a JSON object of models to API versions',
    { tab: 'models', help: 'API version per Gemini model.' },
  ),
  'gemini.supported_imagine_models': json<readonly string[]>(
    [
      'gemini-2.0-flash-exp-image-generation',
      'gemini-2.0-flash-exp',
      'gemini-2.5-flash-image',
      'gemini-3-pro-image',
      'gemini-3-pro-image-preview',
      'gemini-3.1-flash-image',
      'gemini-3.1-flash-image-preview',
    ],
    nameList,
    'a JSON list of model names',
    { tab: 'models', help: 'Gemini models that draw.' },
  ),
  'gemini.thinking_adapter_enabled': flag(false, {
    tab: 'models',
    help: 'Model names ending in -thinking switch thinking on for Gemini.',
  }),
  'gemini.thinking_adapter_budget_tokens_percentage': decimal(
    0.6,
    { min: 0.1, max: 1 },
    { tab: 'models', help: 'Share of the output limit given to thinking (Gemini).' },
  ),
  'gemini.function_call_thought_signature_enabled': flag(true, {
    tab: 'models',
    help: 'Function calls that come back without their thought signature get a stand-in (Gemini 3 refuses them otherwise).',
  }),
  'gemini.remove_function_response_id_enabled': flag(true, {
    tab: 'models',
    help: 'Leave the ids of function responses out (Vertex AI refuses them).',
  }),
  'claude.model_headers_settings': json({}, modelHeaderMap, 'a JSON object of models to {header: [values]}', {
    tab: 'models',
    help: 'Headers sent to Anthropic per model.',
  }),
  'claude.default_max_tokens': json<Readonly<Record<string, number>>>(
    { default: 8_192 },
    tokenCountMap,
    'a JSON object of models to token counts',
    {
      tab: 'models',
      help: 'Output limit sent to Anthropic when the caller names none.',
    },
  ),
  'claude.thinking_adapter_enabled': flag(true, {
    tab: 'models',
    help: 'Model names ending in -thinking switch thinking on for Anthropic.',
  }),
  'claude.thinking_adapter_budget_tokens_percentage': decimal(
    0.8,
    { min: 0.1, max: 1 },
    { tab: 'models', help: 'Share of the output limit given to thinking (Anthropic).' },
  ),

  // System
  ServerAddress: address({
    tab: 'system',
    class: 'public',
    help: 'Public base address, for links in mails and callbacks. SERVER_ADDRESS of the environment is used while it is empty.',
  }),
  WorkerUrl: address({ tab: 'system', help: 'Proxy that fetches addresses typed by users.' }),
  WorkerValidKey: secret({ tab: 'system', help: 'Key of that proxy.' }),
  WorkerAllowHttpImageRequestEnabled: flag(false, {
    tab: 'system',
    class: 'security',
    help: 'That proxy may fetch http images.',
  }),
  PayAddress: address({ tab: 'system', help: 'Address of the payment service.' }),
  CustomCallbackAddress: address({
    tab: 'system',
    help: 'Base address for payment callbacks, when it is not the server address.',
  }),
  EpayId: text({ tab: 'system', max: 255, help: 'Merchant id at the payment service.' }),
  EpayKey: secret({ tab: 'system', help: 'Merchant key at the payment service; at least 16 characters.' }),
  EpayOrderQueryEnabled: flag(true, {
    tab: 'system',
    help: 'Ask the payment service about orders whose notification did not come.',
  }),
  EpayConfirmAboveMoney: decimal(
    0,
    { min: 0, max: 1e9 },
    {
      tab: 'system',
      help: 'Notifications of payments above this sum count only when the payment service confirms them; 0 = none are confirmed.',
    },
  ),
  StripeEnabled: flag(false, { tab: 'system', class: 'security', help: 'Top up with Stripe Checkout.' }),
  StripeApiSecret: secret({ tab: 'system', help: 'Secret or restricted API key of the Stripe account.' }),
  StripeWebhookSecret: secret({
    tab: 'system',
    help: 'Signing secret of the Stripe webhook that points at /api/stripe/webhook.',
  }),
  StripeApiAddress: address({
    tab: 'system',
    help: 'Address of the Stripe API; empty = https://api.stripe.com.',
  }),
  StripeCurrency: currencyCode('usd', { tab: 'system', help: 'Currency of payments by Stripe.' }),
  StripeUnitPrice: decimal(
    1,
    { min: 0, max: 1e9 },
    { tab: 'system', help: 'Price of one unit in that currency.' },
  ),
  StripeMinTopUp: integer(
    1,
    { min: 1, max: 1_000_000 },
    { tab: 'system', help: 'Smallest top-up by Stripe, in units.' },
  ),
  Price: decimal(
    7.3,
    { min: 0, max: 1e9 },
    { tab: 'system', class: 'public', help: 'Local currency per unit.' },
  ),
  MinTopUp: integer(
    1,
    { min: 1, max: 1_000_000_000 },
    { tab: 'system', class: 'public', help: 'Smallest top-up, in units.' },
  ),
  TopupGroupRatio: json<Readonly<Record<string, number>>>(
    { default: 1, vip: 1, svip: 1 },
    ratioMap,
    RATIO_MAP_FORM,
    { tab: 'system', help: 'Top-up price factor per group.' },
  ),
  PasswordLoginEnabled: flag(true, { tab: 'system', class: 'security', help: 'Sign in with a password.' }),
  PasswordRegisterEnabled: flag(true, {
    tab: 'system',
    class: 'security',
    help: 'Register with a password.',
  }),
  EmailVerificationEnabled: flag(false, {
    tab: 'system',
    class: 'public',
    help: 'Registering needs a code sent by mail.',
  }),
  RegisterEnabled: flag(true, {
    tab: 'system',
    class: 'security',
    help: 'New accounts may register, by whatever way.',
  }),
  EmailDomainRestrictionEnabled: flag(false, {
    tab: 'system',
    class: 'security',
    help: 'Only mail domains of the list may register.',
  }),
  EmailAliasRestrictionEnabled: flag(false, {
    tab: 'system',
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
    { tab: 'system', help: 'Mail domains that may register.' },
  ),
  SMTPServer: text({ tab: 'system', max: 255, help: 'Mail server.' }),
  SMTPPort: integer(587, { min: 1, max: 65_535 }, { tab: 'system', help: 'Port of the mail server.' }),
  SMTPAccount: text({ tab: 'system', max: 255, help: 'Account at the mail server.' }),
  SMTPFrom: text({ tab: 'system', max: 255, help: 'Sender of mails.' }),
  SMTPToken: secret({ tab: 'system', help: 'Password at the mail server.' }),
  SMTPSSLEnabled: flag(false, { tab: 'system', help: 'TLS from the first byte.' }),
  'passkey.enabled': flag(true, { tab: 'system', class: 'public', help: 'Sign in with passkeys.' }),
  AuditRetentionDays: integer(
    0,
    { min: 0, max: 36_500 },
    {
      tab: 'system',
      help: 'Days the audit log is kept; 0 = for ever. Fewer than 400 count as 400.',
    },
  ),
  'oidc.enabled': flag(false, { tab: 'system', class: 'public', help: 'Sign in with OIDC.' }),
  'oidc.client_id': text({ tab: 'system', class: 'public', max: 255, help: 'OIDC client id.' }),
  'oidc.client_secret': secret({ tab: 'system', help: 'OIDC client secret.' }),
  'oidc.well_known': address({ tab: 'system', help: 'OIDC discovery address.' }),
  'oidc.authorization_endpoint': endpoint({
    tab: 'system',
    class: 'public',
    help: 'OIDC authorization endpoint.',
  }),
  'oidc.token_endpoint': endpoint({ tab: 'system', help: 'OIDC token endpoint.' }),
  'oidc.user_info_endpoint': endpoint({ tab: 'system', help: 'OIDC user info endpoint.' }),
  GitHubOAuthEnabled: flag(false, { tab: 'system', class: 'public', help: 'Sign in with GitHub.' }),
  GitHubClientId: text({ tab: 'system', class: 'public', max: 255, help: 'GitHub client id.' }),
  GitHubClientSecret: secret({ tab: 'system', help: 'GitHub client secret.' }),
  GitHubServerAddress: address({
    tab: 'system',
    class: 'public',
    help: 'Base address of GitHub; empty = https://github.com. Another one for GitHub Enterprise.',
  }),
  GitHubApiAddress: address({
    tab: 'system',
    help: "Base address of GitHub's API; empty = https://api.github.com. GitHub Enterprise has it under /api/v3.",
  }),
  AdministratorAdjustmentLimit: integer(
    0,
    { min: 0, max: 9_000_000_000_000_000 },
    {
      tab: 'none',
      class: 'security',
      help: 'Most quota an administrator below root adds to or takes from a balance at once; 0 = no limit.',
    },
  ),
  LinuxDOOAuthEnabled: flag(false, { tab: 'system', class: 'public', help: 'Sign in with Linux DO.' }),
  LinuxDOClientId: text({ tab: 'system', class: 'public', max: 255, help: 'Linux DO client id.' }),
  LinuxDOClientSecret: secret({ tab: 'system', help: 'Linux DO client secret.' }),
  LinuxDOServerAddress: address({
    tab: 'system',
    class: 'public',
    help: 'Base address of Linux DO Connect; empty = https://connect.linux.do.',
  }),
  LinuxDOMinimumTrustLevel: integer(
    0,
    { min: 0, max: 4 },
    { tab: 'system', help: 'Lowest trust level of Linux DO accounts.' },
  ),
  WeChatAuthEnabled: flag(false, { tab: 'system', class: 'public', help: 'Sign in with WeChat.' }),
  WeChatServerAddress: address({ tab: 'system', help: 'WeChat login server.' }),
  WeChatServerToken: secret({ tab: 'system', help: 'Token of the WeChat login server.' }),
  WeChatAccountQRCodeImageURL: address({
    tab: 'system',
    class: 'public',
    help: 'Picture of the WeChat QR code.',
  }),
  TelegramOAuthEnabled: flag(false, { tab: 'system', class: 'public', help: 'Sign in with Telegram.' }),
  TelegramBotToken: secret({ tab: 'system', help: 'Telegram bot token.' }),
  TelegramBotName: text({ tab: 'system', class: 'public', max: 255, help: 'Telegram bot name.' }),
  TurnstileCheckEnabled: flag(false, {
    tab: 'system',
    class: 'public',
    help: 'Human check at login and registration.',
  }),
  TurnstileSiteKey: text({ tab: 'system', class: 'public', max: 255, help: 'Site key of the human check.' }),
  TurnstileSecretKey: secret({ tab: 'system', help: 'Secret key of the human check.' }),

  // Other
  Notice: text({
    tab: 'other',
    class: 'public',
    oneLine: false,
    help: 'Notice shown once to every visitor. Markdown or HTML.',
  }),
  About: text({
    tab: 'other',
    class: 'public',
    oneLine: false,
    help: 'About page: Markdown, HTML, or an https address to frame.',
  }),
  HomePageContent: text({
    tab: 'other',
    class: 'public',
    oneLine: false,
    help: 'Home page: Markdown, HTML, or an https address to frame.',
  }),
  SystemName: text({
    tab: 'other',
    class: 'public',
    fallback: 'Tollgate',
    max: 100,
    help: 'Name of the system.',
  }),
  Logo: text({ tab: 'other', class: 'public', max: 2_048, help: 'Address of the logo picture.' }),
  Footer: text({ tab: 'other', class: 'public', oneLine: false, help: 'Footer. Markdown or HTML.' }),

  // Without a screen
  TaskEnabled: flag(true, { tab: 'none', class: 'public', help: 'Show the task log.' }),
  ExposeRatioEnabled: flag(false, {
    tab: 'none',
    class: 'security',
    help: 'Anybody may read the price ratios.',
  }),
  CreateCacheRatio: ratios(
    DEFAULT_CREATE_CACHE_RATIO,
    'Factor for prompt tokens written to a cache; 1.25 when missing.',
  ),
  CreateCache1hRatio: ratios(
    DEFAULT_CREATE_CACHE_1H_RATIO,
    'Factor for prompt tokens kept in a cache for an hour; 1.6 times the write factor when missing.',
  ),
  GroupGroupRatio: json<Readonly<Record<string, Readonly<Record<string, number>>>>>(
    {},
    groupRatioMap,
    'a JSON object of account groups to objects of groups to numbers from 0 to 1000000',
    {
      tab: 'operation',
      help: "Price factors agreed for accounts of a group, instead of the called group's own.",
    },
  ),
  LongContextRatio: json<LengthTierDocument>(
    DEFAULT_LONG_CONTEXT_RATIO,
    lengthTierMap,
    'a JSON object of models to lists of {"above", "input", "output", "cache_read", "cache_write"}',
    {
      tab: 'operation',
      help: 'Factors of the usual prices for calls with more input tokens than `above`; they hold for the whole call.',
    },
  ),
  'tool_price_setting.prices': json<Readonly<Record<string, number>>>(
    DEFAULT_TOOL_PRICES,
    toolPriceMap,
    'a JSON object of "tool", "tool@size", "tool:model" or "tool:prefix*" to dollars per thousand uses',
    { tab: 'operation', help: 'Dollars per thousand uses of tools the vendor runs; 0 makes a tool free.' },
  ),
  ImageCompletionRatio: ratios(
    DEFAULT_IMAGE_COMPLETION_RATIO,
    'Factor for output tokens that are pictures; the completion ratio when missing.',
  ),
  ReasoningRatio: ratios(
    DEFAULT_REASONING_RATIO,
    'Factor for output tokens the model only thought; the completion ratio when missing.',
  ),
  ImageRatio: ratios(DEFAULT_IMAGE_RATIO, 'Factor for image input tokens; 1 when missing.'),
  AudioRatio: ratios(DEFAULT_AUDIO_RATIO, 'Factor for audio input tokens.'),
  AudioCompletionRatio: ratios(
    DEFAULT_AUDIO_COMPLETION_RATIO,
    'Factor for audio output tokens, on top of the audio ratio.',
  ),
  PayMethods: json<readonly Readonly<Record<string, string>>[]>(
    [
      { name: 'Alipay', type: 'alipay' },
      { name: 'WeChat Pay', type: 'wxpay' },
    ],
    payMethods,
    'a JSON list of {"name", "type"}',
    { tab: 'none', help: 'Payment choices.' },
  ),
  'payment_setting.amount_options': json<readonly number[]>(
    [10, 20, 50, 100, 200, 500],
    amountList,
    'a JSON list of whole numbers',
    { tab: 'none', help: 'Preset top-up amounts.' },
  ),
  'payment_setting.amount_discount': json<Readonly<Record<string, number>>>({}, ratioMap, RATIO_MAP_FORM, {
    tab: 'none',
    help: 'Discount factor per top-up amount.',
  }),
  'token_setting.max_user_tokens': integer(
    1_000,
    { min: 1, max: 1_000_000 },
    { tab: 'none', help: 'API tokens one user may have.' },
  ),
  SMTPStartTLSEnabled: flag(true, {
    tab: 'none',
    help: 'Upgrade the mail connection to TLS when the server offers it.',
  }),
  SMTPForceAuthLogin: flag(false, { tab: 'none', help: 'Use AUTH LOGIN at the mail server.' }),
  SMTPInsecureSkipVerify: flag(false, {
    tab: 'none',
    class: 'security',
    help: 'Accept any certificate of the mail server.',
  }),
} as const satisfies Record<string, unknown>;

export type OptionKey = keyof typeof OPTION_CATALOGUE;

type ValueOf<Row> = Row extends OptionRow<infer T> ? T : never;

/** All options as values: key → parsed value. Frozen. */
export type OptionValues = { readonly [Key in OptionKey]: ValueOf<(typeof OPTION_CATALOGUE)[Key]> };

export const OPTION_KEYS = Object.keys(OPTION_CATALOGUE) as OptionKey[];

export const isOptionKey = (key: string): key is OptionKey => Object.hasOwn(OPTION_CATALOGUE, key);

/** A row with its value type forgotten, for code that treats all options alike. */
export const optionRow = (key: OptionKey): OptionRow<unknown> => OPTION_CATALOGUE[key] as OptionRow<unknown>;

export const isSecret = (key: OptionKey): boolean => OPTION_CATALOGUE[key].class === 'secret';

/** What every option is while nothing is stored. */
export const OPTION_FALLBACKS = Object.freeze(
  Object.fromEntries(OPTION_KEYS.map((key) => [key, optionRow(key).fallback])),
) as OptionValues;
