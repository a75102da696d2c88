import { describe, expect, it } from '@jest/globals';
import { leastCpuMs } from '../../../../test/support/least-cpu.js';
import { aTarget } from '../../../../test/support/relay-calls.js';
import type { RequestEdits } from '../contract/api-format.js';
import { openaiChat } from './index.js';

const MESSAGES = [{ role: 'user', content: 'hi' }];
const parse = (body: unknown) =>
  openaiChat.parseCall(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)), aTarget());

function parsed(body: unknown) {
  const result = parse(body);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
const shapeOf = (body: unknown) => parsed(body).shape;

const edits = (changes: Partial<RequestEdits> = {}): RequestEdits => ({
  upstreamModel: 'm',
  reportUsage: false,
  dropStreamOptions: false,
  outputCap: undefined,
  usesCompletionCap: false,
  refusedMembers: [],
  ...changes,
});
const spliced = (body: unknown, changes: Partial<RequestEdits>) =>
  JSON.parse(openaiChat.spliceRequest(parsed(body), edits(changes)).toString()) as Record<string, unknown>;

describe('parseChatCall refuses', () => {
  it.each([
    ['no body', '', undefined],
    ['text that is not JSON', 'hello', undefined],
    ['an array', '[]', undefined],
    ['no model', { messages: MESSAGES }, 'model'],
    ['a model that is no text', { model: 7, messages: MESSAGES }, 'model'],
    ['a model that is an object', { model: { a: 1 }, messages: MESSAGES }, 'model'],
    ['an empty model', { model: '', messages: MESSAGES }, 'model'],
    ['an endless model', { model: 'm'.repeat(300), messages: MESSAGES }, 'model'],
    ['no messages', { model: 'm' }, 'messages'],
    ['empty messages', '{"model":"m","messages":[ \n ]}', 'messages'],
    ['messages that are text', { model: 'm', messages: 'hi' }, 'messages'],
    ['stream as text', { model: 'm', messages: MESSAGES, stream: 'true' }, 'stream'],
    ['stream options as text', { model: 'm', messages: MESSAGES, stream_options: 'x' }, 'stream_options'],
    [
      'a usage switch that is no switch',
      { model: 'm', messages: MESSAGES, stream_options: { include_usage: 1 } },
      'stream_options',
    ],
  ])('%s', (_name, body, param) => {
    const result = parse(body);
    expect(result).toMatchObject({ ok: false, error: { kind: 'invalid-request', blame: 'caller' } });
    expect(!result.ok && 'param' in result.error ? result.error.param : undefined).toBe(param);
  });

  it.each([
    'Model',
    'MODEL',
    'N',
    'Max_Tokens',
    'max_to\u212aens',
    '\u017ftream',
    'Service_Tier',
    'API_BASE',
  ])('%s, which some upstreams take for a member that is priced here [RLY-03]', (name) => {
    expect(parse({ model: 'm', messages: MESSAGES, [name]: 'gpt-4o' })).toMatchObject({
      ok: false,
      error: { kind: 'invalid-request', blame: 'caller' },
    });
  });

  it.each([
    ['max_tokens', -1],
    ['max_tokens', 0],
    ['max_tokens', 1e10],
    ['max_tokens', 1.5],
    ['max_tokens', '50'],
    ['max_tokens', [1]],
    ['max_completion_tokens', -7],
    ['n', 0],
    ['n', 129],
    ['n', '2'],
    ['top_logprobs', 21],
    ['best_of', -1],
  ])('%s %j [RLY-04]', (name, value) => {
    expect(parse({ model: 'm', messages: MESSAGES, [name]: value })).toMatchObject({
      ok: false,
      error: { kind: 'invalid-request', param: name },
    });
  });

  it('a number that only looks like one', () => {
    expect(parse('{"model":"m","messages":[1],"n":1.2.3}').ok).toBe(false);
    expect(parse('{"model":"\\x","messages":[1]}').ok).toBe(false);
  });

  it('bytes that are not UTF-8 [HTTP-04]', () => {
    const body = Buffer.concat([
      Buffer.from('{"model":"m","messages":["'),
      Buffer.from([0xff]),
      Buffer.from('"]}'),
    ]);
    expect(openaiChat.parseCall(body, aTarget())).toMatchObject({
      ok: false,
      error: { kind: 'invalid-request' },
    });
  });
});

describe('parseChatCall understands', () => {
  it('reads every member, with null as "not given"', () => {
    expect(
      shapeOf({ model: 'm', messages: MESSAGES, stream: null, max_tokens: null, n: null }),
    ).toMatchObject({
      operation: 'chat',
      model: 'm',
      stream: false,
      outputCap: undefined,
      choices: 1,
      wantsStreamUsage: false,
    });
    expect(
      shapeOf({
        model: 'm',
        messages: MESSAGES,
        stream: true,
        n: 3,
        max_tokens: 10,
        max_completion_tokens: 20,
        stream_options: { include_usage: true },
      }),
    ).toMatchObject({ stream: true, choices: 3, outputCap: 20, wantsStreamUsage: true });
  });

  it('about how long a prompt is, within a fifth of what a tokeniser counts', () => {
    // 'The quick brown fox jumps over the lazy dog.' is 10 tokens in o200k; 40 of them 400, and 6 for the frame.
    const text = 'The quick brown fox jumps over the lazy dog. '.repeat(40);
    const { promptTokens } = shapeOf({ model: 'm', messages: [{ role: 'user', content: text }] });
    expect(promptTokens).toBeGreaterThan(325);
    expect(promptTokens).toBeLessThan(490);
  });

  it('pictures, sounds and files as usual sizes, whatever their bytes', () => {
    const base64 = 'A'.repeat(500_000);
    const part = (value: object) =>
      shapeOf({ model: 'm', messages: [{ role: 'user', content: [value] }] }).promptTokens;
    expect(
      part({ type: 'image_url', image_url: { url: `data:image/png;base64,${base64}`, detail: 'low' } }),
    ).toBe(771);
    expect(part({ type: 'image_url', image_url: 'https://a.example/b.png' })).toBe(771);
    expect(part({ type: 'input_audio', input_audio: { data: base64, format: 'wav' } })).toBe(262);
    expect(part({ type: 'file', file: { filename: 'a.pdf', file_data: base64 } })).toBe(4_102);
  });

  it('tools as part of the prompt', () => {
    const tools = [
      { type: 'function', function: { name: 'weather', parameters: { type: 'object', properties: {} } } },
    ];
    const without = shapeOf({ model: 'm', messages: MESSAGES }).promptTokens;
    expect(shapeOf({ model: 'm', messages: MESSAGES, tools }).promptTokens).toBeGreaterThan(without + 20);
  });

  it('a quarter of a million characters without a break in a few milliseconds [RLY-08]', () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'a'.repeat(250_000) }] };
    const text = Buffer.from(JSON.stringify(body));
    const parseTen = (): void => {
      for (let round = 0; round < 10; round += 1) openaiChat.parseCall(text, aTarget());
    };
    expect(leastCpuMs(parseTen) / 10).toBeLessThan(50);
  });
});

