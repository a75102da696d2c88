import type { ChannelTypeCode } from '../../../relay-core/providers/channel-types.js';
import { CHANNEL_TYPE } from './channel.codes.js';

/** Forms a key takes. */
export const KEY_FORMATS = [
  ...(['token', 'any', 'json', 'access_keys_region', 'two_parts', 'three_parts', 'id_secret'] as const),
  ...(['app_key', 'token_or_three_parts'] as const),
] as const;
export type KeyFormat = (typeof KEY_FORMATS)[number];

/** What the field `other` means for a type. */
export const OTHER_MEANINGS = [
  ...([
    'none',
    'api_version',
    'region',
    'account_id',
    'bot_id',
    'library_id',
    'plugin',
    'model_version',
  ] as const),
] as const;
export type OtherMeaning = (typeof OTHER_MEANINGS)[number];

/** Switches of a vendor's adapter in the document `settings`. */
export interface VendorSwitch {
  readonly name: string;
  /** Absent = on or off. */
  readonly choices?: readonly string[];
  /** Present: a path of the channel's address, or empty. */
  readonly path?: { readonly pattern: RegExp; readonly example: string };
}

export interface ChannelTypeForm {
  readonly keyFormat: KeyFormat;
  /** Example of a key, with words in the place of secrets. */
  readonly keyExample: string;
  readonly other: OtherMeaning;
  readonly otherExample: string;
  readonly needsOther: boolean;
  readonly needsAddress: boolean;
  /** Example of an address, where one has to be named. */
  readonly addressExample: string;
  /** False: kept for channels of other installations, not offered for new ones. */
  readonly isOffered: boolean;
  readonly switches: readonly VendorSwitch[];
}

const TOKEN: ChannelTypeForm = {
  keyFormat: 'token',
  keyExample: 'sk-…',
  other: 'none',
  otherExample: '',
  needsOther: false,
  needsAddress: false,
  addressExample: 'http://localhost:8000',
  isOffered: true,
  switches: [],
};
/** Members that cost or tell more than the operator may expect; they are taken out of bodies unless allowed. */
const OPENAI_SWITCHES: readonly VendorSwitch[] = [
  { name: 'allow_service_tier' },
  { name: 'allow_safety_identifier' },
  { name: 'disable_store' },
];

const SEGMENTS = '(?:/(?!\\.{1,2}(?:/|$))[A-Za-z0-9._~-]{1,60}){0,8}';
/** Paths of other APIs at the same address and key. */
const FORMAT_PATHS: readonly VendorSwitch[] = [
  { name: 'responses_path', path: { pattern: RegExp(`^${SEGMENTS}/responses$`), example: '/v1/responses' } },
  {
    name: 'messages_path',
    path: { pattern: RegExp(`^${SEGMENTS}/messages$`), example: '/anthropic/v1/messages' },
  },
  { name: 'gemini_path', path: { pattern: RegExp(`^${SEGMENTS}/v\\d[a-z0-9]{0,15}$`), example: '/v1beta' } },
];

/** Resellers of OpenAI that older installations may have. */
const RESELLER: Partial<ChannelTypeForm> = { isOffered: false, switches: OPENAI_SWITCHES };

