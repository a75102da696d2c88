import { describe, expect, it } from '@jest/globals';
import { geminiGenerateStream } from './index.js';
import { target, parsed, hi } from '../../../../test/support/fixtures/gemini-requests.fixture.js';

const parse = (body: unknown, query?: string) =>
  geminiGenerateStream.parseCall(
    Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    target(undefined, query),
  );

describe('parsing', () => {
  it.each([
    ['no body', ''],
    ['no contents', {}],
    ['empty contents', { contents: [] }],
    ['contents that are text', { contents: 'Hi' }],
    ['a cap of zero', { contents: hi, generationConfig: { maxOutputTokens: 0 } }],
    ['a fractional cap', { contents: hi, generationConfig: { max_output_tokens: 1.5 } }],
    ['a cap beyond all reason', { contents: hi, generationConfig: { maxOutputTokens: 2 ** 40 } }],
    ['too many candidates', { contents: hi, generationConfig: { candidateCount: 1_000 } }],
    [
      'a setting in two spellings (RLY-03)',
      { contents: hi, generationConfig: { maxOutputTokens: 1, max_output_tokens: 9 } },
    ],
    ['a member in two spellings (RLY-03)', { contents: hi, generationConfig: {}, generation_config: {} }],
    ['another model in the body (RLY-03)', { contents: hi, model: 'models/other' }],
  ])('refuses %s', (_name, body) => {
    expect(parse(body)).toMatchObject({ ok: false, error: { kind: 'invalid-request' } });
  });

  it('takes cap and candidates from either spelling, and the model from the address', () => {
    const call = parse({
      contents: hi,
      generation_config: { max_output_tokens: 7, candidate_count: 2 },
      model: 'models/gemini-2.5-flash',
    });
    expect(call).toMatchObject({
      ok: true,
      value: { shape: { model: 'gemini-2.5-flash', outputCap: 7, choices: 2, stream: true } },
    });
  });

  it('streams events where asked, else an array', () => {
    expect(parse({ contents: hi }, 'alt=sse')).toMatchObject({
      value: { shape: { wantsStreamUsage: true } },
    });
    expect(parse({ contents: hi }, 'alt=json&x=1')).toMatchObject({
      value: { shape: { streamForm: 'json-array' } },
    });
  });

  it('estimates words, not signatures or files', () => {
    const parts = [
      { text: 'Hi', thoughtSignature: 'A'.repeat(4_000) },
      { inlineData: { mimeType: 'image/png', data: 'A'.repeat(40_000) } },
    ];
    const { promptTokens } = parsed({ contents: [{ role: 'user', parts }] }).shape;
    expect(promptTokens).toBeLessThan(400);
  });
});
