import { carryProof } from '../shared/fields/carried-proof.js';
import { describe, expect, it } from '@jest/globals';
import { aTarget, parsedBy } from '../../../../test/support/relay-calls.js';
import type { StreamEvent } from '../../model/stream-event.js';
import type { ChatRequest } from '../../model/chat.js';
import { documentOf, type Document } from '../shared/fields/json-fields.js';
import type { ReplyContext, RequestEdits } from '../contract/api-format.js';
import { openaiResponses } from './index.js';
import { ResponsesMeter } from './meter.js';
import { ResponsesReplyReader } from './reply-reader.js';
import { MAX_REPEATED_CHARACTERS, ResponsesReplyWriter } from './reply-writer.js';

const CLOSED = { type: 'object', properties: {}, required: [], additionalProperties: false };
const CONTEXT: ReplyContext = {
  callId: '01a1-0002',
  createdAtSeconds: 1_700,
  model: 'asked',
  wantsStreamUsage: false,
};
const EDITS: RequestEdits = {
  upstreamModel: 'up',
  reportUsage: true,
  dropStreamOptions: false,
  outputCap: undefined,
  usesCompletionCap: true,
  refusedMembers: [],
};
const parsed = (body: object) => parsedBy(openaiResponses, { model: 'm', ...body });
const neutralOf = (body: object): ChatRequest => {
  const read = parsed(body).neutral();
  if (!read.ok) throw new Error(read.error.message);
  return read.value;
};
const written = (request: ChatRequest, edits: Partial<RequestEdits> = {}) => {
  const { body, warnings } = openaiResponses.writeRequest(request, { ...EDITS, ...edits });
  return { body: JSON.parse(body.toString()) as Document, warnings };
};