describe('spliceChatRequest', () => {
  it('answers the caller’s own buffer when nothing must change', () => {
    const call = parsed({ model: 'm', messages: MESSAGES });
    expect(openaiChat.spliceRequest(call, edits())).toBe(call.document.bytes);
  });

  it('asks for usage beside the caller’s other stream options', () => {
    const body = {
      model: 'm',
      messages: MESSAGES,
      stream: true,
      stream_options: { include_obfuscation: false },
    };
    expect(spliced(body, { reportUsage: true })['stream_options']).toEqual({
      include_obfuscation: false,
      include_usage: true,
    });
    const off = { ...body, stream_options: { include_usage: false } };
    expect(spliced(off, { reportUsage: true })['stream_options']).toEqual({ include_usage: true });
    expect(spliced({ ...body, stream_options: null }, { reportUsage: true })['stream_options']).toEqual({
      include_usage: true,
    });
  });

  it('takes stream options out for vendors that refuse them', () => {
    const body = { model: 'm', messages: MESSAGES, stream: true, stream_options: { include_usage: true } };
    expect(spliced(body, { reportUsage: true, dropStreamOptions: true })).not.toHaveProperty(
      'stream_options',
    );
  });

  it('moves the cap to the member reasoning models read, and drops what they refuse', () => {
    const body = { model: 'm', messages: MESSAGES, max_tokens: 5, temperature: 0.2 };
    expect(spliced(body, { usesCompletionCap: true, refusedMembers: ['temperature'] })).toEqual({
      model: 'm',
      messages: MESSAGES,
      max_completion_tokens: 5,
    });
  });

  it('lets a dearer service tier through where the channel allows it, and nowhere else [RLY-04]', () => {
    const body = { model: 'm', messages: MESSAGES, service_tier: 'priority', seed: 1 };
    expect(spliced(body, { refusedMembers: ['service_tier'] })).toEqual({
      model: 'm',
      messages: MESSAGES,
      seed: 1,
    });
    expect(spliced(body, { refusedMembers: [] })).toEqual(body);
  });
});

