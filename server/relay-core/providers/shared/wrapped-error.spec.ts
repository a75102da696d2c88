import { describe, expect, it } from '@jest/globals';
import { readErrorInside, readFailedReply } from './openai-compatible-error.js';

const DEEP = 'supports at most 1 image per prompt';
const failed = (status: number, document: unknown) =>
  readFailedReply({ status, headers: {}, body: Buffer.from(JSON.stringify(document)) }, ['sk-secret-key']);
const openRouter = (raw: unknown, code = 400) => ({
  error: { message: 'Provider returned error', code, metadata: { raw, provider_name: 'X' } },
});

describe('a failure in wrappers', () => {
  it.each([
    ['OpenRouter, as JSON', openRouter(JSON.stringify({ error: { message: DEEP } }))],
    ['OpenRouter, as a document', openRouter({ error: { message: DEEP } })],
    ['OpenRouter, as words', openRouter(DEEP)],
    ['Vercel', { error: { message: 'bad', value: { error_message: DEEP } } }],
    ['Bifrost', { is_bifrost_error: true, error: { message: 'bad', error: { message: DEEP } } }],
    ['JSON in the sentence', { error: { message: JSON.stringify({ error: { message: DEEP } }) } }],
    ['JSON behind words', { error: { message: `upstream said: ${JSON.stringify({ message: DEEP })}` } }],
    ['JSON in `detail`', { detail: JSON.stringify({ error: { message: DEEP } }) }],
    ['two wrappers', openRouter(JSON.stringify({ error: { message: 'bad', error: { message: DEEP } } }))],
    [
      'Google',
      {
        error: {
          message: 'Request contains an invalid argument.',
          details: [{ fieldViolations: [{ field: 'x', description: DEEP }] }],
        },
      },
    ],
  ])('shows the innermost sentence, whatever the status: %s', (_name, document) => {
    for (const status of [400, 500]) expect(failed(status, document)).toMatchObject({ message: DEEP });
    expect(readErrorInside(document, [])).toMatchObject({ message: DEEP });
  });

  it.each<[string, unknown]>([
    ['Hugging Face, a list of sentences', { error: [DEEP] }],
    ['DeepInfra', { detail: { error: DEEP } }],
    ['DeepInfra, a document', { detail: { error: { message: DEEP } } }],
    ['a text alone', DEEP],
    ['a list, as Google streams it', [{ error: { code: 400, message: DEEP } }]],
    ['a message that is a document', { error: { message: { text: DEEP } } }],
    ['an error inside a message', { message: { error: { message: DEEP } } }],
    [
      'Databricks',
      { error_code: 'X', message: JSON.stringify({ external_model_message: { error: { message: DEEP } } }) },
    ],
    ['errors as sentences', { errors: [DEEP] }],
    ['errors as a document', { errors: { message: DEEP } }],
    ['errors of Google', { error: { code: 400, errors: [{ message: DEEP }] } }],
    ['Vercel, in `param`', { error: { message: 'Bad Request', param: { error: { message: DEEP } } } }],
    [
      'Vercel, a gateway',
      {
        error: {
          message: 'Invalid error response format: Gateway request failed',
          param: { response: { error: { message: DEEP } } },
        },
      },
    ],
    ['Azure', { error: { message: 'Bad Request', innererror: { message: DEEP } } }],
    ['details in words', { error: { message: 'Bad Request', details: DEEP } }],
    ['details in a list', { error: { message: 'Validation error', details: [{ message: DEEP }] } }],
    ['a cause', { error: { message: 'upstream error', cause: { message: DEEP } } }],
    [
      'the body of a client of HTTP',
      {
        error: {
          message: 'Request failed with status code 400',
          responseBody: `{"error":{"message":"${DEEP}"}}`,
        },
      },
    ],
    ['Python', { error: { message: `Error code: 400 - {'error': {'message': '${DEEP}', 'type': 'x'}}` } }],
    ['a reason', { error: { code: 400, reason: DEEP } }],
    ['a title', { title: DEEP, status: 400 }],
    ['data', { data: { error: { message: DEEP } } }],
    ['errmsg', { errcode: 400, errmsg: DEEP }],
  ])('finds the sentence of %s', (_name, document) => {
    expect(failed(400, document)).toMatchObject({ message: DEEP });
    expect(readErrorInside(document, [])).toMatchObject({ message: DEEP });
  });

  it('keeps a sentence that names the reason, whatever details stand beside it', () => {
    const message = 'The model gpt-9 does not exist.';
    for (const beside of [
      { details: 'see the documentation' },
      { cause: { message: 'not found' } },
      { param: { a: 'b c' } },
      { details: [{ '@type': 'type.googleapis.com/google.rpc.Help', links: [] }] },
    ])
      expect(failed(400, { error: { message, ...beside } })).toMatchObject({ message });
  });

  it.each([
    ['a page', '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>'],
    ['a document', '{"a":{"b":1}}'],
  ])('shows neither %s in the place of a sentence', (_name, text) => {
    expect(failed(500, { error: { message: text } }).message).toBe('The upstream answered with status 500.');
  });

  it('distinguishes a prompt that a moderation stopped from a key without rights', () => {
    const message = 'openai/gpt-4o requires moderation. Your input was flagged for "violence".';
    const metadata = { reasons: ['violence'], flagged_input: 'x' };
    expect(failed(403, { error: { code: 403, message, metadata } })).toMatchObject({
      kind: 'upstream-request-rejected',
      message,
    });
    expect(failed(403, { error: { message: 'No rights' } })).toMatchObject({ kind: 'upstream-key-refused' });
  });

  it('takes the kind of the innermost one, so that clients compact and do not repeat', () => {
    const raw = JSON.stringify({
      error: {
        message: "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens",
        code: 'context_length_exceeded',
      },
    });
    for (const error of [failed(502, openRouter(raw, 502)), readErrorInside(openRouter(raw, 502), [])])
      expect(error).toMatchObject({
        kind: 'upstream-request-rejected',
        upstreamStatus: 400,
        vendorCode: 'context_length_exceeded',
        reason: { is: 'too-long', used: 9_000, most: 8_192 },
      });
  });

  it('does not take an account of the vendor behind for ours', () => {
    const raw = JSON.stringify({ error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } });
    expect(failed(502, openRouter(raw, 502))).toMatchObject({ kind: 'upstream-overloaded' });
  });

  it.each([
    ['a page', '<html><body>nginx is down</body></html>'],
    ['a single word', 'ERROR'],
    ['a document without a sentence', '{"status":1}'],
    ['nothing', ''],
    ['a number', 7],
  ])('keeps the outer sentence where the wrapped one is %s', (_name, raw) => {
    expect(failed(400, openRouter(raw))).toMatchObject({ message: 'Provider returned error' });
  });

  it('keeps the key of the channel out of a wrapped sentence', () => {
    expect(failed(400, openRouter('the key sk-secret-key is over its limit')).message).not.toContain(
      'sk-secret',
    );
  });

  it('keeps a sentence of Google that is longer than its details', () => {
    const document = {
      error: {
        message: 'contents is not specified',
        details: [{ fieldViolations: [{ description: DEEP }] }],
      },
    };
    expect(failed(400, document)).toMatchObject({ message: 'contents is not specified' });
  });
});
