import { describe, expect, it } from '@jest/globals';
import type { CallTarget, RequestEdits } from '../contract/api-format.js';
import { anthropicMessages } from './index.js';
import { hostedMessages } from './hosted.js';

const target = (changes: Partial<CallTarget> = {}): CallTarget => ({
  pathModel: undefined,
  query: '',
  headers: {},
  ...changes,
});
const parse = (body: unknown, changes: Partial<CallTarget> = {}) =>
  anthropicMessages.parseCall(
    Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    target(changes),
  );
const parsed = (body: unknown, changes: Partial<CallTarget> = {}) => {
  const result = parse(body, changes);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
};
const edits = (changes: Partial<RequestEdits> = {}): RequestEdits => ({
  upstreamModel: 'claude-sonnet-4-5',
  reportUsage: false,
  dropStreamOptions: true,
  outputCap: undefined,
  usesCompletionCap: false,
  refusedMembers: [],
  ...changes,
});
const hello = { model: 'claude-sonnet-4-5', max_tokens: 100, messages: [{ role: 'user', content: 'Hi' }] };

describe('a Messages call', () => {
  it.each([
    ['no messages', { model: 'm' }, 'messages'],
    ['messages that are no list', { model: 'm', messages: {} }, 'messages'],
    ['no message at all', { model: 'm', messages: [] }, 'messages'],
    ['no model', { messages: [{ role: 'user', content: 'a' }] }, 'model'],
    ['a cap below 0', { ...hello, max_tokens: -1 }, 'max_tokens'],
    ['a cap that is a fraction', { ...hello, max_tokens: 1.5 }, 'max_tokens'],
    ['stream that is a word', { ...hello, stream: 'yes' }, 'stream'],
  ])('refuses %s, naming the field', (_name, body, param) => {
    expect(parse(body)).toMatchObject({ ok: false, error: { kind: 'invalid-request', param } });
  });

  it.each([
    ['anthropic-version', '2023-06-01\r\nx: y'],
    ['anthropic-version', 'latest'],
    ['anthropic-beta', 'a b'],
    ['anthropic-beta', 'x'.repeat(2_000)],
    ['anthropic-beta', 'good,b\u0000d'],
  ])('refuses anything but names in its %s (%#)', (name, value) => {
    expect(parse(hello, { headers: { [name]: value } })).toMatchObject({
      ok: false,
      error: { kind: 'invalid-request', param: name },
    });
  });

  it('names what the stages need', () => {
    const { shape, vendorHeaders, vendorQuery } = parsed(
      { ...hello, stream: true, system: 'Be brief.' },
      {
        query: 'beta=true&key=secret',
        headers: {
          'anthropic-version': '2023-06-01',
          'anthropic-beta': 'files-api-2025-04-14, files-api-2025-04-14,mcp-client-2025-04-04',
          'x-other': 'stays',
        },
      },
    );
    expect(shape).toMatchObject({ model: 'claude-sonnet-4-5', stream: true, outputCap: 100, choices: 1 });
    expect(shape.promptTokens).toBeGreaterThan(5);
    expect(vendorQuery).toBe('beta=true');
    expect(vendorHeaders).toEqual({
      'anthropic-version': '2023-06-01',
      'anthropic-beta': 'files-api-2025-04-14,mcp-client-2025-04-04',
    });
  });

  it('takes one without a cap, or with the oldest name for it', () => {
    const { max_tokens: _cap, ...uncapped } = hello;
    expect(parsed(uncapped).shape.outputCap).toBeUndefined();
    expect(parsed({ ...uncapped, max_tokens_to_sample: 7 }).shape.outputCap).toBe(7);
  });
});

describe('pass-through', () => {
  it('leaves every byte where nothing must change', () => {
    const bytes =
      '{ "model":"claude-sonnet-4-5",\n "max_tokens": 1e2, "messages":[ {"role":"user","content":"\\u00e4"} ],"x":1.50}';
    const { document } = parsed(bytes.replace('1e2', '100'));
    expect(anthropicMessages.spliceRequest(parsed(document.bytes.toString()), edits()).toString()).toBe(
      bytes.replace('1e2', '100'),
    );
  });

  it('names the upstream’s model, and takes out what would steer the vendor or cost more', () => {
    const call = parsed({
      ...hello,
      service_tier: 'auto',
      speed: 'fast',
      api_base: 'http://x',
      extra: { kept: true },
    });
    expect(
      JSON.parse(
        anthropicMessages
          .spliceRequest(call, edits({ upstreamModel: 'mapped', refusedMembers: ['service_tier', 'speed'] }))
          .toString(),
      ),
    ).toEqual({
      ...hello,
      model: 'mapped',
      extra: { kept: true },
    });
  });

  it.each([
    ['the operator’s default', { defaultOutputCap: 4_000 }, 4_000],
    ['the cap of the model without one', {}, 64_000],
    ['what could be held', { defaultOutputCap: 4_000, outputCap: 50 }, 50],
  ])('gives a call without a cap %s', (_name, change, cap) => {
    const { max_tokens: _cap, ...uncapped } = hello;
    const body = anthropicMessages.spliceRequest(parsed(uncapped), edits(change)).toString();
    expect(JSON.parse(body)).toEqual({ ...uncapped, max_tokens: cap });
  });
});

describe('a cloud that hosts the Messages API', () => {
  const bedrock = hostedMessages({
    anthropicVersion: 'bedrock-2023-05-31',
    refusedMembers: ['metadata', 'mcp_servers'],
    betas: () => new Map([['context-1m-2025-08-07', 'context-1m-2025-08-07']]),
    takesBetasInBody: true,
  });

  it('gets the caller’s bytes without model and stream, with its version and the beta features', () => {
    const call = parsed(
      { ...hello, stream: true, metadata: { user_id: 'u' }, thinking: { type: 'adaptive' } },
      { headers: { 'anthropic-beta': 'context-1m-2025-08-07,oauth-2025-04-20' } },
    );
    expect(bedrock.id).toBe(anthropicMessages.id);
    expect(
      JSON.parse(bedrock.spliceRequest(call, edits({ upstreamModel: 'anthropic.claude' })).toString()),
    ).toEqual({
      max_tokens: 100,
      messages: hello.messages,
      thinking: { type: 'adaptive' },
      anthropic_version: 'bedrock-2023-05-31',
      anthropic_beta: ['context-1m-2025-08-07'],
    });
  });

  it('gets translated requests in the same form', () => {
    const vertex = hostedMessages({
      anthropicVersion: 'vertex-2023-10-16',
      refusedMembers: ['metadata'],
      betas: () => new Map(),
      takesBetasInBody: false,
      hasStructuredOutput: () => false,
    });
    const { body } = vertex.writeRequest(
      {
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
        choices: 1,
        stream: true,
        wantsStreamUsage: false,
        user: 'u',
        maxOutputTokens: 9,
        responseFormat: { type: 'json-schema', name: 'a', schema: { type: 'object' } },
      },
      edits(),
    );
    const document = JSON.parse(body.toString()) as Record<string, unknown>;
    expect(document).toMatchObject({ anthropic_version: 'vertex-2023-10-16', max_tokens: 9 });
    for (const name of ['model', 'stream', 'metadata', 'output_config'])
      expect(document).not.toHaveProperty(name);
    expect(document['tools']).toHaveLength(1);
  });
});
