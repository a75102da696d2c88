import { fail, ok, type Result } from '../../common/result.js';
import { refusal } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import { openaiChat } from '../formats/openai-chat/index.js';
import { openaiCompletions } from '../formats/openai-completions/index.js';
import { openaiEmbeddings } from '../formats/openai-embeddings/index.js';
import { openaiResponses } from '../formats/openai-responses/index.js';
import { rerank } from '../formats/rerank/index.js';
import { bearerKey } from './bearer-key.js';
import type { Dialect, RequestHeaders } from './dialect.js';
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
  findCredential,
  writeError: writeOpenaiError,
  writeErrorFrame: (error, callId) => `data: ${openaiErrorBody(error, callId)}\n\n`,
};

/** `Authorization: Bearer KEY`. `x-api-key` is accepted beside it only when both say the same. */
function findCredential(headers: RequestHeaders): Result<string, RelayError> {
  const authorization = headers['authorization'];
  const alternative = headers['x-api-key'];
  if (Array.isArray(authorization) || Array.isArray(alternative)) return fail(refusal('keys-sent'));
  if (authorization === undefined || authorization === '') {
    return alternative === undefined || alternative === ''
      ? fail(refusal('key-missing-openai'))
      : ok(alternative);
  }
  const credential = bearerKey(authorization);
  if (credential === undefined) return fail(refusal('key-unreadable'));
  if (alternative !== undefined && alternative !== '' && alternative !== credential) {
    return fail(refusal('keys-differ'));
  }
  return ok(credential);
}
