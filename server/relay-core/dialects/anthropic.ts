import { anthropicMessages } from '../formats/anthropic-messages/index.js';
import { anthropicErrorBody, writeAnthropicError } from './anthropic-error.js';
import type { Dialect } from './dialect.js';
import { findKey } from './find-key.js';

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
  findCredential: (headers) => findKey(headers, { header: 'x-api-key', missing: 'key-missing-anthropic' }),
  writeError: writeAnthropicError,
  writeErrorFrame: (error, callId) => `event: error\ndata: ${anthropicErrorBody(error, callId)}\n\n`,
};
