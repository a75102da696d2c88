import type { en } from '../../i18n/en';
import { SYSTEM_FIELDS } from './system-options';

type OptionTexts = (typeof en)['settings']['option'];
export type OptionId = keyof OptionTexts;
export type SectionId = keyof (typeof en)['settings']['section'];
export const TABS = ['operation', 'ratelimit', 'models', 'system', 'other'] as const;
export type TabId = (typeof TABS)[number];

/** How an option is edited. */
export type OptionKind =
  | 'flag'
  | 'integer'
  | 'number'
  | 'text'
  | 'address'
  /** An address kept to the letter, its trailing slash included. */
  | 'endpoint'
  | 'lines'
  | 'block'
  | 'json'
  /** Written, never read back: the server tells only whether it is set. */
  | 'secret'
  /** Mail domains, comma-separated on the server. */
  | 'domains';

export interface OptionField {
  /** Name of its texts, and of its field in forms (keys hold dots, which forms read as paths). */
  readonly id: OptionId;
  /** Key on the server. */
  readonly key: string;
  readonly kind: OptionKind;
  readonly tab: TabId;
  readonly section: SectionId;
  readonly min?: number;
  readonly max?: number;
  readonly unit?: 'seconds' | 'minutes' | 'tokens' | 'quota';
  /** Shape of a JSON option. */
  readonly example?: unknown;
  /** Only used while this flag is on. */
  readonly needs?: OptionId;
}

const operation = { tab: 'operation' } as const;

