import { describe, expect, it } from '@jest/globals';
import { endpointsNamedBy, endpointsOf, vendorOf } from './model-kind.js';

describe('endpointsNamedBy', () => {
  it.each([
    ['omni-moderation-latest', ['moderations']],
    ['jina-reranker-v2-base-multilingual', ['jina-rerank']],
    ['text-embedding-3-small', ['embeddings', 'gemini']],
    ['@cf/baai/bge-m3', ['embeddings', 'gemini']],
    ['gpt-4o-realtime-preview', ['realtime']],
    ['gpt-4o-transcribe', ['audio-transcription']],
    ['openai/whisper-1', ['audio-transcription']],
    ['gemini-2.5-flash-preview-tts', ['openai', 'gemini']],
    ['gpt-4o-mini-tts', ['audio-speech']],
    ['tts-1', ['audio-speech']],
    ['gpt-image-1', ['image-generation']],
    ['doubao-seedream-4-0', ['image-generation']],
    ['gemini-3-pro-image-preview', ['openai', 'gemini', 'image-generation']],
  ])('opens to %s %j', (model, endpoints) => {
    expect(endpointsNamedBy(model)).toEqual(endpoints);
    expect(endpointsOf(model)).toEqual(endpoints);
  });

  it.each(['gpt-4o', 'claude-sonnet-4-5', 'gemini-2.5-pro', 'deepseek-chat', 'seed-2-0-pro', 'bge', ''])(
    'does not know a name such as %j, which is a conversation',
    (model) => {
      expect(endpointsNamedBy(model)).toBeUndefined();
      expect(endpointsOf(model)).toEqual(['openai', 'openai-response', 'anthropic', 'gemini']);
    },
  );
});

describe('vendorOf', () => {
  it.each([
    ['gpt-4o', 'OpenAI'],
    ['o3-mini', 'OpenAI'],
    ['o3x', ''],
    ['anthropic.claude-3', 'Anthropic'],
    ['text-embedding-004', 'Google'],
    ['text-embedding-3-large', 'OpenAI'],
    ['text-embedding-v4', 'Alibaba'],
    ['doubao-1.5-pro', 'ByteDance'],
    ['meta/llama-3', 'Meta'],
    ['mj_imagine', 'Midjourney'],
    ['house-model', ''],
  ])('finds the maker of %s to be %j', (model, vendor) => {
    expect(vendorOf(model)).toBe(vendor);
  });
});
