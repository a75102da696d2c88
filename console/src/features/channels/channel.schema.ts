import type { TFunction } from 'i18next';
import * as z from 'zod/mini';
import { joinList, splitList } from '../../shared/format/lists';
import { isJsonObjectOrEmpty, isRecord, parseJson } from '../../shared/format/json';
import type { Schemas } from '../../api/schemas';
import { LIMITS } from '../../shared/form/limits';
import { atMost, wholeNumber } from '../../shared/form/rules';
import type { Channel, ChannelPreset, ChannelType } from './api';
import { findPreset } from './channel-presets';
import { findType, isKeyOfFormat, keysIn, type VendorValue } from './channel.types';

/** Members of the document `setting` that have a field of their own, by the field's name. */
const SETTING_FLAGS = {
  passThrough: 'pass_through_body_enabled',
  forceFormat: 'force_format',
  thinkingToContent: 'thinking_to_content',
  systemPromptOverride: 'system_prompt_override',
} as const;
/** Seconds; empty = not set. */
const ABANDONED_READ = 'abandoned_read_seconds';
const MAX_ABANDONED_READ_SECONDS = 600;
const SETTING_TEXTS = { proxy: 'proxy', systemPrompt: 'system_prompt' } as const;

/**
 * @param isNew  a new channel needs a key; a stored one keeps its own when the field stays empty
 * @param types  what each type asks for; an unknown type is judged by the server
 * @param presets  of these, those without an address need a typed one
 */
export function channelSchema(
  t: TFunction,
  isNew: boolean,
  types: readonly ChannelType[],
  presets: readonly ChannelPreset[] = [],
) {
  const json = (message: string) => z.string().check(z.refine(isJsonObjectOrEmpty, message));
  return z
    .object({
      type: z.string().check(z.minLength(1, t('channels.firstAnswer.error.provider'))),
      name: z.string().check(
        z.refine((text) => text.trim() !== '', t('channels.error.nameAndKey')),
        atMost(t, LIMITS.channelName),
      ),
      baseUrl: z.string(),
      key: z.string(),
      removeKey: z.boolean(),
      keyUse: z.enum(['single', 'batch', 'ring']),
      ringMode: z.enum(['polling', 'random']),
      keyMode: z.enum(['append', 'replace']),
      organization: z.string(),
      models: z.array(z.string()).check(z.minLength(1, t('channels.error.models'))),
      groups: z.array(z.string()).check(z.minLength(1, t('channels.error.groups'))),
      testModel: z.string(),
      priority: wholeNumber(t),
      weight: wholeNumber(t, { min: 0 }),
      tag: z.string().check(atMost(t, LIMITS.channelTag)),
      maxInputTokens: wholeNumber(t, { min: 0 }),
      remark: z.string().check(atMost(t, LIMITS.channelRemark)),
      autoBan: z.boolean(),
      other: z.string(),
      vendor: z.record(z.string(), z.optional(z.union([z.string(), z.boolean()]))),
      proxy: z
        .string()
        .check(
          z.refine(
            (text) => text.trim() === '' || /^(https?|socks5h?):\/\/\S+$/.test(text.trim()),
            t('channels.error.proxy'),
          ),
        ),
      systemPrompt: z.string(),
      systemPromptOverride: z.boolean(),
      passThrough: z.boolean(),
      forceFormat: z.boolean(),
      thinkingToContent: z.boolean(),
      abandonedReadSeconds: z
        .string()
        .check(
          z.refine(
            (text) => text.trim() === '' || isSeconds(text),
            t('channels.error.abandonedReadSeconds', { max: MAX_ABANDONED_READ_SECONDS }),
          ),
        ),
      modelMapping: json(t('channels.error.mapping')),
      statusMapping: json(t('common.form.notObject')),
      paramOverride: json(t('common.form.notObject')),
      headerOverride: json(t('common.form.notObject')),
      setting: json(t('common.form.notObject')),
    })
    .check(
      z.superRefine((values, context) => {
        const refuse = (path: string, message: string) =>
          context.addIssue({ code: 'custom', path: [path], message });
        const type = findType(types, Number(values.type));
        const key = values.key.trim();
        if (isNew && key === '') refuse('key', t('channels.error.nameAndKey'));
        const keys = values.keyUse === 'single' ? [key] : keysIn(key);
        if (
          type !== undefined &&
          key !== '' &&
          !keys.every((each) => isKeyOfFormat(type, each, values.vendor))
        )
          refuse('key', t('channels.error.keyFormat', { example: type.key_example }));
        const address = values.baseUrl.trim();
        const isNamed = type?.named_base_urls.includes(address) === true;
        if (address !== '' && !isNamed && !/^https?:\/\/\S+$/.test(address))
          refuse('baseUrl', t('common.form.webAddress'));
        const preset = findPreset(presets, Number(values.type), values.vendor['preset']);
        if (address === '' && (type?.needs_base_url === true || preset?.base_url === ''))
          refuse('baseUrl', t('channels.error.baseUrlNeeded'));
        if (values.other.trim() === '' && type?.needs_other === true)
          refuse('other', t('channels.error.otherNeeded'));
      }),
    );
}

export type ChannelValues = z.infer<ReturnType<typeof channelSchema>>;

export const NEW_CHANNEL: ChannelValues = {
  type: '',
  name: '',
  baseUrl: '',
  key: '',
  removeKey: false,
  keyUse: 'single',
  ringMode: 'polling',
  keyMode: 'append',
  organization: '',
  models: [],
  groups: ['default'],
  testModel: '',
  priority: 0,
  weight: 0,
  tag: '',
  maxInputTokens: 0,
  remark: '',
  autoBan: true,
  other: '',
  vendor: {},
  proxy: '',
  systemPrompt: '',
  systemPromptOverride: false,
  passThrough: false,
  forceFormat: false,
  thinkingToContent: false,
  abandonedReadSeconds: '',
  modelMapping: '',
  statusMapping: '',
  paramOverride: '',
  headerOverride: '',
  setting: '',
};

