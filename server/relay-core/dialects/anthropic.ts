import { fail, ok, type Result } from '../../common/result.js';
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
  if (Array.isArray(key) || Array.isArray(authorization)) return refuse('Send exactly one API key.');
  if (authorization === undefined || authorization === '') {
    return key === undefined || key.trim() === '' ? refuse(MISSING) : ok(key.trim());
  }
  const bearer = bearerKey(authorization);
  if (bearer === undefined) {
    return refuse('The Authorization header must read "Bearer" and one API key.');
  }
  if (key !== undefined && key !== '' && key !== bearer) {
    return refuse('Two different API keys were sent; send exactly one.');
  }
  return ok(bearer);
}

const MISSING = 'You did not provide an API key. Send it in the x-api-key header: "x-api-key: YOUR_KEY".';

const refuse = (message: string) => fail<RelayError>({ kind: 'unauthenticated', blame: 'caller', message });
