/** Names one text holds. */
const names = (text: string): readonly string[] => text.trim().split(/\s+/);
const NONE: readonly string[] = [];

/** Of OpenAI, and of resellers that differ from it in their address only. */
const OPENAI = names(`
  gpt-5.4 gpt-5.4-pro gpt-5.3-codex gpt-5.3-chat-latest gpt-5.2 gpt-5.2-pro gpt-5.2-codex
  gpt-5.2-chat-latest gpt-5.1 gpt-5.1-codex gpt-5.1-codex-mini gpt-5.1-codex-max
  gpt-5.1-chat-latest gpt-5 gpt-5-mini gpt-5-nano gpt-5-pro gpt-5-codex gpt-5-chat-latest
  gpt-5-search-api gpt-4.1 gpt-4.1-mini gpt-4.1-nano gpt-4o gpt-4o-2024-05-13 gpt-4o-2024-08-06
  gpt-4o-2024-11-20 gpt-4o-mini chatgpt-4o-latest o1 o1-pro o3 o3-pro o3-mini o3-mini-high
  o3-mini-medium o3-mini-low o4-mini o3-deep-research o4-mini-deep-research computer-use-preview
  gpt-4o-search-preview gpt-4o-mini-search-preview gpt-4o-audio-preview gpt-4o-mini-audio-preview
  gpt-audio gpt-audio-mini gpt-audio-1.5 gpt-realtime gpt-realtime-mini gpt-realtime-1.5
  gpt-4o-transcribe gpt-4o-mini-transcribe gpt-4o-transcribe-diarize whisper-1 tts-1 tts-1-hd
  gpt-4o-mini-tts text-embedding-3-small text-embedding-3-large text-embedding-ada-002
  omni-moderation-latest gpt-image-1 gpt-image-1-mini gpt-image-1.5 chatgpt-image-latest dall-e-2
  dall-e-3 gpt-4-turbo gpt-4 gpt-3.5-turbo gpt-3.5-turbo-instruct davinci-002 babbage-002
`);

/** Models offered when an operator asks to fill the list of a channel, by provider id; empty = operators name them all. */
export const DEFAULT_MODELS = {
  openai: OPENAI,
  azure: OPENAI,
  'openai-max': OPENAI,
  'oh-my-gpt': OPENAI,
  ails: OPENAI,
  'ai-proxy': OPENAI,
  api2gpt: OPENAI,
  aigc2d: OPENAI,
  ali: names(`
    qwen3-max qwen3.7-max qwen-max qwen-plus qwen-turbo qwen-flash qwen3-coder-plus
    qwen3-coder-flash qwen3-235b-a22b qwq-plus qwq-32b qwen3-vl-plus qwen-max-longcontext
    text-embedding-v4 text-embedding-v1 gte-rerank-v2 qwen-image z-image
  `),
  ai360: names(`
    360gpt-turbo 360gpt-pro 360gpt2-pro 360GPT_S2_V9 embedding-bert-512-v1
  `),
  tencent: names(`
    hunyuan-lite hunyuan-standard hunyuan-standard-256K hunyuan-pro
  `),
  moonshot: names(`
    kimi-k3 kimi-k2.7-code kimi-k2.6 kimi-k2.5 kimi-k2-0905-preview kimi-k2-turbo-preview
    kimi-k2-thinking kimi-k2-thinking-turbo moonshot-v1-8k moonshot-v1-32k moonshot-v1-128k
  `),
  'zhipu-v4': names(`
    glm-5 glm-4.7 glm-4.7-flash glm-4.6 glm-4.6v glm-4-plus glm-4-air glm-4-airx glm-4-long
    glm-4-flash glm-4v-plus glm-4v glm-4-alltools glm-4
  `),
  perplexity: names(`
    sonar sonar-pro sonar-reasoning sonar-reasoning-pro sonar-deep-research
  `),
  lingyiwanwu: names(`
    yi-large yi-medium yi-vision yi-spark yi-large-turbo
  `),
  minimax: names(`
    MiniMax-M2.7 MiniMax-M2.7-highspeed MiniMax-M2.5 MiniMax-M2.5-highspeed MiniMax-M2.1
    MiniMax-M2.1-highspeed MiniMax-M2
  `),
  cloudflare: names(`
    @cf/meta/llama-3.1-8b-instruct @cf/meta/llama-3.3-70b-instruct-fp8-fast
    @cf/meta/llama-4-scout-17b-16e-instruct @cf/openai/gpt-oss-120b @cf/qwen/qwq-32b @cf/baai/bge-m3
  `),
  siliconflow: names(`
    deepseek-ai/DeepSeek-V3 deepseek-ai/DeepSeek-R1 Qwen/Qwen3-235B-A22B BAAI/bge-m3
  `),
  mistral: names(`
    mistral-large-latest mistral-medium-latest mistral-small-latest magistral-medium-latest
    magistral-small-latest codestral-latest devstral-medium-latest ministral-8b-latest
    pixtral-large-latest open-mistral-7b open-mixtral-8x7b mistral-embed
  `),
  deepseek: names(`
    deepseek-chat deepseek-reasoner deepseek-v4-flash deepseek-v4-pro
  `),
  volcengine: names(`
    doubao-seed-1-6-thinking-250715 Doubao-pro-4k Doubao-pro-32k Doubao-pro-128k Doubao-lite-4k
    Doubao-lite-32k Doubao-lite-128k Doubao-embedding doubao-seedream-4-0-250828
  `),
  'baidu-v2': names(`
    ernie-4.0-8k ernie-4.0-8k-latest ernie-4.0-turbo-8k ernie-4.0-turbo-128k ernie-3.5-8k
    ernie-3.5-128k ernie-speed-8k ernie-speed-128k ernie-speed-pro-128k ernie-lite-8k
    ernie-lite-pro-128k ernie-tiny-8k ernie-char-8k ernie-novel-8k deepseek-v3 deepseek-r1
  `),
  xai: names(`
    grok-4-1-fast-reasoning grok-4-1-fast-non-reasoning grok-4-fast-reasoning
    grok-4-fast-non-reasoning grok-code-fast-1 grok-4-0709 grok-3 grok-3-mini grok-3-mini-high
    grok-3-mini-low grok-2-vision-1212 grok-imagine-image grok-2-image-1212
  `),
  submodel: names(`
    deepseek-ai/DeepSeek-V3.1 deepseek-ai/DeepSeek-V3-0324 deepseek-ai/DeepSeek-R1-0528
    openai/gpt-oss-120b zai-org/GLM-4.5-FP8 Qwen/Qwen3-235B-A22B-Thinking-2507
    Qwen/Qwen3-235B-A22B-Instruct-2507 Qwen/Qwen3-Coder-480B-A35B-Instruct-FP8
    NousResearch/Hermes-4-405B-FP8
  `),
  moka: names(`
    m3e-large m3e-base m3e-small
  `),
  custom: NONE,
  openrouter: NONE,
  fastgpt: NONE,
  xinference: NONE,
  'new-api': NONE,
} as const;

/** Providers that speak OpenAI's format. Tables by provider id have these keys, so that a misspelt one does not compile. */
export type CompatibleId = keyof typeof DEFAULT_MODELS;