/** Options this console edits: one row each. Options whose feature does not exist yet are not here. */
export const OPTION_FIELDS: readonly OptionField[] = [
  { ...operation, section: 'general', id: 'retryTimes', key: 'RetryTimes', kind: 'integer', min: 0, max: 5 },
  {
    ...operation,
    section: 'general',
    id: 'quotaPerUnit',
    key: 'QuotaPerUnit',
    kind: 'number',
    min: 1,
    unit: 'quota',
  },
  { ...operation, section: 'general', id: 'docsLink', key: 'general_setting.docs_link', kind: 'address' },
  { ...operation, section: 'general', id: 'selfUse', key: 'SelfUseModeEnabled', kind: 'flag' },
  { ...operation, section: 'general', id: 'demoSite', key: 'DemoSiteEnabled', kind: 'flag' },
  {
    ...operation,
    section: 'display',
    id: 'displayInCurrency',
    key: 'DisplayInCurrencyEnabled',
    kind: 'flag',
  },
  { ...operation, section: 'display', id: 'collapseSidebar', key: 'DefaultCollapseSidebar', kind: 'flag' },
  { ...operation, section: 'health', id: 'autoDisable', key: 'AutomaticDisableChannelEnabled', kind: 'flag' },
  { ...operation, section: 'health', id: 'autoEnable', key: 'AutomaticEnableChannelEnabled', kind: 'flag' },
  {
    ...operation,
    section: 'health',
    id: 'disableThreshold',
    key: 'ChannelDisableThreshold',
    kind: 'number',
    min: 0,
    unit: 'seconds',
  },
  { ...operation, section: 'health', id: 'disableKeywords', key: 'AutomaticDisableKeywords', kind: 'lines' },
  {
    ...operation,
    section: 'health',
    id: 'disableStatuses',
    key: 'AutomaticDisableStatusCodes',
    kind: 'text',
  },
  { ...operation, section: 'health', id: 'retryStatuses', key: 'AutomaticRetryStatusCodes', kind: 'text' },
  {
    ...operation,
    section: 'health',
    id: 'autoTest',
    key: 'monitor_setting.auto_test_channel_enabled',
    kind: 'flag',
  },
  {
    ...operation,
    section: 'health',
    id: 'autoTestMinutes',
    key: 'monitor_setting.auto_test_channel_minutes',
    kind: 'number',
    min: 1,
    unit: 'minutes',
    needs: 'autoTest',
  },
  {
    ...operation,
    section: 'affinity',
    id: 'affinity',
    key: 'channel_affinity_setting.enabled',
    kind: 'flag',
  },
  {
    ...operation,
    section: 'affinity',
    id: 'affinitySwitch',
    key: 'channel_affinity_setting.switch_on_success',
    kind: 'flag',
    needs: 'affinity',
  },
  {
    ...operation,
    section: 'affinity',
    id: 'affinitySeconds',
    key: 'channel_affinity_setting.default_ttl_seconds',
    kind: 'integer',
    min: 1,
    max: 604_800,
    unit: 'seconds',
    needs: 'affinity',
  },
  {
    ...operation,
    section: 'affinity',
    id: 'affinityRules',
    key: 'channel_affinity_setting.rules',
    kind: 'json',
    needs: 'affinity',
    example: [{ name: 'sessions', key_sources: [{ type: 'request_header', key: 'x-session-id' }] }],
  },
  {
    ...operation,
    section: 'quota',
    id: 'quotaNewUser',
    key: 'QuotaForNewUser',
    kind: 'integer',
    min: 0,
    unit: 'quota',
  },
  {
    ...operation,
    section: 'quota',
    id: 'quotaInviter',
    key: 'QuotaForInviter',
    kind: 'integer',
    min: 0,
    unit: 'quota',
  },
  {
    ...operation,
    section: 'quota',
    id: 'quotaInvitee',
    key: 'QuotaForInvitee',
    kind: 'integer',
    min: 0,
    unit: 'quota',
  },
  {
    ...operation,
    section: 'quota',
    id: 'quotaRemind',
    key: 'QuotaRemindThreshold',
    kind: 'integer',
    min: 0,
    unit: 'quota',
  },
  {
    ...operation,
    section: 'quota',
    id: 'adjustmentLimit',
    key: 'AdministratorAdjustmentLimit',
    kind: 'integer',
    min: 0,
    unit: 'quota',
  },
  {
    ...operation,
    section: 'quota',
    id: 'preConsumed',
    key: 'PreConsumedQuota',
    kind: 'integer',
    min: 0,
    unit: 'tokens',
  },
  { ...operation, section: 'words', id: 'sensitive', key: 'CheckSensitiveEnabled', kind: 'flag' },
  {
    ...operation,
    section: 'words',
    id: 'sensitivePrompt',
    key: 'CheckSensitiveOnPromptEnabled',
    kind: 'flag',
    needs: 'sensitive',
  },
  {
    ...operation,
    section: 'words',
    id: 'sensitiveWords',
    key: 'SensitiveWords',
    kind: 'lines',
    needs: 'sensitive',
  },
  { ...operation, section: 'log', id: 'logConsume', key: 'LogConsumeEnabled', kind: 'flag' },
  {
    ...operation,
    section: 'groups',
    id: 'groupRatio',
    key: 'GroupRatio',
    kind: 'json',
    example: { default: 1, vip: 0.8 },
  },
  {
    ...operation,
    section: 'groups',
    id: 'usableGroups',
    key: 'UserUsableGroups',
    kind: 'json',
    example: { default: 'Default group' },
  },

  {
    tab: 'ratelimit',
    section: 'limit',
    id: 'rateEnabled',
    key: 'ModelRequestRateLimitEnabled',
    kind: 'flag',
  },
  {
    tab: 'ratelimit',
    section: 'limit',
    id: 'rateMinutes',
    key: 'ModelRequestRateLimitDurationMinutes',
    kind: 'integer',
    min: 1,
    unit: 'minutes',
  },
  {
    tab: 'ratelimit',
    section: 'limit',
    id: 'rateCount',
    key: 'ModelRequestRateLimitCount',
    kind: 'integer',
    min: 0,
  },
  {
    tab: 'ratelimit',
    section: 'limit',
    id: 'rateSuccess',
    key: 'ModelRequestRateLimitSuccessCount',
    kind: 'integer',
    min: 1,
  },
  {
    tab: 'ratelimit',
    section: 'limit',
    id: 'rateGroup',
    key: 'ModelRequestRateLimitGroup',
    kind: 'json',
    example: { default: [200, 100], vip: [0, 1000] },
  },

  {
    tab: 'models',
    section: 'stream',
    id: 'passThrough',
    key: 'global.pass_through_request_enabled',
    kind: 'flag',
  },
  {
    tab: 'models',
    section: 'stream',
    id: 'ping',
    key: 'general_setting.ping_interval_enabled',
    kind: 'flag',
  },
  {
    tab: 'models',
    section: 'stream',
    id: 'pingSeconds',
    key: 'general_setting.ping_interval_seconds',
    kind: 'integer',
    min: 1,
    max: 3_600,
    unit: 'seconds',
    needs: 'ping',
  },

  {
    tab: 'models',
    section: 'claude',
    id: 'claudeCaps',
    key: 'claude.default_max_tokens',
    kind: 'json',
    example: { default: 8192 },
  },
  {
    tab: 'models',
    section: 'claude',
    id: 'claudeHeaders',
    key: 'claude.model_headers_settings',
    kind: 'json',
    example: { 'claude-sonnet-4-5': { 'anthropic-beta': ['context-1m-2025-08-07'] } },
  },
  {
    tab: 'models',
    section: 'claude',
    id: 'claudeThinking',
    key: 'claude.thinking_adapter_enabled',
    kind: 'flag',
  },
  {
    tab: 'models',
    section: 'claude',
    id: 'claudeShare',
    key: 'claude.thinking_adapter_budget_tokens_percentage',
    kind: 'number',
    min: 0.1,
    max: 1,
    needs: 'claudeThinking',
  },
  {
    tab: 'models',
    section: 'gemini',
    id: 'geminiSafety',
    key: 'gemini.safety_settings',
    kind: 'json',
    example: { default: 'OFF' },
  },
  {
    tab: 'models',
    section: 'gemini',
    id: 'geminiVersions',
    key: 'gemini.version_settings',
    kind: 'json',
    example: { default: 'v1beta' },
  },
  {
    tab: 'models',
    section: 'gemini',
    id: 'geminiThinking',
    key: 'gemini.thinking_adapter_enabled',
    kind: 'flag',
  },
  {
    tab: 'models',
    section: 'gemini',
    id: 'geminiShare',
    key: 'gemini.thinking_adapter_budget_tokens_percentage',
    kind: 'number',
    min: 0.1,
    max: 1,
    needs: 'geminiThinking',
  },

  ...SYSTEM_FIELDS,

  { tab: 'other', section: 'brand', id: 'systemName', key: 'SystemName', kind: 'text' },
  { tab: 'other', section: 'brand', id: 'logo', key: 'Logo', kind: 'text' },
  { tab: 'other', section: 'brand', id: 'footer', key: 'Footer', kind: 'block' },
  { tab: 'other', section: 'content', id: 'homePage', key: 'HomePageContent', kind: 'block' },
];

/** Fields of a tab, section by section, in the order above. */
export function sectionsOf(tab: TabId): { section: SectionId; fields: OptionField[] }[] {
  const groups = Map.groupBy(
    OPTION_FIELDS.filter((field) => field.tab === tab),
    (field) => field.section,
  );
  return [...groups].map(([section, fields]) => ({ section, fields }));
}
