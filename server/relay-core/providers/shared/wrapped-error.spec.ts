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

  it('keeps a sentence of Google that says more than its details', () => {
    const document = {
      error: {
        message: 'contents is not specified',
        details: [{ fieldViolations: [{ description: DEEP }] }],
      },
    };
    expect(failed(400, document)).toMatchObject({ message: 'contents is not specified' });
  });
});
