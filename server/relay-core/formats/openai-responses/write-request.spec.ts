import { writePortableSignature } from '../shared/fields/portable-signature.js';
import { describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '../../model/chat.js';
import { type Document } from '../shared/fields/json-fields.js';
import type { RequestEdits } from '../contract/api-format.js';
import { openaiResponses } from './index.js';
import { parsed, neutralOf } from '../../../../test/support/fixtures/openai-responses.fixture.js';
import { someEdits } from '../../../../test/support/relay-calls.js';

const CLOSED = { type: 'object', properties: {}, required: [], additionalProperties: false };
const EDITS = someEdits({ reportUsage: true, usesCompletionCap: true });
const written = (request: ChatRequest, edits: Partial<RequestEdits> = {}) => {
  const { body, warnings } = openaiResponses.writeRequest(request, { ...EDITS, ...edits });
  return { body: JSON.parse(body.toString()) as Document, warnings };
};
const CONVERSATION = {
  instructions: 'Be brief.',
  input: [
    { type: 'message', role: 'developer', content: 'Use tools.' },
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'Look' },
        { type: 'input_image', image_url: 'https://pics.example/a.png', detail: 'low' },
        { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,QUJD' },
      ],
    },
    {
      type: 'reasoning',
      id: 'rs_1',
      summary: [
        { type: 'summary_text', text: 'One.' },
        { type: 'summary_text', text: 'Two.' },
      ],
      encrypted_content: 'secret',
    },
    { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
    { type: 'custom_tool_call', call_id: 'c2', name: 'sql', input: 'select 1' },
    { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } },
    { type: 'function_call_output', call_id: 'c1', output: 'done' },
    { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'row' }] },
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Well' }] },
  ],
  tools: [
    { type: 'function', name: 'f', description: 'd', parameters: CLOSED, strict: true },
    {
      type: 'custom',
      name: 'sql',
      description: 'runs',
      format: { type: 'grammar', syntax: 'lark', definition: 'x' },
    },
    {
      type: 'web_search',
      search_context_size: 'low',
      user_location: { type: 'approximate', country: 'NO' },
      filters: { allowed_domains: ['a.example'] },
    },
    { type: 'code_interpreter', container: { type: 'auto' } },
  ],
  tool_choice: { type: 'function', name: 'f' },
  parallel_tool_calls: false,
  max_output_tokens: 500,
  temperature: 0,
  top_p: 0.5,
  reasoning: { effort: 'low', summary: 'auto', mystery: 1 },
  text: {
    verbosity: 'low',
    format: { type: 'json_schema', name: 'n', schema: CLOSED, strict: true },
  },
  metadata: { a: 'b' },
  unknown_member: { deep: [1] },
  store: true,
};

describe('requests by way of the neutral model', () => {
  it('writes them in the same format with all they held', () => {
    const { body, warnings } = written(neutralOf(CONVERSATION));
    expect(warnings).toEqual([]);
    const expected = structuredClone(CONVERSATION) as Record<string, unknown>;
    const output = (expected['input'] as Record<string, unknown>[])[7] as Record<string, unknown>;
    // A list of texts is a text.
    output['output'] = 'row';
    expect(body).toEqual({ ...expected, model: 'up' });
  });

  it('reads turns, signatures, answers of tools', () => {
    const { messages, tools, reasoning } = neutralOf(CONVERSATION);
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'developer',
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
    ]);
    expect(messages[3]?.content).toMatchObject([
      { type: 'reasoning', text: 'One.\n\nTwo.', signature: { by: 'openai', data: 'secret', id: 'rs_1' } },
      { type: 'tool-call', callId: 'c1', json: '{"a":1}' },
      { type: 'tool-call', callId: 'c2', json: 'select 1', isFreeform: true },
      { type: 'vendor' },
    ]);
    expect(tools?.map(({ type }) => type)).toEqual(['function', 'function', 'web-search', 'vendor']);
    expect(reasoning).toEqual({ effort: 'low', summary: 'auto' });
  });

  it('stores nothing for those of other dialects, and warns about what has no place', () => {
    const { body, warnings } = written({
      ...neutralOf({ input: 'x' }),
      stop: ['a'],
      topK: 3,
      maxOutputTokens: 5,
      vendorOptions: { 'openai-chat': { logit_bias: {}, verbosity: 'high', metadata: { k: 'v' } } },
    });
    expect(body).toMatchObject({
      store: false,
      max_output_tokens: 16,
      text: { verbosity: 'high' },
      metadata: { k: 'v' },
    });
    expect(warnings.map(({ setting }) => setting)).toEqual(['logit_bias', 'stop', 'top_k']);
  });

  it('brings back what other families proved, to them alone', () => {
    const request = neutralOf({
      input: [
        {
          type: 'reasoning',
          id: 'rs_9',
          summary: [{ type: 'summary_text', text: 'T' }],
          encrypted_content: 'anthropic#sig',
        },
        { type: 'reasoning', id: 'rs_8', summary: [], encrypted_content: 'google#c%3A1#thought' },
        { type: 'function_call', call_id: 'c:1', name: 'f', arguments: '{}' },
      ],
    });
    expect(request.messages[0]?.content).toMatchObject([
      { type: 'reasoning', text: 'T', signature: { by: 'anthropic', data: 'sig' } },
      { type: 'tool-call', callId: 'c:1', signature: { by: 'google', data: 'thought' } },
    ]);
    expect(JSON.stringify(written(request).body)).not.toContain('sig');
  });

  it('brings back the words inside a value, and drops a signature whose words are gone', () => {
    const item = { type: 'reasoning', id: 'rs_9', summary: [] };
    const encrypted = writePortableSignature({ by: 'anthropic', data: 'sig' }, 'openai', { words: 'T' });
    const [kept] = neutralOf({ input: [{ ...item, encrypted_content: encrypted }] }).messages;
    expect(kept?.content).toMatchObject([
      { type: 'reasoning', text: 'T', signature: { by: 'anthropic', data: 'sig' } },
    ]);
    const hi = { role: 'user', content: 'hi' };
    const gone = neutralOf({ input: [{ ...item, encrypted_content: 'anthropic#sig' }, hi] });
    expect(gone.messages).toMatchObject([{ role: 'user' }]);
  });

  it('takes out what must not leave, on both paths', () => {
    const call = parsed({ input: 'x', service_tier: 'priority', api_base: 'http://evil.example' });
    const guarded = { refusedMembers: ['service_tier'] };
    const spliced = (edits: Partial<RequestEdits>) =>
      JSON.parse(openaiResponses.spliceRequest(call, { ...EDITS, ...edits }).toString()) as Document;
    expect(spliced(guarded)).toEqual({ model: 'up', input: 'x' });
    // A dearer class of service is the channel's to allow.
    expect(spliced({})).toEqual({ model: 'up', input: 'x', service_tier: 'priority' });
    const neutral = call.neutral();
    const body = neutral.ok ? written(neutral.value, guarded).body : {};
    expect(body).toHaveProperty('input');
    expect(body).not.toHaveProperty('service_tier');
    expect(body).not.toHaveProperty('api_base');
  });

  it('lowers the cap to what could be held', () => {
    const call = parsed({ input: 'x', max_output_tokens: 900 });
    const spliced = JSON.parse(
      openaiResponses.spliceRequest(call, { ...EDITS, outputCap: 70 }).toString(),
    ) as Document;
    expect(spliced['max_output_tokens']).toBe(70);
  });
});
