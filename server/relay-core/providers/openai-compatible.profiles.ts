import type { Operation } from '../model/operation.js';
import type { Route } from '../ports/channel-picker.js';
import { documentOf, listOf, textOf } from '../wire/json-fields.js';

/**
 * A vendor that speaks OpenAI's grammar: what differs, and nothing else. A new look-alike is one row here.
 * Facts: provider reference sections 1, 2 and 10–26.
 */
export interface CompatibleProfile {
  readonly id: string;
  readonly name: string;
  /** Channel type codes, as stored in channel rows. */
  readonly typeCodes: readonly number[];
  /** Empty = the channel must name one. */
  readonly defaultBaseUrl: string;
  /** Path of each operation behind the base address; a missing one is not supported. */
  readonly paths: { readonly [O in Operation]?: string } & { readonly models?: string };
  /** Words the base address field may hold instead of an address (provider reference 1.1). */
  readonly namedBases?: Readonly<Record<string, string>>;
  /** The base address is the full address, `{model}` replaced; paths are ignored. */
  readonly baseIsFullAddress?: true;
  /** Path that depends on the model's name or on the channel. */
  readonly pathFor?: (path: string, route: Pick<Route, 'upstreamModel' | 'other'>) => string;
  /** False: `stream_options` is taken out, and the vendor reports usage by itself or not at all. */
  readonly acceptsStreamOptions?: false;
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
  readonly defaultModels: readonly string[];
}

export const OPENAI_PATHS = {
  chat: '/v1/chat/completions',
  embed: '/v1/embeddings',
  models: '/v1/models',
} as const;

export const OPENAI_MODELS = [
  ...[
    'gpt-5.4',
    'gpt-5.4-pro',
    'gpt-5.3-codex',
    'gpt-5.3-chat-latest',
    'gpt-5.2',
    'gpt-5.2-pro',
    'gpt-5.2-codex',
  ],
  ...['gpt-5.2-chat-latest', 'gpt-5.1', 'gpt-5.1-codex', 'gpt-5.1-codex-mini', 'gpt-5.1-codex-max'],
  ...[
    'gpt-5.1-chat-latest',
    'gpt-5',
    'gpt-5-mini',
    'gpt-5-nano',
    'gpt-5-pro',
    'gpt-5-codex',
    'gpt-5-chat-latest',
  ],
  ...['gpt-5-search-api', 'gpt-4.1', 'gpt-4.1-mini', 'gpt-4.1-nano', 'gpt-4o', 'gpt-4o-2024-05-13'],
  ...[
    'gpt-4o-2024-08-06',
    'gpt-4o-2024-11-20',
    'gpt-4o-mini',
    'chatgpt-4o-latest',
    'o1',
    'o1-pro',
    'o3',
    'o3-pro',
  ],
  ...['o3-mini', 'o3-mini-high', 'o3-mini-medium', 'o3-mini-low', 'o4-mini', 'o3-deep-research'],
  ...['o4-mini-deep-research', 'computer-use-preview', 'gpt-4o-search-preview', 'gpt-4o-mini-search-preview'],
  ...['gpt-4o-audio-preview', 'gpt-4o-mini-audio-preview', 'gpt-audio', 'gpt-audio-mini', 'gpt-audio-1.5'],
  ...['gpt-realtime', 'gpt-realtime-mini', 'gpt-realtime-1.5', 'gpt-4o-transcribe', 'gpt-4o-mini-transcribe'],
  ...['gpt-4o-transcribe-diarize', 'whisper-1', 'tts-1', 'tts-1-hd', 'gpt-4o-mini-tts'],
  ...['text-embedding-3-small', 'text-embedding-3-large', 'text-embedding-ada-002', 'omni-moderation-latest'],
  ...['gpt-image-1', 'gpt-image-1-mini', 'gpt-image-1.5', 'chatgpt-image-latest', 'dall-e-2', 'dall-e-3'],
  ...['gpt-4-turbo', 'gpt-4', 'gpt-3.5-turbo', 'gpt-3.5-turbo-instruct', 'davinci-002', 'babbage-002'],
] as const;

const beforeBar = (credential: string): string => credential.split('|')[0] ?? credential;

/** Resellers of OpenAI that differ in their address only; kept for imports. */
const reseller = (typeCode: number, id: string, name: string, defaultBaseUrl: string): CompatibleProfile => ({
  id,
  name,
  typeCodes: [typeCode],
  defaultBaseUrl,
  paths: OPENAI_PATHS,
  hasReasoningModels: true,
  defaultModels: OPENAI_MODELS,
});

