import { describe, expect, it } from '@jest/globals';
import type { StreamEvent } from '../../../model/stream-event.js';
import { openaiChat } from '../../../formats/openai-chat/index.js';
import { ollamaChat } from './index.js';
import { parsedBy, someEdits } from '../../../../../test/support/relay-calls.js';

const EDITS = someEdits({ upstreamModel: 'qwen3', reportUsage: true, dropStreamOptions: true });
const CALL = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } };

const callOf = (body: Readonly<Record<string, unknown>> = {}) =>
  parsedBy(openaiChat, { model: 'm', messages: [{ role: 'user', content: 'hi' }], ...body });

function write(body: Readonly<Record<string, unknown>>, edits = EDITS) {
  const request = callOf(body).neutral();
  if (!request.ok) throw new Error(request.error.message);
  const written = ollamaChat.writeRequest(request.value, edits);
  return {
    body: JSON.parse(written.body.toString()) as Record<string, unknown>,
    warnings: written.warnings.map(({ setting }) => setting),
  };
}

function readAll(lines: readonly unknown[], call = callOf()): readonly StreamEvent[] {
  const reader = ollamaChat.openReplyReader?.(call);
  if (reader === undefined) throw new Error('no reader');
  return [...lines.flatMap((line) => reader.read(JSON.stringify(line), '')), ...reader.finish()];
}

const line = (message: unknown, rest: Readonly<Record<string, unknown>> = {}) => ({
  model: 'qwen3',
  created_at: '2026-11-21T15:00:00.123456789Z',
  message,
  done: false,
  ...rest,
});
const LAST = line(
  { role: 'assistant', content: '' },
  { done: true, done_reason: 'stop', prompt_eval_count: 11, eval_count: 5, total_duration: 1 },
);

describe('requests of Ollama', () => {
  it('puts settings into options, and what a caller names by the vendor’s own words', () => {
    const { body } = write({
      temperature: 0,
      top_p: 0.9,
      seed: 1,
      max_tokens: 20,
      stop: 'END',
      keep_alive: '5m',
      num_ctx: 8_192,
      options: { mirostat: 1, num_predict: 9_999 },
    });
    expect(body).toEqual({
      model: 'qwen3',
      messages: [{ role: 'user', content: 'hi' }],
      stream: false,
      keep_alive: '5m',
      options: {
        temperature: 0,
        top_p: 0.9,
        seed: 1,
        num_predict: 20,
        stop: ['END'],
        num_ctx: 8_192,
        mirostat: 1,
      },
    });
    expect(write({ options: { num_predict: 9_999 } }).body).not.toHaveProperty('options.num_predict');
  });

  it('names results by their tool, looked up in the conversation', () => {
    const { body } = write({
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: '', reasoning_content: 'hm', tool_calls: [CALL] },
        { role: 'tool', tool_call_id: 'c1', content: 'rain' },
      ],
    });
    expect(body['messages']).toEqual([
      { role: 'user', content: 'q' },
      {
        role: 'assistant',
        content: '',
        thinking: 'hm',
        tool_calls: [{ function: { name: 'weather', arguments: { city: 'Oslo' } } }],
      },
      { role: 'tool', content: 'rain', tool_name: 'weather' },
    ]);
  });

  it('carries pictures by their bytes', () => {
    const content = [
      { type: 'text', text: 'look' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ];
    expect(write({ messages: [{ role: 'user', content }] }).body['messages']).toEqual([
      { role: 'user', content: 'look', images: ['AAAA'] },
    ]);
  });

  it.each([
    [{ response_format: { type: 'json_object' } }, { format: 'json' }],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } } },
      { format: { type: 'object' } },
    ],
    [{ reasoning_effort: 'none' }, { think: false }],
    [{ reasoning_effort: 'high' }, { think: 'high' }],
    [{ think: true }, { think: true }],
  ])('%j is %j', (asked, expected) => {
    expect(write(asked).body).toMatchObject(expected);
  });

  it('offers no tools when none may be called, and warns that none can be forced', () => {
    const tools = [{ type: 'function', function: { name: 'weather' } }];
    expect(write({ tools, tool_choice: 'none' }).body).not.toHaveProperty('tools');
    expect(write({ tools, tool_choice: 'required' }).warnings).toEqual(['tool_choice']);
  });
});

