import type { Operation } from '../../model/operation.js';
import type { Route } from '../../ports/channel-picker.js';
import { documentOf, listOf, textOf } from '../../formats/shared/fields/json-fields.js';
import { runPath } from '../cloudflare/operations.js';
import type { ChannelTypeCode } from '../channel-types.js';
import type { CompatibleId } from '../shared/default-models.js';

/**
 * A vendor that speaks OpenAI's grammar: what differs, and nothing else. Its name is in channel-types.ts, its models are
 * in default-models.ts.
 */
export interface CompatibleProfile {
  readonly id: CompatibleId;
  /** Channel type codes, as stored in channel rows; the provider is called as the first of them is. */
  readonly typeCodes: readonly [ChannelTypeCode, ...ChannelTypeCode[]];
  /** Empty = the channel must name one. */
  readonly defaultBaseUrl: string;
  /** Path of each operation behind the base address; a missing one is not supported. */
  readonly paths: { readonly [O in Operation]?: string } & { readonly models?: string };
  /** Words the base address field may hold instead of an address. */
  readonly namedBases?: Readonly<Record<string, string>>;
  /** The base address is the full address, `{model}` replaced; paths are ignored. */
  readonly baseIsFullAddress?: true;
  /** What may have been typed of its paths, where they begin with more than a version. */
  readonly ownPath?: RegExp;
  /** Path that depends on the model's name or on the channel. */
  readonly pathFor?: (path: string, route: Pick<Route, 'upstreamModel' | 'other'>) => string;
  /** `stream_options` is taken out, and the vendor reports usage by itself or not at all. */
  readonly refusesStreamOptions?: true;
  /** Top-level members the vendor refuses. */
  readonly refusedMembers?: readonly string[];
  /** OpenAI's own reasoning models live here, with their refusals. */
  readonly hasReasoningModels?: true;
  readonly sendsOrganization?: true;
  /** The part of a composite credential that is the key. */
  readonly keyPart?: (credential: string) => string;
  readonly extraHeaders?: (route: Route) => Readonly<Record<string, string>> | undefined;
  /** Names in an answer of its model list, where they are not `data[].id`. */
  readonly readModelList?: (document: unknown) => readonly string[];
}

const OPENAI_PATHS = {
  chat: '/v1/chat/completions',
  embed: '/v1/embeddings',
  models: '/v1/models',
} as const;

const beforeBar = (credential: string): string => credential.split('|')[0] ?? credential;

/** Resellers of OpenAI that differ in their address only; kept for imports. */
const reseller = (
  typeCode: ChannelTypeCode,
  id: CompatibleId,
  defaultBaseUrl: string,
): CompatibleProfile => ({
  id,
  typeCodes: [typeCode],
  defaultBaseUrl,
  paths: OPENAI_PATHS,
  hasReasoningModels: true,
});

