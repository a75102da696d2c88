import { ANTHROPIC_VERSION, messagesOperation, type MessagesEndpoint } from './operations.js';
import { CACHE_MARKS } from './models.js';
import type { Provider } from '../provider.js';
import { joinAddress } from '../shared/upstream-address.js';

const DEFAULT_BASE_URL = 'https://api.anthropic.com';

/** Models sold in November 2026, with the endings the gateway gives them. */
const BUDGETED = [
  'claude-haiku-4-5-20251001',
  'claude-sonnet-4-20250514',
  'claude-opus-4-20250514',
  'claude-opus-4-1-20250805',
  'claude-sonnet-4-5-20250929',
  'claude-opus-4-5-20251101',
] as const;
const MODELS: readonly string[] = [
  ...BUDGETED.flatMap((model) => [model, `${model}-thinking`]),
  'claude-sonnet-4-6',
  'claude-opus-4-6',
  ...['low', 'medium', 'high', 'max'].map((effort) => `claude-opus-4-6-${effort}`),
  ...['claude-opus-4-7', 'claude-opus-4-8'].flatMap((model) => [
    model,
    `${model}-thinking`,
    ...['low', 'medium', 'high', 'xhigh', 'max'].map((effort) => `${model}-${effort}`),
  ]),
  'claude-sonnet-5',
  'claude-opus-5',
  'claude-fable-5',
];

const endpoint: MessagesEndpoint = {
  address: (route) => joinAddress(route.baseUrl === '' ? DEFAULT_BASE_URL : route.baseUrl, '/v1/messages'),
  key: 'x-api-key',
  isClaude: true,
  counts: true,
};

/** Anthropic: https://docs.claude.com/en/api/overview (read 2026-11-21). */
export const anthropicProvider: Provider = {
  id: 'anthropic',
  channelTypes: [
    {
      code: 14,
      name: 'Anthropic',
      form: {
        keyExample: 'sk-ant-…',
        keyPrefixes: ['sk-ant-'],
        switches: [
          { name: 'allow_service_tier' },
          { name: 'allow_inference_geo' },
          { name: 'allow_speed' },
          { name: 'claude_beta_query' },
          CACHE_MARKS,
        ],
      },
    },
  ],
  defaultBaseUrl: DEFAULT_BASE_URL,
  defaultModels: MODELS,
  operations: { chat: [messagesOperation(endpoint)] },
  modelListAddress: ({ baseUrl }) =>
    joinAddress(baseUrl === '' ? DEFAULT_BASE_URL : baseUrl, '/v1/models?limit=1000'),
  modelListHeaders: ({ credential }) => ({
    accept: 'application/json',
    'user-agent': 'tollgate',
    'anthropic-version': ANTHROPIC_VERSION,
    ...(credential === '' ? {} : { 'x-api-key': credential }),
  }),
};
