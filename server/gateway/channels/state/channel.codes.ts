import type { ChannelTypeCode } from '../../../relay-core/providers/channel-types.js';

/** Channel states: enabled, disabled by hand, disabled by the gateway itself. */
export const CHANNEL_STATUS = { enabled: 1, disabledByHand: 2, disabledAutomatically: 3 } as const;

/** Longest texts of a channel that have a column of their own length, in characters. */
export const CHANNEL_LENGTHS = {
  name: 191,
  organization: 255,
  testModel: 255,
  baseUrl: 512,
  tag: 191,
  remark: 255,
} as const;

/** Channel types whose forms or balances have rules of their own; all are in relay-core/providers/channel-types.ts. */
export const CHANNEL_TYPE = {
  openai: 1,
  azure: 3,
  ollama: 4,
  openaiMax: 6,
  ohMyGpt: 7,
  custom: 8,
  ails: 9,
  aiProxy: 10,
  api2Gpt: 12,
  aigc2d: 13,
  anthropic: 14,
  baidu: 15,
  zhipuV3: 16,
  ali: 17,
  spark: 18,
  ai360: 19,
  openRouter: 20,
  aiProxyLibrary: 21,
  fastGpt: 22,
  tencent: 23,
  gemini: 24,
  moonshot: 25,
  zhipu: 26,
  perplexity: 27,
  lingyiwanwu: 31,
  bedrock: 33,
  cohere: 34,
  miniMax: 35,
  suno: 36,
  dify: 37,
  jina: 38,
  cloudflare: 39,
  siliconFlow: 40,
  vertex: 41,
  mistral: 42,
  deepSeek: 43,
  moka: 44,
  volcEngine: 45,
  baiduV2: 46,
  xinference: 47,
  xai: 48,
  coze: 49,
  submodel: 53,
  sub2Api: 59,
  newApi: 60,
} as const satisfies Readonly<Record<string, ChannelTypeCode>>;