/** What differs from a plain key, by the type's number. */
const FORM_ROWS: readonly (readonly [ChannelTypeCode, Partial<ChannelTypeForm>])[] = [
  [CHANNEL_TYPE.openai, { switches: [...OPENAI_SWITCHES, ...FORMAT_PATHS] }],
  [
    CHANNEL_TYPE.azure,
    {
      keyExample: 'API key',
      other: 'api_version',
      otherExample: '2025-04-01-preview',
      needsAddress: true,
      addressExample: 'https://NAME.openai.azure.com',
      switches: OPENAI_SWITCHES,
    },
  ],
  [CHANNEL_TYPE.ollama, { keyFormat: 'any', keyExample: 'ollama' }],
  [CHANNEL_TYPE.openaiMax, RESELLER],
  [CHANNEL_TYPE.ohMyGpt, RESELLER],
  [
    CHANNEL_TYPE.custom,
    {
      needsAddress: true,
      addressExample: 'https://api.example.com/v1/chat/completions',
      switches: [...OPENAI_SWITCHES, ...FORMAT_PATHS],
    },
  ],
  [CHANNEL_TYPE.ails, RESELLER],
  [CHANNEL_TYPE.aiProxy, RESELLER],
  [CHANNEL_TYPE.api2Gpt, RESELLER],
  [CHANNEL_TYPE.aigc2d, RESELLER],
  [
    CHANNEL_TYPE.anthropic,
    {
      keyExample: 'sk-ant-…',
      switches: [
        { name: 'allow_service_tier' },
        { name: 'allow_inference_geo' },
        { name: 'allow_speed' },
        { name: 'claude_beta_query' },
      ],
    },
  ],
  [CHANNEL_TYPE.baidu, { keyFormat: 'two_parts', keyExample: 'API key|Secret key' }],
  [CHANNEL_TYPE.zhipuV3, { keyFormat: 'id_secret', keyExample: 'id.secret' }],
  [CHANNEL_TYPE.ali, { other: 'plugin' }],
  [
    CHANNEL_TYPE.spark,
    {
      keyFormat: 'token_or_three_parts',
      keyExample: 'APPID|APISecret|APIKey',
      other: 'model_version',
      otherExample: 'v2.1',
    },
  ],
  [CHANNEL_TYPE.ai360, { keyExample: 'fk…' }],
  [CHANNEL_TYPE.openRouter, { keyExample: 'sk-or-…', switches: OPENAI_SWITCHES }],
  [
    CHANNEL_TYPE.aiProxyLibrary,
    { isOffered: false, other: 'library_id', otherExample: '6509…', needsOther: true },
  ],
  [CHANNEL_TYPE.fastGpt, { keyFormat: 'app_key', keyExample: 'APIKey-AppId' }],
  [CHANNEL_TYPE.tencent, { keyFormat: 'token_or_three_parts', keyExample: 'AppId|SecretId|SecretKey' }],
  [CHANNEL_TYPE.gemini, { keyExample: 'AIza…', other: 'api_version', otherExample: 'v1beta' }],
  [CHANNEL_TYPE.zhipu, { keyFormat: 'id_secret', keyExample: 'id.secret' }],
  [CHANNEL_TYPE.perplexity, { keyExample: 'pplx-…' }],
  [CHANNEL_TYPE.lingyiwanwu, { keyExample: 'API key' }],
  [
    CHANNEL_TYPE.bedrock,
    {
      keyFormat: 'access_keys_region',
      keyExample: 'Access key id|Secret access key|us-east-1',
      switches: [
        { name: 'aws_inference_profile', choices: ['none', 'us', 'eu', 'apac', 'global'] },
        { name: 'allow_stored_files' },
      ],
    },
  ],
  [CHANNEL_TYPE.cohere, { keyExample: 'API key' }],
  [CHANNEL_TYPE.miniMax, { keyExample: 'API key' }],
  [CHANNEL_TYPE.suno, { needsAddress: true }],
  [
    CHANNEL_TYPE.dify,
    {
      keyExample: 'app-…',
      switches: [{ name: 'dify_application', choices: ['chat', 'completion', 'workflow'] }],
    },
  ],
  [CHANNEL_TYPE.jina, { keyExample: 'jina_…' }],
  [
    CHANNEL_TYPE.cloudflare,
    { keyExample: 'API token', other: 'account_id', otherExample: '0a1b2c…', needsOther: true },
  ],
  [
    CHANNEL_TYPE.vertex,
    {
      keyFormat: 'json',
      keyExample: '{"type": "service_account", "project_id": …, "private_key": …, "client_email": …}',
      other: 'region',
      otherExample: 'us-central1',
      needsOther: true,
      switches: [{ name: 'vertex_key_type', choices: ['json', 'api_key'] }, { name: 'allow_stored_files' }],
    },
  ],
  [CHANNEL_TYPE.mistral, { keyExample: 'API key' }],
  [CHANNEL_TYPE.moka, { keyExample: 'API key' }],
  [CHANNEL_TYPE.volcEngine, { keyExample: 'API key' }],
  [CHANNEL_TYPE.baiduV2, { keyExample: 'bce-v3/…' }],
  [
    CHANNEL_TYPE.xinference,
    {
      keyFormat: 'any',
      keyExample: 'xinference',
      needsAddress: true,
      addressExample: 'http://localhost:9997',
    },
  ],
  [CHANNEL_TYPE.xai, { keyExample: 'xai-…' }],
  [
    CHANNEL_TYPE.coze,
    { keyExample: 'pat_…', other: 'bot_id', otherExample: '7379462189365198898', needsOther: true },
  ],
  [CHANNEL_TYPE.submodel, { keyExample: 'API key' }],
  [
    CHANNEL_TYPE.sub2Api,
    { needsAddress: true, addressExample: 'https://gateway.example.com', switches: OPENAI_SWITCHES },
  ],
  [
    CHANNEL_TYPE.newApi,
    { needsAddress: true, addressExample: 'https://gateway.example.com', switches: OPENAI_SWITCHES },
  ],
];
const FORMS: ReadonlyMap<number, Partial<ChannelTypeForm>> = new Map<number, Partial<ChannelTypeForm>>(
  FORM_ROWS,
);

/** What a channel of this type asks of whoever fills the form in. */
export function formOfType(type: number): ChannelTypeForm {
  const form = { ...TOKEN, ...FORMS.get(type) };
  return { ...form, switches: [...form.switches, FOREIGN_IDS] };
}

/** What is kept at a vendor is kept for its account there: whoever else asks for it by its id is refused unless this is set. */
const FOREIGN_IDS: VendorSwitch = { name: 'allow_foreign_ids' };

/** Every switch any type has: a channel may change its type and keep its document. */
export function vendorSwitches(): readonly VendorSwitch[] {
  const all = [...FORMS.values()].flatMap(({ switches = [] }) => switches).concat(FOREIGN_IDS);
  return [...new Map(all.map((each) => [each.name, each])).values()];
}
