import { fail, ok, type Result } from '../../common/result.js';
import { refusal } from '../model/refusals.js';
import type { RelayError } from '../model/relay-error.js';
import { anthropicMessages } from '../formats/anthropic-messages/index.js';
import { anthropicErrorBody, writeAnthropicError } from './anthropic-error.js';
import { bearerKey } from './bearer-key.js';
import type { Dialect, RequestHeaders } from './dialect.js';

/** Anthropic's client API: https://docs.claude.com/en/api/overview (read 2026-11-21). */
export const anthropic: Dialect = {
  id: 'anthropic',
  routes: [
    { method: 'POST', path: '/v1/messages', operation: 'chat', apiFormat: anthropicMessages },
    {
      method: 'POST',
      path: '/v1/messages/count_tokens',
      operation: 'chat',
      apiFormat: anthropicMessages,
      writeCount: (tokens) => Buffer.from(JSON.stringify({ input_tokens: tokens })),
    },
  ],
  findCredential,
  writeError: writeAnthropicError,
  writeErrorFrame: (error, callId) => `event: error\ndata: ${anthropicErrorBody(error, callId)}\n\n`,
};

/** `x-api-key: KEY`, or `Authorization: Bearer KEY` as agents send it. Both only when they say the same. */
function findCredential(headers: RequestHeaders): Result<string, RelayError> {
  const key = headers['x-api-key'];
  const authorization = headers['authorization'];
  if (Array.isArray(key) || Array.isArray(authorization)) return fail(refusal('keys-sent'));
  if (authorization === undefined || authorization === '') {
    return key === undefined || key.trim() === '' ? fail(refusal('key-missing-anthropic')) : ok(key.trim());
  }
  const bearer = bearerKey(authorization);
  if (bearer === undefined) {
    return fail(refusal('key-unreadable'));
  }
  if (key !== undefined && key !== '' && key !== bearer) {
    return fail(refusal('keys-differ'));
  }
  return ok(bearer);
}
