import { describe, expect, it } from '@jest/globals';
import type { StreamEvent } from '../../../model/stream-event.js';
import { openaiChat } from '../../../formats/openai-chat/index.js';
import { cohereChat } from './index.js';
import { parsedBy, someEdits } from '../../../../../test/support/relay-calls.js';

const EDITS = someEdits({ upstreamModel: 'command-a', reportUsage: true, dropStreamOptions: true });

const callOf = (body: Readonly<Record<string, unknown>> = {}) =>
  parsedBy(openaiChat, { model: 'm', messages: [{ role: 'user', content: 'hi' }], ...body });

function write(body: Readonly<Record<string, unknown>>) {
  const request = callOf(body).neutral();
  if (!request.ok) throw new Error(request.error.message);
  const written = cohereChat.writeRequest(request.value, EDITS);
  return {
    body: JSON.parse(written.body.toString()) as Record<string, unknown>,
    warnings: written.warnings.map(({ setting }) => setting),
  };
}

function readAll(frames: readonly unknown[]): readonly StreamEvent[] {
  const reader = cohereChat.openReplyReader?.(callOf());
  if (reader === undefined) throw new Error('no reader');
  return [...frames.flatMap((frame) => reader.read(JSON.stringify(frame), '')), ...reader.finish()];
}

const TOOL = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } };
const USAGE = {
  billed_units: { input_tokens: 5, output_tokens: 7 },
  tokens: { input_tokens: 105, output_tokens: 17 },
  cached_tokens: 64,
};

describe('requests of Cohere', () => {
  it('carries settings under the vendor’s names and always states whether it streams', () => {
    const { body, warnings } = write({
      temperature: 0,
      top_p: 0.4,
      max_tokens: 30,
      stop: 'END',
      seed: 3,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      parallel_tool_calls: false,
    });
    expect(body).toEqual({
      model: 'command-a',
      messages: [{ role: 'user', content: 'hi' }],
      stream: false,
      temperature: 0,
      p: 0.4,
      max_tokens: 30,
      stop_sequences: ['END'],
      seed: 3,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
    });
    expect(warnings).toEqual(['parallel_tool_calls']);
  });

  it('writes calls with the turn’s text as their plan, and results as text', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'weather', arguments: '' } };
    const { body } = write({
      tools: [TOOL],
      messages: [
        { role: 'developer', content: 'be brief' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'q' },
            { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
          ],
        },
        { role: 'assistant', content: 'I look', tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'rain' },
        { role: 'assistant', content: 'It rains', reasoning_content: 'hm' },
      ],
    });
    expect(body['messages']).toEqual([
      { role: 'system', content: 'be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'q' },
          { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
        ],
      },
      {
        role: 'assistant',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{}' } }],
        tool_plan: 'I look',
      },
      { role: 'tool', tool_call_id: 'c1', content: 'rain' },
      { role: 'assistant', content: 'It rains' },
    ]);
  });

  it.each([
    ['none', 'NONE', 2],
    ['required', 'REQUIRED', 2],
    ['auto', undefined, 2],
    [{ type: 'function', function: { name: 'now' } }, 'REQUIRED', 1],
  ])('tool choice %j', (choice, word, count) => {
    const now = { type: 'function', function: { name: 'now' } };
    const { body } = write({ tools: [TOOL, now], tool_choice: choice });
    expect(body['tool_choice']).toBe(word);
    expect(body['tools']).toHaveLength(count);
  });

  it('binds answers to schemas, and thinks as much as it is asked', () => {
    const format = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } };
    expect(write({ response_format: format }).body['response_format']).toEqual({
      type: 'json_object',
      json_schema: { type: 'object' },
    });
    expect(write({ reasoning_effort: 'none' }).body['thinking']).toEqual({ type: 'disabled' });
    expect(write({ reasoning_effort: 'low' }).body['thinking']).toEqual({
      type: 'enabled',
      token_budget: 3_276,
    });
  });

  it('gives files of text as documents, and warns of others', () => {
    const text = { type: 'file', file: { filename: 'a.txt', file_data: 'data:text/plain;base64,aGk=' } };
    const pdf = { type: 'file', file: { file_data: 'data:application/pdf;base64,AA==' } };
    const content = [{ type: 'text', text: 'q' }, text, pdf];
    const { body, warnings } = write({ messages: [{ role: 'user', content }] });
    expect(body['documents']).toEqual([{ data: { text: 'hi', title: 'a.txt' } }]);
    expect(warnings).toEqual(['messages']);
  });
});