describe('replies of Ollama', () => {
  const lines = [
    line({ role: 'assistant', content: '', thinking: 'hm' }),
    line({ role: 'assistant', content: 'Hel' }),
    line({ role: 'assistant', content: 'lo' }),
    line({
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: 'weather', arguments: { a: 1 } } }],
    }),
    LAST,
  ];

  it('a stream gives thoughts, text, whole calls, figures and the end', () => {
    expect(readAll(lines)).toEqual([
      { type: 'reply-start', id: '', servedModel: 'qwen3', createdAtSeconds: 1_795_273_200 },
      { type: 'reasoning-delta', block: 0, choice: 0, text: 'hm' },
      { type: 'block-end', block: 0, choice: 0 },
      { type: 'text-delta', block: 1, choice: 0, text: 'Hel' },
      { type: 'text-delta', block: 1, choice: 0, text: 'lo' },
      { type: 'block-end', block: 1, choice: 0 },
      { type: 'tool-input-start', block: 2, choice: 0, callId: 'call_0', name: 'weather' },
      { type: 'tool-input-delta', block: 2, choice: 0, json: '{"a":1}' },
      { type: 'block-end', block: 2, choice: 0 },
      { type: 'usage', usage: { input: { total: 11 }, output: { total: 5 } } },
      { type: 'choice-end', choice: 0, finish: { unified: 'tool-calls', raw: 'stop' } },
      { type: 'reply-end', finish: { unified: 'tool-calls', raw: 'stop' } },
    ]);
  });

  it('numbers calls without ids through the conversation, so that no two are alike', () => {
    const call = callOf({
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', tool_calls: [CALL, { ...CALL, id: 'c2' }] },
      ],
    });
    expect(readAll(lines, call)).toContainEqual(expect.objectContaining({ callId: 'call_2' }));
  });

  it('the meter of a stream and of a whole reply come to the same', () => {
    const stream = ollamaChat.openMeter(callOf());
    for (const item of lines) {
      const data = Buffer.from(JSON.stringify(item));
      expect(stream.readEvent(data, 0, data.length, '')).toBe('content');
    }
    const whole = ollamaChat.openMeter(callOf());
    const message = {
      role: 'assistant',
      thinking: 'hm',
      content: 'Hello',
      tool_calls: [{ function: { name: 'weather', arguments: { a: 1 } } }],
    };
    expect(whole.readWhole(Buffer.from(JSON.stringify({ ...LAST, message })))).toBe('answer');
    expect(stream.produced.keptText()).toBe('hmHelloweather{"a":1}');
    expect(whole.produced.keptText()).toBe('hmHelloweather{"a":1}');
    expect([stream.usage, stream.hasFinish]).toEqual([whole.usage, whole.hasFinish]);
    expect(stream.usage).toEqual({ input: { total: 11 }, output: { total: 5 } });
  });

  it('a prompt that lay in the cache is not known, not nothing', () => {
    const meter = ollamaChat.openMeter(callOf());
    meter.readWhole(Buffer.from(JSON.stringify({ ...LAST, prompt_eval_count: 0 })));
    expect(meter.usage).toEqual({ input: { total: undefined }, output: { total: 5 } });
  });

  it('an error line inside a stream of success is an error', () => {
    const meter = ollamaChat.openMeter(callOf());
    const data = Buffer.from('{"error":"model runner has stopped"}');
    expect(meter.readEvent(data, 0, data.length, '')).toBe('error');
    expect(meter.errorDocument).toEqual({ error: 'model runner has stopped' });
  });
});
