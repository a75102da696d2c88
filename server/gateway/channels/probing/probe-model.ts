import type { Operation } from '../../../relay-core/model/operation.js';
import { endpointsNamedBy, type EndpointType } from '../../../relay-core/model/model-kind.js';
import { findProvider } from '../../../relay-core/providers/registry.js';
import type { ProbeEndpoint } from '../state/probe-kinds.js';

const PROBE_ENDPOINT_OF: Readonly<Record<EndpointType, ProbeEndpoint>> = {
  openai: 'chat',
  'openai-response': 'responses',
  anthropic: 'messages',
  gemini: 'generate_content',
  embeddings: 'embeddings',
  'jina-rerank': 'rerank',
  'image-generation': 'images',
  'audio-speech': 'speech',
  'audio-transcription': 'transcriptions',
  moderations: 'moderations',
  realtime: 'realtime',
};

/** The kind of test a model's name stands for; undefined = unknown, taken for a conversation. */
export function endpointNamedBy(model: string, channelType: number): ProbeEndpoint | undefined {
  const name = model.toLowerCase();
  if (answersWithAudioOnly(name)) return 'generate_content';
  const [endpoint] = endpointsNamedBy(name) ?? [];
  if (endpoint !== undefined) return PROBE_ENDPOINT_OF[endpoint];
  const provider = findProvider(channelType);
  const own = provider.ok ? provider.value.probeAs?.(name) : undefined;
  if (own !== undefined && own !== 'submit') return ENDPOINT_OF_CALL[own];
  if (name.includes('bge-')) return 'embeddings';
  return name.includes('codex') ? 'responses' : undefined;
}

/** The kind of test that asks what a call asked. */
export const ENDPOINT_OF_CALL: Readonly<Record<Exclude<Operation, 'submit'> | 'realtime', ProbeEndpoint>> = {
  chat: 'chat',
  embed: 'embeddings',
  image: 'images',
  speak: 'speech',
  transcribe: 'transcriptions',
  moderate: 'moderations',
  rerank: 'rerank',
  realtime: 'realtime',
};

/** True when the test draws an image, which costs money; text, vectors and a second of audio cost next to nothing. */
export const costsMoney = (model: string, endpoint: ProbeEndpoint): boolean =>
  endpoint === 'images' || endpointsNamedBy(model)?.includes('image-generation') === true;

/** Conversations that need sound in them: https://platform.openai.com/docs/guides/audio (read 2026-11-25). */
export const isAudioChat = (model: string): boolean =>
  /(?:^|\/)(?:gpt-audio|gpt-4o.*-audio-preview)/i.test(model);

/** Google's models whose only answer is sound: https://ai.google.dev/gemini-api/docs/speech-generation (read 2026-11-25). */
export const answersWithAudioOnly = (model: string): boolean => /(?:^|\/)gemini-.*-tts/i.test(model);