describe('the translated request', () => {
  const CLOSED = { type: 'object', properties: {}, required: [], additionalProperties: false };
  const BODY = {
    model: 'm',
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'developer', content: 'Exact.', name: 'dev' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Look', cache_control: { type: 'ephemeral' } },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,QUJD', detail: 'high' } },
          { type: 'input_audio', input_audio: { data: 'QUJD', format: 'mp3' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,QUJD' } },
          { type: 'file', file: { file_id: 'file-1' } },
          { type: 'video_url', video_url: { url: 'https://a.example/v.mp4' } },
          { type: 'odd_part', value: 1 },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'Hm.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":1}' } },
          { id: 'b', type: 'custom', custom: { name: 'g', input: 'free text' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: 'two', extra: 1 }] },
      { role: 'assistant', content: 'Sorry', refusal: 'no', audio: { id: 'audio_1' } },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'f', description: 'd', parameters: CLOSED, strict: true },
      },
      { type: 'web_search', max: 3 },
    ],
    tool_choice: { type: 'function', function: { name: 'f' } },
    parallel_tool_calls: false,
    max_tokens: 50,
    temperature: 0,
    top_p: 0,
    frequency_penalty: 0,
    presence_penalty: -1,
    seed: 0,
    stop: ['x', 'y'],
    n: 2,
    response_format: {
      type: 'json_schema',
      json_schema: { name: 's', schema: { type: 'object' }, strict: false },
    },
    reasoning_effort: 'low',
    user: 'u',
    stream: true,
    stream_options: { include_usage: true },
    logit_bias: { '5': 1 },
    metadata: { a: 'b' },
    enable_thinking: false,
    thinking: { type: 'disabled' },
  };

  const translated = (body: unknown) => {
    const neutral = parsed(body).neutral();
    if (!neutral.ok) throw new Error(neutral.error.message);
    return openaiChat.writeRequest(neutral.value, edits());
  };

  it('writes in the same format all that the caller sent', () => {
    const { body, warnings } = translated(BODY);
    expect(JSON.parse(body.toString())).toEqual(BODY);
    expect(warnings).toEqual([]);
  });

  it('keeps the oldest forms', () => {
    const old = {
      model: 'm',
      messages: [
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: 'r' },
      ],
    };
    expect(JSON.parse(translated(old).body.toString())).toEqual(old);
  });

  it('keeps a response format only this API knows', () => {
    const body = { model: 'm', messages: MESSAGES, response_format: { type: 'grammar', grammar: 'x' } };
    expect(JSON.parse(translated(body).body.toString())).toEqual(body);
  });

  it.each([
    [{ messages: [{ role: 'robot', content: 'x' }] }, 'messages.0.role'],
    [{ messages: [{ role: 'user', content: 5 }] }, 'messages.0.content'],
    [{ messages: MESSAGES, temperature: 'hot' }, 'temperature'],
    [{ messages: MESSAGES, top_p: 3 }, 'top_p'],
    [{ messages: MESSAGES, tools: {} }, 'tools'],
  ])('refuses %j, naming the field', (body, param) => {
    expect(parsed({ model: 'm', ...body }).neutral()).toMatchObject({
      ok: false,
      error: { kind: 'invalid-request', param },
    });
  });
});