export const OPENAI_COMPATIBLE_PROFILES: readonly CompatibleProfile[] = [
  {
    id: 'openai',
    typeCodes: [1],
    defaultBaseUrl: 'https://api.openai.com',
    paths: OPENAI_PATHS,
    hasReasoningModels: true,
    sendsOrganization: true,
  },
  reseller(6, 'openai-max', 'https://api.openaimax.com'),
  reseller(7, 'oh-my-gpt', 'https://api.ohmygpt.com'),
  {
    id: 'custom',
    typeCodes: [8],
    defaultBaseUrl: '',
    paths: { chat: '', embed: '' },
    baseIsFullAddress: true,
  },
  reseller(9, 'ails', 'https://api.caipacity.com'),
  reseller(10, 'ai-proxy', 'https://api.aiproxy.io'),
  reseller(12, 'api2gpt', 'https://api.api2gpt.com'),
  reseller(13, 'aigc2d', 'https://api.aigc2d.com'),
  {
    id: 'ali',
    typeCodes: [17],
    defaultBaseUrl: 'https://dashscope.aliyuncs.com',
    ownPath: /\/api\/v\d+\/services\/.+$/,
    paths: {
      chat: '/compatible-mode/v1/chat/completions',
      embed: '/compatible-mode/v1/embeddings',
      models: '/compatible-mode/v1/models',
    },
    extraHeaders: ({ other }) => (other === '' ? undefined : { 'x-dashscope-plugin': other }),
  },
  {
    id: 'ai360',
    typeCodes: [19],
    defaultBaseUrl: 'https://api.360.cn',
    paths: OPENAI_PATHS,
    refusesStreamOptions: true,
  },
  {
    id: 'openrouter',
    typeCodes: [20],
    defaultBaseUrl: 'https://openrouter.ai/api',
    paths: OPENAI_PATHS,
    // It always reports usage.
    refusesStreamOptions: true,
    extraHeaders: () => ({ 'x-openrouter-title': 'Tollgate', 'x-title': 'Tollgate' }),
  },
  {
    id: 'fastgpt',
    typeCodes: [22],
    defaultBaseUrl: 'https://fastgpt.run/api/openapi',
    paths: { chat: '/v1/chat/completions' },
    refusesStreamOptions: true,
  },
  {
    // Keys of three parts lead to the cloud's own interface: tencent.ts.
    id: 'tencent',
    typeCodes: [23],
    defaultBaseUrl: 'https://tokenhub.tencentmaas.com',
    paths: OPENAI_PATHS,
  },
  {
    id: 'moonshot',
    typeCodes: [25],
    defaultBaseUrl: 'https://api.moonshot.cn',
    namedBases: { 'kimi-coding-plan': 'https://api.kimi.com/coding/v1' },
    paths: OPENAI_PATHS,
  },
  {
    id: 'zhipu-v4',
    typeCodes: [26],
    defaultBaseUrl: 'https://open.bigmodel.cn',
    namedBases: {
      'glm-coding-plan': 'https://open.bigmodel.cn/api/coding/paas/v4',
      'glm-coding-plan-international': 'https://api.z.ai/api/coding/paas/v4',
    },
    paths: {
      chat: '/api/paas/v4/chat/completions',
      embed: '/api/paas/v4/embeddings',
      models: '/api/paas/v4/models',
    },
  },
  {
    id: 'perplexity',
    typeCodes: [27],
    defaultBaseUrl: 'https://api.perplexity.ai',
    ownPath: /(?:\/v1(?:\/responses)?|\/chat\/completions)$/,
    paths: { chat: '/chat/completions' },
    // Every chunk carries cumulative usage.
    refusesStreamOptions: true,
  },
  {
    id: 'lingyiwanwu',
    typeCodes: [31],
    defaultBaseUrl: 'https://api.lingyiwanwu.com',
    paths: { chat: '/v1/chat/completions', models: '/v1/models' },
    refusesStreamOptions: true,
  },
  {
    id: 'minimax',
    typeCodes: [35],
    defaultBaseUrl: 'https://api.minimax.chat',
    paths: { chat: '/v1/text/chatcompletion_v2' },
  },
  {
    id: 'cloudflare',
    typeCodes: [39],
    defaultBaseUrl: 'https://api.cloudflare.com',
    ownPath: /\/client\/v4(?:\/.*)?$/,
    paths: {
      chat: '/client/v4/accounts/{account}/ai/v1/chat/completions',
      embed: '/client/v4/accounts/{account}/ai/v1/embeddings',
      models: '/client/v4/accounts/{account}/ai/models/search?per_page=1000',
    },
    pathFor: runPath,
    readModelList: (document) =>
      listOf(documentOf(document)['result']).flatMap((item) => textOf(documentOf(item)['name']) ?? []),
  },
  {
    id: 'siliconflow',
    typeCodes: [40],
    defaultBaseUrl: 'https://api.siliconflow.cn',
    paths: OPENAI_PATHS,
  },
  {
    id: 'mistral',
    typeCodes: [42],
    defaultBaseUrl: 'https://api.mistral.ai',
    paths: OPENAI_PATHS,
    // It refuses members it does not know, and reports usage in the last chunk anyway.
    refusesStreamOptions: true,
    refusedMembers: [
      'user',
      'logit_bias',
      'logprobs',
      'top_logprobs',
      'store',
      'metadata',
      'verbosity',
      'top_k',
      'seed',
      'prompt_cache_key',
      'prompt_cache_retention',
      'safety_identifier',
      'web_search_options',
    ],
  },
  {
    id: 'deepseek',
    typeCodes: [43],
    defaultBaseUrl: 'https://api.deepseek.com',
    ownPath: /(?<!\/v\d+)\/responses$|\/beta\/completions$/,
    paths: { chat: '/v1/chat/completions', models: '/v1/models' },
  },
  {
    id: 'moka',
    typeCodes: [44],
    defaultBaseUrl: 'https://api.moka.ai',
    ownPath: /\/embeddings$/,
    paths: { embed: '/embeddings' },
  },
  {
    id: 'volcengine',
    typeCodes: [45],
    defaultBaseUrl: 'https://ark.cn-beijing.volces.com',
    namedBases: { 'doubao-coding-plan': 'https://ark.cn-beijing.volces.com/api/coding/v3' },
    paths: { chat: '/api/v3/chat/completions', embed: '/api/v3/embeddings', models: '/api/v3/models' },
    pathFor: (path, { upstreamModel }) =>
      upstreamModel.startsWith('bot') ? path.replace('/v3/chat/', '/v3/bots/chat/') : path,
  },
  {
    id: 'baidu-v2',
    typeCodes: [46],
    defaultBaseUrl: 'https://qianfan.baidubce.com',
    paths: { chat: '/v2/chat/completions', embed: '/v2/embeddings', models: '/v2/models' },
    keyPart: beforeBar,
    extraHeaders: ({ credential }) => {
      const application = credential.split('|')[1];
      return application === undefined || application === '' ? undefined : { appid: application };
    },
  },
  {
    id: 'xinference',
    typeCodes: [47],
    defaultBaseUrl: '',
    paths: OPENAI_PATHS,
  },
  {
    id: 'xai',
    typeCodes: [48],
    defaultBaseUrl: 'https://api.x.ai',
    paths: { chat: '/v1/chat/completions', models: '/v1/models' },
  },
  {
    id: 'submodel',
    typeCodes: [53],
    defaultBaseUrl: 'https://llm.submodel.ai',
    paths: { chat: '/v1/chat/completions', models: '/v1/models' },
  },
  {
    id: 'new-api',
    typeCodes: [60, 59],
    defaultBaseUrl: '',
    paths: OPENAI_PATHS,
  },
];
