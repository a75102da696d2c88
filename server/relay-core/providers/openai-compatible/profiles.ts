import { z } from 'zod';
import { amount, type BalanceReader, readOpenAiBalance } from '../shared/balance.js';
import { type ChannelType, FORMAT_PATHS, OPENAI_SWITCHES } from '../channel-form.js';
import { xinferenceRerank } from '../../formats/rerank/index.js';
import type { VendorDescription } from '../../model/vendor-description.js';
import { notRead } from '../shared/default-descriptions.js';
import { names, OPENAI_MODELS } from '../shared/model-names.js';
import { GATEWAY_CHAT, OPENAI_CHAT } from './chat-profiles.js';
import { type CompatibleProfile, OPENAI_PATHS, PLAIN_RANK } from './compatible-profile.js';
import { OPENAI_MEDIA, XINFERENCE_MEDIA } from './media-operations.js';
import { baiduV2 } from './vendors/baidu-v2.js';
import { deepseek } from './vendors/deepseek.js';
import { minimax } from './vendors/minimax.js';
import { mistral } from './vendors/mistral.js';
import { moonshot } from './vendors/moonshot.js';
import { openai } from './vendors/openai.js';
import { openrouter } from './vendors/openrouter.js';
import { perplexity } from './vendors/perplexity.js';
import { siliconflow } from './vendors/siliconflow.js';
import { WITH_ALL_TOOLS } from './undescribed.js';
import { volcengine } from './vendors/volcengine.js';
import { xai } from './vendors/xai.js';
import { zhipu } from './vendors/zhipu.js';

const RESELLER: VendorDescription = {
  ...WITH_ALL_TOOLS,
  source: notRead('resellers of OpenAI, which may pass calls on to other vendors'),
  cap: 'either',
};
const GATEWAY: VendorDescription = {
  ...WITH_ALL_TOOLS,
  source: notRead('another gateway passes roles on to vendors that may refuse them'),
  cap: 'either',
};

/** Resellers of OpenAI that differ in their address only; kept for imports. */
const reseller = (
  type: Pick<ChannelType, 'code' | 'name'>,
  id: string,
  defaultBaseUrl: string,
  balance?: BalanceReader,
): CompatibleProfile => ({
  id,
  channelTypes: [{ ...type, form: { isOffered: false, switches: OPENAI_SWITCHES } }],
  defaultBaseUrl,
  paths: OPENAI_PATHS,
  defaultModels: OPENAI_MODELS,
  hasReasoningModels: true,
  realtime: true,
  ...(balance === undefined ? {} : { balance }),
  description: RESELLER,
  chat: OPENAI_CHAT,
  media: OPENAI_MEDIA,
});

/** Credit of a reseller that reports it under `member`. */
const creditGrants = (member: 'total_remaining' | 'total_available'): BalanceReader => {
  const schema = z.object({ [member]: amount });
  return async (get) => ({
    amount: z.number().parse(schema.parse(await get('/dashboard/billing/credit_grants'))[member]),
    currency: 'USD',
  });
};

