import type { StrictGrammar } from './strict-grammar.js';

/** OpenAI's failures (https://platform.openai.com/docs/guides/error-codes, read 2026-11-25). */
export const OPENAI_FAILURES: NonNullable<StrictGrammar['failures']> = {
  'rate-limited': {
    status: 429,
    headers: { 'retry-after': '7' },
    body: {
      error: {
        message: 'Rate limit reached for requests',
        type: 'requests',
        param: null,
        code: 'rate_limit_exceeded',
      },
    },
  },
  'too-long': {
    status: 400,
    body: {
      error: {
        message:
          "This model's maximum context length is 128000 tokens. However, your messages resulted in 150000 tokens. Please reduce the length of the messages.",
        type: 'invalid_request_error',
        param: 'messages',
        code: 'context_length_exceeded',
      },
    },
  },
  overloaded: {
    status: 503,
    body: {
      error: {
        message: 'The engine is currently overloaded, please try again later',
        type: 'server_error',
        param: null,
        code: null,
      },
    },
  },
};
