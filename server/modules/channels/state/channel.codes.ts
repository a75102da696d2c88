/** Channel states: enabled, disabled by hand, disabled by the gateway itself. */
export const CHANNEL_STATUS = { enabled: 1, disabledByHand: 2, disabledAutomatically: 3 } as const;

/** Channel types whose forms have rules of their own; all codes are in relay-core/providers/registry.ts. */
export const CHANNEL_TYPE = {
  openai: 1,
  azure: 3,
  ollama: 4,
  custom: 8,
  api2Gpt: 12,
  aigc2d: 13,
  spark: 18,
  openRouter: 20,
  aiProxyLibrary: 21,
  tencent: 23,
  moonshot: 25,
  bedrock: 33,
  suno: 36,
  cloudflare: 39,
  siliconFlow: 40,
  vertex: 41,
  deepSeek: 43,
  xinference: 47,
  coze: 49,
  sub2Api: 59,
  newApi: 60,
} as const;
