import { openaiChat } from '../formats/openai-chat/index.js';
import { openaiCompletions } from '../formats/openai-completions/index.js';
import { openaiEmbeddings } from '../formats/openai-embeddings/index.js';
import { openaiResponses } from '../formats/openai-responses/index.js';
import { rerank } from '../formats/rerank/index.js';
import type { Dialect } from './dialect.js';
import { findKey } from './find-key.js';
import { OPENAI_MEDIA_ROUTES } from './openai-media-routes.js';
import { openaiErrorBody, writeOpenaiError } from './openai-error.js';

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
  writeErrorFrame: (error, callId) => `data: ${openaiErrorBody(error, callId)}\n\n`,
};
