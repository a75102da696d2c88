import { openaiChat } from '../formats/openai-chat/index.js';
import { openaiCompletions } from '../formats/openai-completions/index.js';
import { openaiEmbeddings } from '../formats/openai-embeddings/index.js';
import { openaiResponses } from '../formats/openai-responses/index.js';
import { rerank } from '../formats/rerank/index.js';
import { openaiLimitHeaders } from '../model/limit-figures.js';
import type { Dialect, DialectRoute } from './dialect.js';
import { findKey } from './find-key.js';
import { openaiErrorBody, writeOpenaiError } from './openai-error.js';
import { openaiImageEdits, openaiImages, openaiImageVariations } from '../formats/openai-images/index.js';
import { openaiModeration } from '../formats/openai-moderation/index.js';
import { openaiSpeech } from '../formats/openai-speech/index.js';
import { openaiTranscription, openaiTranslation } from '../formats/openai-transcription/index.js';

/** Images, audio and moderation of OpenAI's client API. */
export const OPENAI_MEDIA_ROUTES: readonly DialectRoute[] = [
  { method: 'POST', path: '/v1/images/generations', operation: 'image', apiFormat: openaiImages },
  {
    method: 'POST',
    path: '/v1/images/edits',
    operation: 'image',
    apiFormat: openaiImageEdits,
    bodyType: 'json-or-multipart',
  },
  {
    method: 'POST',
    path: '/v1/images/variations',
    operation: 'image',
    apiFormat: openaiImageVariations,
    bodyType: 'multipart',
  },
  { method: 'POST', path: '/v1/audio/speech', operation: 'speak', apiFormat: openaiSpeech },
  {
    method: 'POST',
    path: '/v1/audio/transcriptions',
    operation: 'transcribe',
    apiFormat: openaiTranscription,
    bodyType: 'multipart',
  },
  {
    method: 'POST',
    path: '/v1/audio/translations',
    operation: 'transcribe',
    apiFormat: openaiTranslation,
    bodyType: 'multipart',
  },
  { method: 'POST', path: '/v1/moderations', operation: 'moderate', apiFormat: openaiModeration },
];

/** OpenAI's client API: https://platform.openai.com/docs/api-reference (read 2026-11-21). */
export const openai: Dialect = {
  id: 'openai',
  routes: [
    { method: 'POST', path: '/v1/chat/completions', operation: 'chat', apiFormat: openaiChat },
    { method: 'POST', path: '/v1/completions', operation: 'chat', apiFormat: openaiCompletions },
    { method: 'POST', path: '/v1/responses', operation: 'chat', apiFormat: openaiResponses },
    { method: 'POST', path: '/v1/embeddings', operation: 'embed', apiFormat: openaiEmbeddings },
    {
      method: 'POST',
      path: '/v1/engines/:model/embeddings',
      operation: 'embed',
      apiFormat: openaiEmbeddings,
    },
    { method: 'POST', path: '/v1/rerank', operation: 'rerank', apiFormat: rerank },
    ...OPENAI_MEDIA_ROUTES,
  ],
  findCredential: (headers) => findKey(headers, { header: 'x-api-key', missing: 'key-missing-openai' }),
  writeError: writeOpenaiError,
  limitHeaders: openaiLimitHeaders,
  writeErrorFrame: (error, callId) => `data: ${openaiErrorBody(error, callId)}\n\n`,
};
