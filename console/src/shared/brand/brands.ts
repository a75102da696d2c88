interface Brand {
  /** File of @lobehub/icons-static-svg; one that ends with `-color` has its own colours, another is drawn in the text's. */
  readonly logo: string;
  /** Matches names of models and of providers. */
  readonly names: RegExp;
}

/** Providers before the makers of models they serve: the first match counts. */
const BRANDS: readonly Brand[] = [
  { logo: 'openrouter', names: /openrouter/i },
  { logo: 'azure-color', names: /azure/i },
  { logo: 'bedrock-color', names: /bedrock|^amazon|\bnova-/i },
  { logo: 'vertexai-color', names: /vertex/i },
  { logo: 'cloudflare-color', names: /cloudflare|^@cf\//i },
  { logo: 'ollama', names: /ollama/i },
  { logo: 'siliconcloud-color', names: /silicon/i },
  { logo: 'groq', names: /groq/i },
  { logo: 'together-color', names: /together/i },
  { logo: 'fireworks-color', names: /fireworks/i },
  { logo: 'cerebras-color', names: /cerebras/i },
  { logo: 'nvidia-color', names: /nvidia|nemotron/i },
  { logo: 'huggingface-color', names: /hugging/i },
  { logo: 'replicate', names: /replicate/i },
  { logo: 'novita-color', names: /novita/i },
  { logo: 'deepinfra-color', names: /deepinfra/i },
  { logo: 'sambanova-color', names: /sambanova/i },
  { logo: 'modelscope-color', names: /modelscope/i },
  { logo: 'xinference-color', names: /xinference/i },
  { logo: 'ai360-color', names: /360/ },
  { logo: 'dify-color', names: /dify/i },
  { logo: 'coze', names: /coze/i },
  { logo: 'midjourney', names: /midjourney|^mj[-_]/i },
  { logo: 'suno', names: /suno/i },
  { logo: 'jina', names: /jina/i },
  { logo: 'voyage-color', names: /voyage/i },
  { logo: 'perplexity-color', names: /perplexity|^sonar/i },
  { logo: 'claude-color', names: /claude/i },
  { logo: 'anthropic', names: /anthropic/i },
  { logo: 'gemini-color', names: /gemini|gemma|palm|google/i },
  { logo: 'deepseek-color', names: /deepseek/i },
  { logo: 'qwen-color', names: /qwen|qwq|tongyi|dashscope|\bali\b|alibaba/i },
  { logo: 'zhipu-color', names: /zhipu|glm|cogview|cogvideo|z\.ai/i },
  { logo: 'moonshot', names: /moonshot|kimi/i },
  { logo: 'mistral-color', names: /mistral|mixtral|codestral|magistral|pixtral|devstral/i },
  { logo: 'grok', names: /grok|\bxai\b/i },
  { logo: 'cohere-color', names: /cohere|^command|^rerank-/i },
  { logo: 'baidu-color', names: /baidu|ernie|wenxin|qianfan/i },
  { logo: 'hunyuan-color', names: /hunyuan|tencent/i },
  { logo: 'doubao-color', names: /doubao|volc|seedream|ark\b/i },
  { logo: 'minimax-color', names: /minimax|^abab/i },
  { logo: 'yi-color', names: /01\.ai|lingyi|^yi-/i },
  { logo: 'spark-color', names: /spark|iflytek|xfyun/i },
  { logo: 'stepfun-color', names: /stepfun|^step-/i },
  { logo: 'baichuan-color', names: /baichuan/i },
  { logo: 'internlm-color', names: /intern(?:lm|vl)/i },
  { logo: 'stability-color', names: /stability|stable-diffusion|^sd[3x]/i },
  { logo: 'flux', names: /\bflux/i },
  { logo: 'meta-color', names: /llama|\bmeta\b/i },
  {
    logo: 'openai',
    names: /openai|^(?:chat)?gpt|^o[1-9](?:-|$)|^dall-e|^tts-|^whisper|^text-embedding|^codex|^sora/i,
  },
];

/** Logo of a model or provider by its name; undefined when the name is of none of them. */
export const logoOf = (name: string): string | undefined =>
  BRANDS.find(({ names }) => names.test(name))?.logo;

/** Returns true for a logo with colours of its own. */
export const isColoured = (logo: string): boolean => logo.endsWith('-color');

/** The files the build copies. */
export const LOGOS: readonly string[] = [...new Set(BRANDS.map(({ logo }) => logo))];
