/** Doors a model can be called through, in the words of this API family. */
export type EndpointType =
  | 'openai'
  | 'openai-response'
  | 'anthropic'
  | 'gemini'
  | 'embeddings'
  | 'jina-rerank'
  | 'image-generation'
  | 'audio-speech'
  | 'audio-transcription'
  | 'moderations'
  | 'realtime';

const KINDS: readonly { readonly names: RegExp; readonly endpoints: readonly EndpointType[] }[] = [
  { names: /moderation/i, endpoints: ['moderations'] },
  { names: /rerank/i, endpoints: ['jina-rerank'] },
  { names: /embed|^bge-|^m3e|^tao-8k/i, endpoints: ['embeddings', 'gemini'] },
  { names: /realtime/i, endpoints: ['realtime'] },
  { names: /transcribe|whisper|-asr|^sensevoice|^paraformer|^parakeet/i, endpoints: ['audio-transcription'] },
  // Google's speech models are conversations whose answer is audio.
  { names: /^gemini-.*-tts/i, endpoints: ['openai', 'gemini'] },
  { names: /^tts-|-tts(-|$)|^speech-|^cosyvoice|^kokoro|^melotts/i, endpoints: ['audio-speech'] },
  {
    names:
      /^(dall-e|gpt-image|chatgpt-image|imagen|(doubao-)?see(dream|dedit)|stability:|stable-diffusion|flux|z-image|wanx|qwen-image|cogview|grok-(\d-|imagine-)image)/i,
    endpoints: ['image-generation'],
  },
  { names: /^gemini-.*-image/i, endpoints: ['openai', 'gemini', 'image-generation'] },
];
/** Every chat endpoint leads to every such model: the gateway translates. */
const CONVERSATION: readonly EndpointType[] = ['openai', 'openai-response', 'anthropic', 'gemini'];

/**
 * Endpoints derived from a model's name, whatever its reseller (`openai/whisper-1`, `@cf/baai/bge-m3`); undefined = the name is
 * unknown.
 */
export function endpointsNamedBy(model: string): readonly EndpointType[] | undefined {
  const ownName = model.slice(model.lastIndexOf('/') + 1);
  return KINDS.find(({ names }) => names.test(ownName))?.endpoints;
}

/** Derived from the name alone: the channel of a call is chosen when it comes. */
export const endpointsOf = (model: string): readonly EndpointType[] =>
  endpointsNamedBy(model) ?? CONVERSATION;

const VENDORS: readonly (readonly [names: RegExp, vendor: string])[] = [
  [
    /^(gpt-|chatgpt|o[134](-|$)|dall-e|whisper|tts-|text-embedding-(3|ada)|text-moderation|omni-|davinci|babbage|codex|sora|computer-use)/i,
    'OpenAI',
  ],
  [/claude/i, 'Anthropic'],
  [/^(gemini|gemma|imagen|veo|palm|learnlm|text-embedding-00|embedding-00)/i, 'Google'],
  [/^(deepseek)/i, 'DeepSeek'],
  [/^(qwen|qwq|qvq|wan|text-embedding-v|z-image)/i, 'Alibaba'],
  [/^(glm|chatglm|cogview|cogvideo)/i, 'Zhipu'],
  [/^(kimi|moonshot)/i, 'Moonshot'],
  [/^(doubao|seed|seedream|seededit)/i, 'ByteDance'],
  [/^(ernie|embedding-v1|bloomz|tao-8k)/i, 'Baidu'],
  [/^(hunyuan)/i, 'Tencent'],
  [/^(spark)/i, 'iFlytek'],
  [/^(yi-)/i, '01.AI'],
  [/^(abab|minimax|speech-)/i, 'MiniMax'],
  [/^(grok)/i, 'xAI'],
  [/^(mistral|ministral|codestral|pixtral|magistral|devstral|open-mi)/i, 'Mistral'],
  [/^(command|rerank|embed-|c4ai|aya)/i, 'Cohere'],
  [/^(sonar)/i, 'Perplexity'],
  [/llama/i, 'Meta'],
  [/^(jina)/i, 'Jina'],
  [/^(mj_|swap_face|midjourney)/i, 'Midjourney'],
  [/^(suno)/i, 'Suno'],
  [/^(stability:|stable-)/i, 'Stability AI'],
];

/** Maker of the model, derived from its name; empty = unknown. The channels that serve it are internal to the operator. */
export const vendorOf = (model: string): string => VENDORS.find(([names]) => names.test(model))?.[1] ?? '';