/** The members of a channel that a form shows. */
export type FormChannel = Pick<
  Channel,
  | 'type'
  | 'name'
  | 'base_url'
  | 'openai_organization'
  | 'models'
  | 'group'
  | 'test_model'
  | 'priority'
  | 'weight'
  | 'tag'
  | 'max_input_tokens'
  | 'remark'
  | 'auto_ban'
  | 'other'
  | 'setting'
  | 'settings'
  | 'model_mapping'
  | 'status_code_mapping'
  | 'param_override'
  | 'header_override'
> & { readonly channel_info: Pick<Channel['channel_info'], 'is_multi_key' | 'multi_key_mode'> };

export function toValues(channel: FormChannel): ChannelValues {
  const ring = channel.channel_info;
  return {
    type: String(channel.type),
    name: channel.name,
    baseUrl: channel.base_url,
    key: '',
    removeKey: false,
    keyUse: ring.is_multi_key ? 'ring' : 'single',
    ringMode: ring.multi_key_mode === 'random' ? 'random' : 'polling',
    keyMode: 'append',
    organization: channel.openai_organization,
    models: splitList(channel.models),
    groups: splitList(channel.group),
    testModel: channel.test_model,
    priority: channel.priority,
    weight: channel.weight,
    tag: channel.tag,
    maxInputTokens: channel.max_input_tokens,
    remark: channel.remark,
    autoBan: channel.auto_ban === 1,
    other: channel.other,
    vendor: vendorOf(channel.settings),
    ...settingFields(channel.setting),
    modelMapping: channel.model_mapping,
    statusMapping: channel.status_code_mapping,
    paramOverride: channel.param_override,
    headerOverride: channel.header_override,
  };
}

/** @param stored  the channel's `settings` before: members without a field of their own stay */
export function toChannel(values: ChannelValues, stored = ''): Schemas['ChannelInput'] {
  return {
    type: Number(values.type),
    name: values.name.trim(),
    base_url: values.baseUrl.trim().replace(/\/+$/, ''),
    ...(values.removeKey ? { key: null } : values.key.trim() === '' ? {} : { key: values.key.trim() }),
    openai_organization: values.organization.trim(),
    models: joinList(values.models),
    group: joinList(values.groups),
    test_model: values.testModel.trim(),
    priority: values.priority,
    weight: values.weight,
    tag: values.tag.trim(),
    max_input_tokens: values.maxInputTokens,
    remark: values.remark.trim(),
    auto_ban: values.autoBan ? 1 : 0,
    other: values.other.trim(),
    settings: textOf({ ...documentOf(stored), ...values.vendor }),
    model_mapping: values.modelMapping.trim(),
    status_code_mapping: values.statusMapping.trim(),
    param_override: values.paramOverride.trim(),
    header_override: values.headerOverride.trim(),
    setting: settingText(values),
  };
}

type SettingFields = Pick<
  ChannelValues,
  keyof typeof SETTING_FLAGS | keyof typeof SETTING_TEXTS | 'abandonedReadSeconds' | 'setting'
>;

/** Known members go to their own fields; what is left stays JSON. */
function settingFields(text: string): SettingFields {
  const rest = documentOf(text);
  const take = (name: string): unknown => {
    const value = rest[name];
    delete rest[name];
    return value;
  };
  const flag = (name: keyof typeof SETTING_FLAGS) => take(SETTING_FLAGS[name]) === true;
  const word = (name: keyof typeof SETTING_TEXTS) => {
    const value = take(SETTING_TEXTS[name]);
    return typeof value === 'string' ? value : '';
  };
  const seconds = take(ABANDONED_READ);
  return {
    abandonedReadSeconds: typeof seconds === 'number' ? String(seconds) : '',
    proxy: word('proxy'),
    systemPrompt: word('systemPrompt'),
    systemPromptOverride: flag('systemPromptOverride'),
    passThrough: flag('passThrough'),
    forceFormat: flag('forceFormat'),
    thinkingToContent: flag('thinkingToContent'),
    setting: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest, null, 2),
  };
}

function settingText(values: SettingFields): string {
  const document = documentOf(values.setting);
  for (const [field, member] of Object.entries(SETTING_FLAGS))
    if (values[field as keyof typeof SETTING_FLAGS]) document[member] = true;
  for (const [field, member] of Object.entries(SETTING_TEXTS)) {
    const text = values[field as keyof typeof SETTING_TEXTS].trim();
    if (text !== '') document[member] = text;
  }
  const seconds = values.abandonedReadSeconds.trim();
  if (seconds !== '') document[ABANDONED_READ] = Number(seconds);
  return textOf(document);
}

function isSeconds(text: string): boolean {
  return /^\d{1,3}$/.test(text.trim()) && Number(text) <= MAX_ABANDONED_READ_SECONDS;
}

function vendorOf(text: string): Record<string, VendorValue> {
  return Object.fromEntries(
    Object.entries(documentOf(text)).filter(
      (entry): entry is [string, VendorValue] =>
        typeof entry[1] === 'string' || typeof entry[1] === 'boolean',
    ),
  );
}

/** Switches that are off and empty choices are not worth a member. */
function textOf(document: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(document).filter(
    ([, value]) => value !== undefined && value !== false && value !== '',
  );
  return members.length === 0 ? '' : JSON.stringify(Object.fromEntries(members));
}

function documentOf(text: string): Record<string, unknown> {
  const value = parseJson(text);
  return isRecord(value) ? { ...value } : {};
}