describe('requests that are refused', () => {
  it.each([
    [{}, 'input'],
    [{ input: null }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: 5 }, 'input'],
    [{ input: 'x', stream: 'yes' }, 'stream'],
    [{ input: 'x', max_output_tokens: 1.5 }, 'max_output_tokens'],
    [{ input: 'x', max_output_tokens: 2_000_000_000 }, 'max_output_tokens'],
    [{ input: 'x', top_logprobs: 21 }, 'top_logprobs'],
    [{ input: 'x', background: true }, 'background'],
  ])('%j', (body, param) => {
    const result = openaiResponses.parseCall(Buffer.from(JSON.stringify({ model: 'm', ...body })), aTarget());
    expect(result).toMatchObject({ ok: false, error: { kind: 'invalid-request', param } });
  });

  it.each([
    [{ previous_response_id: 'r' }, 'previous_response_id'],
    [{ conversation: { id: 'c' } }, 'conversation'],
    [{ prompt: { id: 'p' } }, 'prompt'],
    [{ context_management: [{ type: 'compaction' }] }, 'context_management'],
    [{ input: [{ type: 'item_reference', id: 'i' }] }, 'input.0'],
    [
      {
        input: [
          { role: 'user', content: 'x' },
          { type: 'compaction', encrypted_content: 'e' },
        ],
      },
      'input.1',
    ],
    [
      {
        tools: [
          { type: 'function', name: 'f' },
          { type: 'mcp', server_label: 's' },
        ],
      },
      'tools.1',
    ],
    [{ tools: [{ type: 'file_search', vector_store_ids: ['v'] }] }, 'tools.0'],
  ])('by other wires: %j', (body, param) => {
    const call = parsed({ input: 'x', ...body });
    expect(call.ownFormatOnly?.()).toMatchObject({ kind: 'invalid-request', param });
    expect(parsed({ input: 'x', tools: [{ type: 'web_search' }] }).ownFormatOnly?.()).toBeUndefined();
  });

  it('a call that asks for several answers has no place here', () => {
    const request = { ...neutralOf({ input: 'x' }), choices: 2 };
    expect(openaiResponses.refuseRequest?.(request)).toMatchObject({ kind: 'invalid-request', param: 'n' });
  });
});

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
  it('come back on the same wire with all they held', () => {
    const { body, warnings } = written(neutralOf(CONVERSATION));
    expect(warnings).toEqual([]);
    const expected = structuredClone(CONVERSATION) as Record<string, unknown>;
    const output = (expected['input'] as Record<string, unknown>[])[7] as Record<string, unknown>;
    // A list of texts is a text.
    output['output'] = 'row';
    expect(body).toEqual({ ...expected, model: 'up' });
  });

  it('reads turns, proofs, answers of tools', () => {
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
      { type: 'reasoning', text: 'One.\n\nTwo.', proof: { by: 'openai', data: 'secret', id: 'rs_1' } },
      { type: 'tool-call', callId: 'c1', json: '{"a":1}' },
      { type: 'tool-call', callId: 'c2', json: 'select 1', isFreeform: true },
      { type: 'vendor' },
    ]);
    expect(tools?.map(({ type }) => type)).toEqual(['function', 'function', 'web-search', 'vendor']);
    expect(reasoning).toEqual({ effort: 'low', summary: 'auto' });
  });

  it('of other dialects store nothing, and say what has no place', () => {
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

  it('bring back what other families proved, to them alone', () => {
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
      { type: 'reasoning', text: 'T', proof: { by: 'anthropic', data: 'sig' } },
      { type: 'tool-call', callId: 'c:1', proof: { by: 'google', data: 'thought' } },
    ]);
    expect(JSON.stringify(written(request).body)).not.toContain('sig');
  });

  it('bring back the words inside a value, and drop a signature whose words are gone', () => {
    const item = { type: 'reasoning', id: 'rs_9', summary: [] };
    const encrypted = carryProof({ by: 'anthropic', data: 'sig' }, 'openai', { words: 'T' });
    const [kept] = neutralOf({ input: [{ ...item, encrypted_content: encrypted }] }).messages;
    expect(kept?.content).toMatchObject([
      { type: 'reasoning', text: 'T', proof: { by: 'anthropic', data: 'sig' } },
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

const frame = (type: string, members: object) => JSON.stringify({ type, ...members });
const RESPONSE = { id: 'resp_7', created_at: 9, model: 'served' };
const USAGE = {
  input_tokens: 30,
  input_tokens_details: { cached_tokens: 10 },
  output_tokens: 12,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: 42,
};
const STREAM: readonly string[] = [
  frame('response.created', { response: { ...RESPONSE, status: 'in_progress' } }),
  frame('response.in_progress', { response: RESPONSE }),
  frame('response.output_item.added', {
    output_index: 0,
    item: { id: 'rs_1', type: 'reasoning', summary: [] },
  }),
  frame('response.reasoning_summary_text.delta', { output_index: 0, summary_index: 0, delta: 'Why' }),
  frame('response.reasoning_summary_text.delta', { output_index: 0, summary_index: 1, delta: 'How' }),
  frame('response.output_item.done', {
    output_index: 0,
    item: { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: 'enc' },
  }),
  frame('response.output_item.added', { output_index: 1, item: { id: 'ws_1', type: 'web_search_call' } }),
  frame('response.web_search_call.searching', { output_index: 1 }),
  frame('response.output_item.done', {
    output_index: 1,
    item: { id: 'ws_1', type: 'web_search_call', status: 'completed' },
  }),
  frame('response.output_item.added', { output_index: 2, item: { id: 'msg_1', type: 'message' } }),
  frame('response.output_text.delta', { output_index: 2, content_index: 0, delta: 'Grüß ' }),
  frame('response.output_text.delta', { output_index: 2, content_index: 0, delta: 'dich 🙂' }),
  frame('response.output_text.annotation.added', {
    output_index: 2,
    content_index: 0,
    annotation: { type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 4 },
  }),
  frame('response.mystery', { output_index: 2 }),
  frame('response.output_item.done', { output_index: 2, item: { id: 'msg_1', type: 'message' } }),
  frame('response.output_item.added', {
    output_index: 3,
    item: { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'f', arguments: '' },
  }),
  frame('response.output_item.added', {
    output_index: 4,
    item: { id: 'fc_2', type: 'function_call', call_id: 'c2', name: 'g', arguments: '' },
  }),
  frame('response.function_call_arguments.delta', { output_index: 4, delta: '{"b"' }),
  frame('response.function_call_arguments.delta', { output_index: 3, delta: '{}' }),
  frame('response.function_call_arguments.delta', { output_index: 4, delta: ':2}' }),
  frame('response.output_item.done', {
    output_index: 3,
    item: { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}' },
  }),
  frame('response.output_item.done', {
    output_index: 4,
    item: { id: 'fc_2', type: 'function_call', call_id: 'c2', name: 'g', arguments: '{"b":2}' },
  }),
  frame('response.completed', { response: { ...RESPONSE, status: 'completed', output: [], usage: USAGE } }),
];

const readAll = (frames: readonly string[]): StreamEvent[] => {
  const reader = new ResponsesReplyReader();
  return [...frames.flatMap((data) => reader.read(data)), ...reader.finish()];
};
const writeAll = (events: readonly StreamEvent[], body: object = {}): readonly Document[] => {
  const writer = new ResponsesReplyWriter(CONTEXT, parsed({ input: 'x', stream: true, ...body }));
  const frames = events.map((event) => writer.write(event)).join('') + writer.end();
  return framesOf(frames);
};
const framesOf = (frames: string): readonly Document[] =>
  frames
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [name, data] = block.split('\n');
      const document = JSON.parse((data ?? '').slice(6)) as Document;
      expect(name).toBe(`event: ${String(document['type'])}`);
      return document;
    });
const outputOf = (frames: readonly Document[]): readonly Document[] =>
  (documentOf(frames.at(-1)?.['response'])['output'] ?? []) as readonly Document[];

describe('streams that are read', () => {
  it('become neutral events, two calls side by side', () => {
    const events = readAll(STREAM);
    expect(events.map(({ type }) => type)).toEqual([
      'reply-start',
      'reasoning-delta',
      'reasoning-delta',
      'block-proof',
      'block-end',
      'vendor-part',
      'block-end',
      'text-delta',
      'text-delta',
      'source',
      'block-end',
      'tool-input-start',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-delta',
      'tool-input-delta',
      'block-end',
      'block-end',
      'usage',
      'choice-end',
      'reply-end',
    ]);
    expect(events.find(({ type }) => type === 'usage')).toEqual({
      type: 'usage',
      usage: {
        input: { total: 30, cacheRead: 10 },
        output: { total: 12, reasoning: 4 },
        tools: { 'web-search': 1 },
      },
    });
    expect(events.at(-1)).toEqual({ type: 'reply-end', finish: { unified: 'tool-calls', raw: 'completed' } });
  });

  it('may have ids that change on the way, arguments in one piece, or everything in the last event', () => {
    const late = readAll([
      frame('response.output_item.added', {
        output_index: 0,
        item: { id: 'a', type: 'function_call', call_id: 'c', name: 'f' },
      }),
      frame('response.function_call_arguments.done', { output_index: 0, item_id: 'b', arguments: '{"x":1}' }),
      frame('response.output_item.done', {
        output_index: 0,
        item: { id: 'c', type: 'function_call', call_id: 'c', name: 'f', arguments: '{"x":1}' },
      }),
    ]);
    expect(late.filter(({ type }) => type === 'tool-input-delta')).toMatchObject([{ json: '{"x":1}' }]);
    const output = [{ type: 'message', content: [{ type: 'output_text', text: 'All' }] }];
    const whole = readAll([
      frame('response.completed', { response: { ...RESPONSE, status: 'completed', output } }),
    ]);
    expect(whole.filter(({ type }) => type === 'text-delta')).toMatchObject([{ text: 'All' }]);
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['other', 'other'],
  ])('that stop short by %s end with %s', (reason, unified) => {
    const response = { ...RESPONSE, status: 'incomplete', incomplete_details: { reason } };
    expect(readAll([frame('response.incomplete', { response })]).at(-1)).toMatchObject({
      finish: { unified },
    });
  });

  it('skip what cannot be read', () => {
    expect(readAll(['{', '[]', '5', '{"type":7}'])).toEqual([
      { type: 'reply-end', finish: { unified: 'other', raw: undefined } },
    ]);
  });
});

describe('streams that are written', () => {
  it('writes the events, numbers and repetitions clients count on', () => {
    const frames = writeAll(readAll(STREAM));
    expect(frames.map((event) => event['sequence_number'])).toEqual(frames.map((_, index) => index));
    expect(frames.map((event) => String(event['type']).replace('response.', ''))).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.delta',
      'output_text.annotation.added',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'output_item.added',
      'function_call_arguments.delta',
      'function_call_arguments.delta',
      'function_call_arguments.done',
      'output_item.done',
      'completed',
    ]);
    expect(outputOf(frames)).toMatchObject([
      { type: 'reasoning', id: 'rs_1', encrypted_content: 'enc', summary: [{ text: 'Why\n\nHow' }] },
      { type: 'web_search_call', id: 'ws_1' },
      {
        type: 'message',
        status: 'completed',
        content: [{ text: 'Grüß dich 🙂', annotations: [{ url: 'https://a.example' }] }],
      },
      { type: 'function_call', call_id: 'c1', arguments: '{}' },
      { type: 'function_call', call_id: 'c2', arguments: '{"b":2}' },
    ]);
    expect(documentOf(frames.at(-1)?.['response'])).toMatchObject({
      id: 'resp_7',
      status: 'completed',
      usage: USAGE,
    });
  });

  it('read again, they are the same answer', () => {
    const once = writeAll(readAll(STREAM)).map((event) => JSON.stringify(event));
    expect(writeAll(readAll(once)).map((event) => JSON.stringify(event))).toEqual(once);
  });

  it('give back what was asked, and not what was not done', () => {
    const [first] = writeAll([], {
      instructions: 'I',
      temperature: 0.2,
      tools: [{ type: 'function', name: 'f' }],
      text: { verbosity: 'low' },
      store: true,
    });
    expect(first?.['response']).toMatchObject({
      instructions: 'I',
      temperature: 0.2,
      tools: [{ name: 'f' }],
      text: { format: { type: 'text' }, verbosity: 'low' },
      store: false,
      previous_response_id: null,
    });
  });

  it('open plain text that came inside JSON for the tools that take it', () => {
    const frames = writeAll(
      [
        { type: 'tool-input-start', block: 0, callId: 'c', name: 'sql' },
        { type: 'tool-input-delta', block: 0, json: '{"input":"sele' },
        { type: 'tool-input-delta', block: 0, json: 'ct 1"}' },
        { type: 'block-end', block: 0 },
      ],
      { tools: [{ type: 'custom', name: 'sql' }] },
    );
    expect(outputOf(frames)).toMatchObject([{ type: 'custom_tool_call', name: 'sql', input: 'select 1' }]);
    const deltas = frames.filter(({ type }) => type === 'response.custom_tool_call_input.delta');
    expect(deltas).toMatchObject([{ delta: 'select 1' }]);
  });

  it('carry the proof of a call beside it, named after the call', () => {
    const frames = writeAll([
      { type: 'tool-input-start', block: 0, callId: 'c:1', name: 'f' },
      { type: 'tool-input-delta', block: 0, json: '{}' },
      { type: 'block-proof', block: 0, of: 'tool-call', proof: { by: 'google', data: 'thought' } },
      { type: 'block-end', block: 0 },
    ]);
    const request = neutralOf({ input: outputOf(frames) });
    expect(request.messages[0]?.content).toMatchObject([
      { type: 'tool-call', callId: 'c:1', proof: { by: 'google', data: 'thought' } },
    ]);
  });

  it('that fail say so twice, as the vendor does', () => {
    const writer = new ResponsesReplyWriter(CONTEXT, parsed({ input: 'x' }));
    writer.write({ type: 'text-delta', block: 0, text: 'So' });
    const frames = framesOf(
      writer.fail({ kind: 'upstream-broken', blame: 'upstream', message: 'The upstream broke off.' }),
    );
    expect(frames).toMatchObject([
      { type: 'error', code: 'server_error', error: { message: expect.stringContaining('01a1-0002') } },
      { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error' } } },
    ]);
  });

  it('RLY-08 keep a bounded part of an endless answer', () => {
    const writer = new ResponsesReplyWriter(CONTEXT, parsed({ input: 'x' }));
    const text = 'x'.repeat(64 * 1024);
    for (let round = 0; round * text.length <= MAX_REPEATED_CHARACTERS; round += 1)
      writer.write({ type: 'text-delta', block: 0, text });
    const frames = framesOf(writer.end());
    const done = frames.find(({ type }) => type === 'response.output_text.done');
    expect(String(done?.['text']).length).toBeLessThanOrEqual(MAX_REPEATED_CHARACTERS);
    expect(documentOf(frames.at(-1)?.['response'])['output']).toBeNull();
  });
});

describe('ResponsesMeter', () => {
  const verdictOf = (data: string) => {
    const meter = new ResponsesMeter();
    const bytes = Buffer.from(data);
    return { verdict: meter.readEvent(bytes, 0, bytes.length), meter };
  };

  it.each([
    ['', 'silent'],
    ['[DONE]', 'silent'],
    ['{', 'malformed'],
    [frame('response.created', { response: RESPONSE }), 'setup'],
    [frame('response.output_item.added', { item: { type: 'message' } }), 'setup'],
    [frame('response.output_item.added', { item: { type: 'function_call', name: 'f' } }), 'content'],
    [frame('response.output_text.delta', { delta: 'a' }), 'content'],
    [frame('response.output_text.delta', { delta: '' }), 'setup'],
    [frame('response.audio.delta', { delta: 'QUJD' }), 'content'],
    [frame('response.output_item.done', { item: { type: 'reasoning' } }), 'content'],
    [frame('response.completed', { response: { usage: USAGE } }), 'end'],
    [frame('response.incomplete', { response: {} }), 'end'],
    [frame('response.failed', { response: { error: { message: 'no' } } }), 'error'],
    [frame('error', { message: 'no' }), 'error'],
    [frame('response.mystery', { message: 'a note' }), 'setup'],
    [JSON.stringify({ error: { message: 'no' } }), 'error'],
    [JSON.stringify({ detail: 'no' }), 'error'],
    [JSON.stringify({ delta: 'first', type: 'response.output_text.delta' }), 'content'],
  ])('%s is %s', (data, expected) => {
    expect(verdictOf(data).verdict).toBe(expected);
  });

  it('shows the failure the vendor told', () => {
    expect(
      verdictOf(frame('response.failed', { response: { error: { code: 'c', message: 'no' } } })).meter,
    ).toMatchObject({
      errorDocument: { error: { code: 'c', message: 'no' } },
      hasFinish: false,
    });
  });

  it('counts text, names and arguments once, and what the reader reports is what it reports', () => {
    const meter = new ResponsesMeter();
    for (const data of STREAM) {
      const bytes = Buffer.from(`  ${data} `);
      meter.readEvent(bytes, 2, bytes.length - 1);
    }
    expect(meter.produced.keptText()).toBe('WhyHowGrüß dich 🙂fg{"b"{}:2}');
    expect(meter.hasFinish).toBe(true);
    const usage = readAll(STREAM).find((event) => event.type === 'usage');
    expect(meter.usage).toEqual(usage?.type === 'usage' ? usage.usage : undefined);
  });

  it.each([
    [
      { output: [{ type: 'message', content: [{ type: 'output_text', text: 'a' }] }], status: 'completed' },
      'answer',
    ],
    [{ output: [], status: 'completed' }, 'empty'],
    [{ output: [], status: 'failed', error: { message: 'no' } }, 'error'],
    [{ error: { message: 'no' } }, 'error'],
    [{ message: 'no' }, 'error'],
    [{ id: 'x' }, 'empty'],
  ])('of a whole reply: %j is %s', (document, expected) => {
    expect(new ResponsesMeter().readWhole(Buffer.from(JSON.stringify(document)))).toBe(expected);
  });

  it('UP-01 takes no figure that cannot be true', () => {
    const lie = { ...USAGE, output_tokens: -1 };
    expect(verdictOf(frame('response.completed', { response: { usage: lie } })).meter).toMatchObject({
      usage: undefined,
      usageIsInvalid: true,
    });
  });
});

describe('whole replies', () => {
  const document = {
    id: 'resp_7',
    object: 'response',
    created_at: 9,
    status: 'completed',
    model: 'served',
    output: [
      {
        id: 'rs_1',
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'Why' }],
        encrypted_content: 'enc',
      },
      {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        content: [
          {
            type: 'output_text',
            text: 'So',
            annotations: [{ type: 'file_citation', file_id: 'f', filename: 'n', index: 1 }],
          },
        ],
      },
      { id: 'fc_1', type: 'function_call', call_id: 'c1', name: 'f', arguments: '{}', status: 'completed' },
      {
        id: 'ig_1',
        type: 'image_generation_call',
        status: 'completed',
        result: 'QUJD',
        output_format: 'webp',
      },
      { id: 'mcp_1', type: 'mcp_call', name: 'x', arguments: '{}', output: 'y' },
    ],
    usage: USAGE,
    service_tier: 'default',
    mystery: 1,
  };
  const call = parsed({ input: 'x' });

  it('keep their items and what we do not know on the same wire', () => {
    const read = openaiResponses.readReply(Buffer.from(JSON.stringify(document)), call);
    if (!read.ok) throw new Error(read.error.message);
    expect(read.value.usage?.tools).toEqual({ 'image-generation': 1 });
    const back = JSON.parse(openaiResponses.writeReply(read.value, CONTEXT, call).toString()) as Document;
    expect(back).toMatchObject({ id: 'resp_7', mystery: 1, usage: USAGE, status: 'completed' });
    expect(back['output']).toMatchObject([
      document.output[0] as object,
      { type: 'message', content: [{ text: 'So', annotations: [{ type: 'file_citation', file_id: 'f' }] }] },
      document.output[2] as object,
      document.output[3] as object,
      document.output[4] as object,
    ]);
  });

  it.each(['', '{}', '[]', '{"output":5}'])('refuses malformed ones: %j', (text) => {
    expect(openaiResponses.readReply(Buffer.from(text), call)).toMatchObject({
      ok: false,
      error: { kind: 'upstream-malformed' },
    });
  });
});
