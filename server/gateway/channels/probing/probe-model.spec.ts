import { describe, expect, it } from '@jest/globals';
import { costsMoney, endpointNamedBy } from './probe-model.js';

const OPENAI_TYPE = 1;

describe("the kind of test a model's name stands for", () => {
  it.each([
    [
      'transcriptions',
      'whisper-1 openai/whisper-large-v3 @cf/openai/whisper gpt-4o-mini-transcribe SenseVoiceSmall qwen3-asr-flash',
    ],
    ['speech', 'tts-1 tts-1-hd gpt-4o-mini-tts qwen3-tts-flash speech-02-hd FunAudioLLM/CosyVoice2-0.5B'],
    [
      'images',
      'dall-e-3 gpt-image-1 imagen-4.0-generate-001 black-forest-labs/FLUX.1-schnell qwen-image doubao-seedream-4-0-250828',
    ],
    ['realtime', 'gpt-realtime gpt-4o-realtime-preview openai/gpt-realtime-mini'],
    ['embeddings', 'text-embedding-3-small BAAI/bge-m3 @cf/baai/bge-m3 m3e-base nomic-embed-text'],
    ['rerank', 'rerank-v3.5 jina-reranker-m0 BAAI/bge-reranker-v2-m3'],
    ['moderations', 'omni-moderation-latest text-moderation-stable'],
    ['responses', 'gpt-5.1-codex'],
    ['generate_content', 'gemini-2.5-flash-preview-tts'],
  ])('%s: %s', (endpoint, models) => {
    for (const model of models.split(' '))
      expect([model, endpointNamedBy(model, OPENAI_TYPE)]).toEqual([model, endpoint]);
  });

  it('does not follow from names of conversations', () => {
    for (const model of ['gpt-4o', 'claude-sonnet-4-5', 'house-model', 'gpt-audio'])
      expect(endpointNamedBy(model, OPENAI_TYPE)).toBeUndefined();
  });

  it('detects image requests, whatever their address', () => {
    expect(costsMoney('gpt-4o', 'images')).toBe(true);
    expect(costsMoney('gemini-2.5-flash-image', 'chat')).toBe(true);
    expect(costsMoney('gpt-4o', 'chat')).toBe(false);
    expect(costsMoney('whisper-1', 'transcriptions')).toBe(false);
  });
});
