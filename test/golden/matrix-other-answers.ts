import type { Answer } from './matrix-answer.js';
import { generated } from './matrix-chat-answers.js';

/** Address some vendors return for the images they made. */
export const PICTURE_ADDRESS = 'https://pictures.example/otter.png';
export const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==';

const vectors = {
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: [1, 0] }],
  model: 'm',
  usage: { prompt_tokens: 2, total_tokens: 2 },
};
const ranked = {
  results: [
    { index: 1, relevance_score: 0.75 },
    { index: 0, relevance_score: 0.25 },
  ],
  usage: { total_tokens: 5 },
};
const pictures = { created: 1, data: [{ b64_json: PICTURE }] };
const heard = { text: 'Hello there.' };

/** Answers of other operations than conversations, by the vendor's format. */
export const MEDIA_ANSWERS: Readonly<Record<string, Answer>> = {
  'openai-embeddings': { whole: vectors },
  'jina-embed': { whole: vectors },
  'baidu-embed': { whole: vectors },
  'ali-multimodal-embed': {
    whole: {
      output: { embeddings: [{ index: 0, embedding: [1, 0], type: 'text' }] },
      usage: { input_tokens: 2 },
    },
  },
  'bedrock-titan-embed': { whole: { embedding: [1, 0], inputTextTokenCount: 2 } },
  'bedrock-nova-embed': { whole: { embeddings: [{ embeddingType: 'TEXT', embedding: [1, 0] }] } },
  'bedrock-cohere-embed': { whole: { id: 'g', embeddings: { float: [[1, 0]] } } },
  'cohere-embed': {
    whole: { id: 'g', embeddings: { float: [[1, 0]] }, meta: { billed_units: { input_tokens: 2 } } },
  },
  'gemini-embed': { whole: { embedding: { values: [1, 0] } } },
  'gemini-embed-batch': { whole: { embeddings: [{ values: [1, 0] }] } },
  'vertex-embed': {
    whole: { predictions: [{ embeddings: { values: [1, 0], statistics: { token_count: 2 } } }] },
  },
  'ollama-embed': { whole: { embeddings: [[1, 0]], prompt_eval_count: 2 } },
  'midjourney-proxy': { whole: { code: 1, description: 'ok', result: 'task-of-the-vendor' } },
  'suno-api': { whole: { code: 'success', message: '', data: 'task-of-the-vendor' } },
  rerank: { whole: ranked },
  'siliconflow-rerank': { whole: ranked },
  'xinference-rerank': { whole: ranked },
  'cohere-rerank': { whole: { ...ranked, meta: { billed_units: { search_units: 1 } } } },
  'ali-rerank': { whole: { output: { results: ranked.results }, usage: { total_tokens: 5 } } },
  'bedrock-rerank': {
    whole: {
      results: [
        { index: 1, relevanceScore: 0.75 },
        { index: 0, relevanceScore: 0.25 },
      ],
    },
  },
  'openai-images': { whole: pictures },
  'openai-image-edits': { whole: pictures },
  'openai-image-variations': { whole: pictures },
  'cloudflare-image': { whole: { result: { image: PICTURE }, success: true, errors: [] } },
  'ali-images-messages': {
    whole: {
      output: {
        choices: [{ message: { role: 'assistant', content: [{ image: PICTURE_ADDRESS }] } }],
      },
      usage: { image_count: 1 },
    },
  },
  'ali-images-prompt': {
    whole: {
      output: { task_id: 't', task_status: 'SUCCEEDED', results: [{ url: PICTURE_ADDRESS }] },
      usage: { image_count: 1 },
    },
  },
  'ali-images-images': {
    whole: {
      output: { task_id: 't', task_status: 'SUCCEEDED', results: [{ url: PICTURE_ADDRESS }] },
      usage: { image_count: 1 },
    },
  },
  'imagen-predict': { whole: { predictions: [{ bytesBase64Encoded: PICTURE, mimeType: 'image/png' }] } },
  'gemini-image': {
    whole: generated([{ inlineData: { mimeType: 'image/png', data: PICTURE } }], { finishReason: 'STOP' }),
  },
  'gemini-speech': {
    whole: generated(
      [
        {
          inlineData: {
            mimeType: 'audio/L16;codec=pcm;rate=24000',
            data: Buffer.from('ID3 sound').toString('base64'),
          },
        },
      ],
      { finishReason: 'STOP' },
    ),
  },
  'openai-speech': { bytes: { type: 'audio/mpeg', body: Buffer.from('ID3 sound') } },
  'openai-transcription': { whole: heard },
  'openai-translation': { whole: heard },
  'cloudflare-transcription': { whole: { result: heard, success: true, errors: [] } },
  'openai-moderation': {
    whole: {
      id: 'modr-1',
      model: 'm',
      results: [{ flagged: false, categories: { hate: false }, category_scores: { hate: 0.001 } }],
    },
  },
};