export const OPENAI_COMPATIBLE_PROFILES: readonly CompatibleProfile[] = [
  {
    id: 'openai',
    name: 'OpenAI',
    typeCodes: [1],
    defaultBaseUrl: 'https://api.openai.com',
    paths: OPENAI_PATHS,
    hasReasoningModels: true,
    sendsOrganization: true,
    defaultModels: OPENAI_MODELS,
  },
  reseller(6, 'openai-max', 'OpenAIMax', 'https://api.openaimax.com'),
  reseller(7, 'oh-my-gpt', 'OhMyGPT', 'https://api.ohmygpt.com'),
  {
    id: 'custom',
    name: 'Custom',
    typeCodes: [8],
    defaultBaseUrl: '',
    paths: { chat: '', embed: '' },
    baseIsFullAddress: true,
    defaultModels: [],
  },
  reseller(9, 'ails', 'AILS', 'https://api.caipacity.com'),
  reseller(10, 'ai-proxy', 'AIProxy', 'https://api.aiproxy.io'),
  reseller(12, 'api2gpt', 'API2GPT', 'https://api.api2gpt.com'),
  reseller(13, 'aigc2d', 'AIGC2D', 'https://api.aigc2d.com'),
  {
    id: 'ali',
    name: 'Ali DashScope',
    typeCodes: [17],
    defaultBaseUrl: 'https://dashscope.aliyuncs.com',
    paths: {
      chat: '/compatible-mode/v1/chat/completions',
      embed: '/compatible-mode/v1/embeddings',
      models: '/compatible-mode/v1/models',
    },
    extraHeaders: ({ other }) => (other === '' ? undefined : { 'x-dashscope-plugin': other }),
    defaultModels: [
      'qwen3-max',
      'qwen3.7-max',
      'qwen-max',
      'qwen-plus',
      'qwen-turbo',
      'qwen-flash',
      'qwen3-coder-plus',
      'qwen3-coder-flash',
      'qwen3-235b-a22b',
      'qwq-plus',
      'qwq-32b',
      'qwen3-vl-plus',
      'qwen-max-longcontext',
      'text-embedding-v4',
      'text-embedding-v1',
      'gte-rerank-v2',
      'qwen-image',
      'z-image',
    ],
  },
  {
    id: 'ai360',
    name: '360',
    typeCodes: [19],
    defaultBaseUrl: 'https://api.360.cn',
    paths: OPENAI_PATHS,
    acceptsStreamOptions: false,
    defaultModels: ['360gpt-turbo', '360gpt-pro', '360gpt2-pro', '360GPT_S2_V9', 'embedding-bert-512-v1'],
  },
  {
    id: 'openrouter',
    name: 'OpenRouter',
    typeCodes: [20],
    defaultBaseUrl: 'https://openrouter.ai/api',
    paths: OPENAI_PATHS,
    // It always reports usage.
    acceptsStreamOptions: false,
    extraHeaders: () => ({ 'x-openrouter-title': 'Tollgate', 'x-title': 'Tollgate' }),
    defaultModels: [],
  },
  {
    id: 'fastgpt',
    name: 'FastGPT',
    typeCodes: [22],
    defaultBaseUrl: 'https://fastgpt.run/api/openapi',
    paths: { chat: '/v1/chat/completions' },
    acceptsStreamOptions: false,
    defaultModels: [],
  },
  {
    // Keys of three parts belong to the vendor's older API, which is not served: the vendor refuses them here.
    id: 'tencent',
    name: 'Tencent Hunyuan',
    typeCodes: [23],
    defaultBaseUrl: 'https://tokenhub.tencentmaas.com',
    paths: OPENAI_PATHS,
    defaultModels: ['hunyuan-lite', 'hunyuan-standard', 'hunyuan-standard-256K', 'hunyuan-pro'],
  },
  {
    id: 'moonshot',
    name: 'Moonshot',
    typeCodes: [25],
    defaultBaseUrl: 'https://api.moonshot.cn',
    namedBases: { 'kimi-coding-plan': 'https://api.kimi.com/coding/v1' },
    paths: OPENAI_PATHS,
    defaultModels: [
      'kimi-k3',
      'kimi-k2.7-code',
      'kimi-k2.6',
      'kimi-k2.5',
      'kimi-k2-0905-preview',
      'kimi-k2-turbo-preview',
      'kimi-k2-thinking',
      'kimi-k2-thinking-turbo',
      'moonshot-v1-8k',
      'moonshot-v1-32k',
      'moonshot-v1-128k',
    ],
  },
  {
    id: 'zhipu-v4',
    name: 'Zhipu',
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
    defaultModels: [
      'glm-5',
      'glm-4.7',
      'glm-4.7-flash',
      'glm-4.6',
      'glm-4.6v',
      'glm-4-plus',
      'glm-4-air',
      'glm-4-airx',
      'glm-4-long',
      'glm-4-flash',
      'glm-4v-plus',
      'glm-4v',
      'glm-4-alltools',
      'glm-4',
    ],
  },
  {
    id: 'perplexity',
    name: 'Perplexity',
    typeCodes: [27],
    defaultBaseUrl: 'https://api.perplexity.ai',
    paths: { chat: '/chat/completions' },
    // Every chunk carries cumulative usage.
    acceptsStreamOptions: false,
    defaultModels: ['sonar', 'sonar-pro', 'sonar-reasoning', 'sonar-reasoning-pro', 'sonar-deep-research'],
  },
  {
    id: 'lingyiwanwu',
    name: '01.AI',
    typeCodes: [31],
    defaultBaseUrl: 'https://api.lingyiwanwu.com',
    paths: { chat: '/v1/chat/completions', models: '/v1/models' },
    acceptsStreamOptions: false,
    defaultModels: ['yi-large', 'yi-medium', 'yi-vision', 'yi-spark', 'yi-large-turbo'],
  },
  {
    id: 'minimax',
    name: 'MiniMax',
    typeCodes: [35],
    defaultBaseUrl: 'https://api.minimax.chat',
    paths: { chat: '/v1/text/chatcompletion_v2' },
    defaultModels: [
      'MiniMax-M2.7',
      'MiniMax-M2.7-highspeed',
      'MiniMax-M2.5',
      'MiniMax-M2.5-highspeed',
      'MiniMax-M2.1',
      'MiniMax-M2.1-highspeed',
      'MiniMax-M2',
    ],
  },
  {
    id: 'cloudflare',
    name: 'Cloudflare',
    typeCodes: [39],
    defaultBaseUrl: 'https://api.cloudflare.com',
    paths: {
      chat: '/client/v4/accounts/{account}/ai/v1/chat/completions',
      embed: '/client/v4/accounts/{account}/ai/v1/embeddings',
      models: '/client/v4/accounts/{account}/ai/models/search?per_page=1000',
    },
    pathFor: (path, { other }) => path.replace('{account}', encodeURIComponent(other)),
    readModelList: (document) =>
      listOf(documentOf(document)['result']).flatMap((item) => textOf(documentOf(item)['name']) ?? []),
    defaultModels: [
      '@cf/meta/llama-3.1-8b-instruct',
      '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
      '@cf/meta/llama-4-scout-17b-16e-instruct',
      '@cf/openai/gpt-oss-120b',
      '@cf/qwen/qwq-32b',
      '@cf/baai/bge-m3',
    ],
  },
  {
    id: 'siliconflow',
    name: 'SiliconFlow',
    typeCodes: [40],
    defaultBaseUrl: 'https://api.siliconflow.cn',
    paths: OPENAI_PATHS,
    defaultModels: [
      'deepseek-ai/DeepSeek-V3',
      'deepseek-ai/DeepSeek-R1',
      'Qwen/Qwen3-235B-A22B',
      'BAAI/bge-m3',
    ],
  },
  {
    id: 'mistral',
    name: 'Mistral',
    typeCodes: [42],
    defaultBaseUrl: 'https://api.mistral.ai',
    paths: OPENAI_PATHS,
    // It refuses members it does not know, and reports usage in the last chunk anyway.
    acceptsStreamOptions: false,
    refusedMembers: [
      ...[
        'user',
        'logit_bias',
        'logprobs',
        'top_logprobs',
        'store',
        'metadata',
        'verbosity',
        'top_k',
        'seed',
      ],
      ...['prompt_cache_key', 'prompt_cache_retention', 'safety_identifier', 'web_search_options'],
    ],
    defaultModels: [
      'mistral-large-latest',
      'mistral-medium-latest',
      'mistral-small-latest',
      'magistral-medium-latest',
      'magistral-small-latest',
      'codestral-latest',
      'devstral-medium-latest',
      'ministral-8b-latest',
      'pixtral-large-latest',
      'open-mistral-7b',
      'open-mixtral-8x7b',
      'mistral-embed',
    ],
  },
  {
    id: 'deepseek',
    name: 'DeepSeek',
    typeCodes: [43],
    defaultBaseUrl: 'https://api.deepseek.com',
    paths: { chat: '/v1/chat/completions', models: '/v1/models' },
    defaultModels: ['deepseek-chat', 'deepseek-reasoner', 'deepseek-v4-flash', 'deepseek-v4-pro'],
  },
  {
    id: 'moka',
    name: 'MokaAI',
    typeCodes: [44],
    defaultBaseUrl: 'https://api.moka.ai',
    paths: { embed: '/embeddings' },
    defaultModels: ['m3e-large', 'm3e-base', 'm3e-small'],
  },
  {
    id: 'volcengine',
    name: 'VolcEngine',
    typeCodes: [45],
    defaultBaseUrl: 'https://ark.cn-beijing.volces.com',
    namedBases: { 'doubao-coding-plan': 'https://ark.cn-beijing.volces.com/api/coding/v3' },
    paths: { chat: '/api/v3/chat/completions', embed: '/api/v3/embeddings', models: '/api/v3/models' },
    pathFor: (path, { upstreamModel }) =>
      upstreamModel.startsWith('bot') ? path.replace('/v3/chat/', '/v3/bots/chat/') : path,
    defaultModels: [
      'doubao-seed-1-6-thinking-250715',
      'Doubao-pro-4k',
      'Doubao-pro-32k',
      'Doubao-pro-128k',
      'Doubao-lite-4k',
      'Doubao-lite-32k',
      'Doubao-lite-128k',
      'Doubao-embedding',
      'doubao-seedream-4-0-250828',
    ],
  },
  {
    id: 'baidu-v2',
    name: 'Baidu v2',
    typeCodes: [46],
    defaultBaseUrl: 'https://qianfan.baidubce.com',
    paths: { chat: '/v2/chat/completions', embed: '/v2/embeddings', models: '/v2/models' },
    keyPart: beforeBar,
    extraHeaders: ({ credential }) => {
      const application = credential.split('|')[1];
      return application === undefined || application === '' ? undefined : { appid: application };
    },
    defaultModels: [
      'ernie-4.0-8k',
      'ernie-4.0-8k-latest',
      'ernie-4.0-turbo-8k',
      'ernie-4.0-turbo-128k',
      'ernie-3.5-8k',
      'ernie-3.5-128k',
      'ernie-speed-8k',
      'ernie-speed-128k',
      'ernie-speed-pro-128k',
      'ernie-lite-8k',
      'ernie-lite-pro-128k',
      'ernie-tiny-8k',
      'ernie-char-8k',
      'ernie-novel-8k',
      'deepseek-v3',
      'deepseek-r1',
    ],
  },
  {
    id: 'xinference',
    name: 'Xinference',
    typeCodes: [47],
    defaultBaseUrl: '',
    paths: OPENAI_PATHS,
    defaultModels: [],
  },
  {
    id: 'xai',
    name: 'xAI',
    typeCodes: [48],
    defaultBaseUrl: 'https://api.x.ai',
    paths: { chat: '/v1/chat/completions', models: '/v1/models' },
    defaultModels: [
      'grok-4-1-fast-reasoning',
      'grok-4-1-fast-non-reasoning',
      'grok-4-fast-reasoning',
      'grok-4-fast-non-reasoning',
      'grok-code-fast-1',
      'grok-4-0709',
      'grok-3',
      'grok-3-mini',
      'grok-3-mini-high',
      'grok-3-mini-low',
      'grok-2-vision-1212',
      'grok-imagine-image',
      'grok-2-image-1212',
    ],
  },
  {
    id: 'submodel',
    name: 'Submodel',
    typeCodes: [53],
    defaultBaseUrl: 'https://llm.submodel.ai',
    paths: { chat: '/v1/chat/completions', models: '/v1/models' },
    defaultModels: [
      'deepseek-ai/DeepSeek-V3.1',
      'deepseek-ai/DeepSeek-V3-0324',
      'deepseek-ai/DeepSeek-R1-0528',
      'openai/gpt-oss-120b',
      'zai-org/GLM-4.5-FP8',
      'Qwen/Qwen3-235B-A22B-Thinking-2507',
      'Qwen/Qwen3-235B-A22B-Instruct-2507',
      'Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8',
      'NousResearch/Hermes-4-405B-FP8',
    ],
  },
  {
    id: 'new-api',
    name: 'New API',
    typeCodes: [59, 60],
    defaultBaseUrl: '',
    paths: OPENAI_PATHS,
    defaultModels: [],
  },
];