/** Every OpenAI-compatible provider without a folder: a row, or a file in vendors/ once it has edits of its own. */
export const OPENAI_COMPATIBLE_PROFILES: readonly CompatibleProfile[] = [
  openai,
  reseller({ code: 6, name: 'OpenAIMax' }, 'openai-max', 'https://api.openaimax.com'),
  reseller({ code: 7, name: 'OhMyGPT' }, 'oh-my-gpt', 'https://api.ohmygpt.com'),
  {
    id: 'custom',
    channelTypes: [
      {
        code: 8,
        name: 'Custom',
        form: {
          needsAddress: true,
          addressExample: 'https://api.example.com/v1/chat/completions',
          switches: [...OPENAI_SWITCHES, ...FORMAT_PATHS],
          addressIsComplete: true,
        },
      },
    ],
    defaultBaseUrl: '',
    paths: { chat: '', embed: '' },
    baseIsFullAddress: true,
    balance: readOpenAiBalance,
    defaultModels: [],
    namesFormats: true,
    chat: { history: 'all', completionsPath: '', responsesPath: '' },
    media: OPENAI_MEDIA,
  },
  reseller({ code: 9, name: 'AILS' }, 'ails', 'https://api.caipacity.com'),
  reseller({ code: 10, name: 'AIProxy' }, 'ai-proxy', 'https://api.aiproxy.io'),
  reseller(
    { code: 12, name: 'API2GPT' },
    'api2gpt',
    'https://api.api2gpt.com',
    creditGrants('total_remaining'),
  ),
  reseller({ code: 13, name: 'AIGC2D' }, 'aigc2d', 'https://api.aigc2d.com', creditGrants('total_available')),
  {
    id: 'ai360',
    channelTypes: [{ code: 19, name: '360', form: { keyExample: 'fk…' } }],
    defaultBaseUrl: 'https://api.360.cn',
    paths: OPENAI_PATHS,
    refusesStreamOptions: true,
    defaultModels: names(`
      360gpt-turbo 360gpt-pro 360gpt2-pro 360GPT_S2_V9 embedding-bert-512-v1
    `),
  },
  openrouter,
  {
    id: 'fastgpt',
    channelTypes: [{ code: 22, name: 'FastGPT', form: { keyFormat: 'app_key', keyExample: 'APIKey-AppId' } }],
    defaultBaseUrl: 'https://fastgpt.run/api/openapi',
    paths: { chat: '/v1/chat/completions' },
    refusesStreamOptions: true,
    defaultModels: [],
  },
  moonshot,
  zhipu,
  perplexity,
  {
    id: 'lingyiwanwu',
    channelTypes: [{ code: 31, name: '01.AI', form: { keyExample: 'API key' } }],
    defaultBaseUrl: 'https://api.lingyiwanwu.com',
    paths: { chat: '/v1/chat/completions', models: '/v1/models' },
    refusesStreamOptions: true,
    defaultModels: names(`
      yi-large yi-medium yi-vision yi-spark yi-large-turbo
    `),
  },
  minimax,
  siliconflow,
  mistral,
  deepseek,
  {
    id: 'moka',
    channelTypes: [{ code: 44, name: 'MokaAI', form: { keyExample: 'API key' } }],
    defaultBaseUrl: 'https://api.moka.ai',
    ownPath: /\/embeddings$/,
    paths: { embed: '/embeddings' },
    probeAs: () => 'embed',
    defaultModels: names(`
      m3e-large m3e-base m3e-small
    `),
  },
  volcengine,
  baiduV2,
  {
    id: 'xinference',
    channelTypes: [
      {
        code: 47,
        name: 'Xinference',
        form: {
          keyFormat: 'any',
          keyExample: 'xinference',
          needsAddress: true,
          addressExample: 'http://localhost:9997',
        },
      },
    ],
    defaultBaseUrl: '',
    paths: OPENAI_PATHS,
    defaultModels: [],
    chat: { history: 'open-round', completionsPath: '/v1/completions' },
    media: XINFERENCE_MEDIA,
    rank: { path: '/v1/rerank', apiFormat: xinferenceRerank },
  },
  xai,
  {
    id: 'submodel',
    channelTypes: [{ code: 53, name: 'Submodel', form: { keyExample: 'API key' } }],
    defaultBaseUrl: 'https://llm.submodel.ai',
    paths: { chat: '/v1/chat/completions', models: '/v1/models' },
    defaultModels: names(`
      deepseek-ai/DeepSeek-V3.1 deepseek-ai/DeepSeek-V3-0324 deepseek-ai/DeepSeek-R1-0528
      openai/gpt-oss-120b zai-org/GLM-4.5-FP8 Qwen/Qwen3-235B-A22B-Thinking-2507
      Qwen/Qwen3-235B-A22B-Instruct-2507 Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8
      NousResearch/Hermes-4-405B-FP8
    `),
  },
  {
    id: 'new-api',
    channelTypes: [
      {
        code: 60,
        name: 'New API',
        form: {
          needsAddress: true,
          addressExample: 'https://gateway.example.com',
          switches: OPENAI_SWITCHES,
        },
      },
      {
        code: 59,
        name: 'Sub2API',
        form: {
          needsAddress: true,
          addressExample: 'https://gateway.example.com',
          switches: OPENAI_SWITCHES,
        },
      },
    ],
    defaultBaseUrl: '',
    paths: OPENAI_PATHS,
    realtime: true,
    defaultModels: [],
    description: GATEWAY,
    chat: GATEWAY_CHAT,
    media: OPENAI_MEDIA,
    rank: PLAIN_RANK,
    messages: { path: '/v1/messages', key: 'both', counts: true },
  },
];