describe('replies of Cohere', () => {
  const frames = [
    { type: 'message-start', id: 'm1', delta: { message: { role: 'assistant', content: [] } } },
    { type: 'content-start', index: 0, delta: { message: { content: { type: 'thinking', thinking: '' } } } },
    { type: 'content-delta', index: 0, delta: { message: { content: { thinking: 'hm' } } } },
    { type: 'content-end', index: 0 },
    { type: 'content-start', index: 1, delta: { message: { content: { type: 'text', text: '' } } } },
    { type: 'content-delta', index: 1, delta: { message: { content: { text: 'Hello' } } } },
    {
      type: 'citation-start',
      index: 0,
      delta: {
        message: {
          citations: {
            start: 0,
            end: 5,
            text: 'Hello',
            sources: [
              { type: 'document', id: 'd1', document: { title: 'Greetings', url: 'https://a.example/' } },
            ],
          },
        },
      },
    },
    { type: 'citation-end', index: 0 },
    { type: 'content-end', index: 1 },
    { type: 'message-end', delta: { finish_reason: 'COMPLETE', usage: USAGE } },
  ];

  it('a stream gives thoughts, text, sources, the figures that are shown, and the end', () => {
    const events = readAll(frames);
    expect(events.map(({ type }) => type)).toEqual([
      'reply-start',
      'reasoning-delta',
      'block-end',
      'text-delta',
      'source',
      'block-end',
      'usage',
      'choice-end',
      'reply-end',
    ]);
    expect(events[4]).toMatchObject({
      block: 1,
      source: { url: 'https://a.example/', title: 'Greetings', quote: 'Hello', start: 0, end: 5 },
    });
    expect(events[6]).toEqual({
      type: 'usage',
      usage: { input: { total: 105, cacheRead: 64 }, output: { total: 17 } },
    });
  });

  it('the meter charges what the vendor bills', () => {
    const meter = cohereChat.openMeter(callOf());
    const verdicts = frames.map((frame) => {
      const data = Buffer.from(JSON.stringify(frame));
      return meter.readEvent(data, 0, data.length, '');
    });
    expect(meter.usage).toEqual({ input: { total: 5 }, output: { total: 7 } });
    expect(meter.hasFinish).toBe(true);
    expect(meter.produced.keptText()).toBe('hmHello');
    expect(verdicts[0]).toBe('setup');
    expect(verdicts[2]).toBe('content');
    expect(verdicts.at(-1)).toBe('content');
  });

  it('calls that follow a plan, streamed and whole', () => {
    const events = readAll([
      { type: 'message-start', id: 'm1' },
      { type: 'tool-plan-delta', delta: { message: { tool_plan: 'I look' } } },
      {
        type: 'tool-call-start',
        index: 0,
        delta: { message: { tool_calls: { id: 'a', function: { name: 'weather', arguments: '' } } } },
      },
      {
        type: 'tool-call-delta',
        index: 0,
        delta: { message: { tool_calls: { function: { arguments: '{"c":1}' } } } },
      },
      { type: 'tool-call-end', index: 0 },
      {
        type: 'tool-call-start',
        index: 1,
        delta: { message: { tool_calls: { id: 'b', function: { name: 'now' } } } },
      },
      { type: 'tool-call-end', index: 1 },
      { type: 'message-end', delta: { finish_reason: 'TOOL_CALL', usage: USAGE } },
    ]);
    expect(events.filter(({ type }) => type.startsWith('tool-input') || type === 'reasoning-delta')).toEqual([
      { type: 'reasoning-delta', block: 0, choice: 0, text: 'I look' },
      { type: 'tool-input-start', block: 1, choice: 0, callId: 'a', name: 'weather' },
      { type: 'tool-input-delta', block: 1, choice: 0, json: '{"c":1}' },
      { type: 'tool-input-start', block: 2, choice: 0, callId: 'b', name: 'now' },
      { type: 'tool-input-delta', block: 2, choice: 0, json: '{}' },
    ]);
    const whole = {
      id: 'm1',
      message: {
        role: 'assistant',
        tool_plan: 'I look',
        tool_calls: [{ id: 'b', type: 'function', function: { name: 'now', arguments: 'null' } }],
      },
      finish_reason: 'TOOL_CALL',
      usage: USAGE,
    };
    expect(cohereChat.readReply(Buffer.from(JSON.stringify(whole)), callOf())).toMatchObject({
      value: {
        id: 'm1',
        choices: [
          {
            content: [
              { type: 'reasoning', text: 'I look' },
              { type: 'tool-call', callId: 'b', name: 'now', json: '{}' },
            ],
            finish: { unified: 'tool-calls', raw: 'TOOL_CALL' },
          },
        ],
      },
    });
  });

  it.each([
    ['{"message":"invalid request"}', 'error'],
    ['{"id":"x","message":"too many tokens"}', 'error'],
    ['{"message":{"content":[]}}', 'empty'],
    ['{"message":{"content":[{"type":"text","text":"a"}]},"finish_reason":"ERROR"}', 'error'],
    ['{"message":{"content":[{"type":"text","text":"a"}]},"finish_reason":"TIMEOUT"}', 'error'],
    ['{"message":{"content":[{"type":"text","text":"a"}]}}', 'answer'],
    ['{"message":{"content":"a"}}', 'answer'],
    ['{"message":', 'malformed'],
  ])('whole reply %s is %s', (body, verdict) => {
    expect(cohereChat.openMeter(callOf()).readWhole(Buffer.from(body))).toBe(verdict);
  });

  it('figures that cannot be true are not charged [UP-01]', () => {
    const meter = cohereChat.openMeter(callOf());
    const usage = { billed_units: { input_tokens: -4, output_tokens: 1e30 } };
    meter.readWhole(Buffer.from(JSON.stringify({ message: { content: [] }, usage })));
    expect([meter.usage, meter.usageIsInvalid]).toEqual([undefined, true]);
  });
});
