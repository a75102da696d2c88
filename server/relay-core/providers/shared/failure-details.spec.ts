import { describe, expect, it } from '@jest/globals';
import { type FailureDetails, reasonOf, statusOfFailure } from './failure-details.js';

const words = (members: Partial<FailureDetails>): FailureDetails => ({
  message: undefined,
  type: undefined,
  code: undefined,
  status: undefined,
  ...members,
});

describe('statusOfFailure', () => {
  it.each([
    [{}, undefined],
    [{ message: ' ' }, undefined],
    [{ message: 'something went wrong' }, undefined],
    [{ code: 'constructor', type: 'toString' }, undefined],
    [{ status: 418, code: 'invalid_api_key' }, 418],
    [{ code: 'RATE-LIMIT.EXCEEDED' }, 429],
    [{ code: 'ThrottlingException' }, 429],
    [{ code: 'unheard_of', type: 'overloaded_error' }, 529],
    [{ code: 'vector_store_timeout', type: 'invalid_request_error' }, 504],
    [{ message: 'Incorrect API key provided: sk-***' }, 401],
    [{ message: 'Unauthorized.' }, 401],
    [{ message: 'my essay is about an invalid api key' }, undefined],
    [{ message: 'Rate limit reached for requests' }, 429],
    [{ message: 'The model `x` does not exist' }, 404],
    [{ message: 'the server is overloaded' }, 503],
    [{ message: 'prompt is too long: 9 tokens > 8 maximum' }, 400],
    [{ message: 'temperature is not supported' }, 400],
    [{ message: 'Missing field `messages`' }, 400],
  ])('takes %j for %p', (members, status) => {
    expect(statusOfFailure(words(members))).toBe(status);
  });
});

describe('reasonOf', () => {
  const TOO_LONG = { is: 'too-long' };

  it.each([
    [
      400,
      'prompt is too long: 210000 tokens > 200000 maximum',
      { ...TOO_LONG, used: 210_000, most: 200_000 },
    ],
    [400, 'prompt is too long', TOO_LONG],
    [
      400,
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      { ...TOO_LONG, used: 9_000, most: 8_192 },
    ],
    [400, "This model's maximum context length is 8192 tokens.", TOO_LONG],
    [
      400,
      'The input token count (40000) exceeds the maximum number of tokens allowed (32768).',
      { ...TOO_LONG, used: 40_000, most: 32_768 },
    ],
    [
      500,
      'the request (4500 tokens) exceeds the available context size (4096 tokens)',
      { ...TOO_LONG, used: 4_500, most: 4_096 },
    ],
    [
      400,
      'input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000',
      {
        ...TOO_LONG,
        used: 190_000,
        most: 200_000,
      },
    ],
    [500, 'prompt is too long', undefined],
    [401, 'prompt is too long', undefined],
    [404, 'The model x does not exist', { is: 'no-model' }],
    [404, 'model: claude-9', { is: 'no-model' }],
    [429, 'The model x does not exist', undefined],
    [404, 'no such file', undefined],
    [503, '', { is: 'overloaded' }],
    [529, '', { is: 'overloaded' }],
  ])('reads of %i %j: %j', (status, message, reason) => {
    expect(reasonOf(status, words({ message }))).toEqual(reason);
  });

  it('uses code and type where the message gives no reason', () => {
    expect(reasonOf(400, words({ code: 'context_length_exceeded' }))).toEqual(TOO_LONG);
    expect(reasonOf(500, words({ type: 'overloaded_error' }))).toEqual({ is: 'overloaded' });
    expect(reasonOf(400, words({ type: 'overloaded_error' }))).toBeUndefined();
    expect(reasonOf(400, words({ code: 'invalid_model' }))).toEqual({ is: 'no-model' });
  });
});
