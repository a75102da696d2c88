import { describe, expect, it } from '@jest/globals';
import type { StreamEvent } from '../../../model/stream-event.js';
import { openaiChat } from '../../../formats/openai-chat/index.js';
import type { ParsedCall } from '../../../formats/contract/api-format.js';
import { bedrockConverse } from './index.js';

function callOf(extra: Readonly<Record<string, unknown>> = {}): ParsedCall<'chat'> {
  const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }], ...extra };
  const call = openaiChat.parseCall(Buffer.from(JSON.stringify(body)), {
    pathModel: undefined,
    query: '',
    headers: {},
  });
  if (!call.ok) throw new Error(call.error.message);
  return call.value;
}
const BOUND = { response_format: { type: 'json_schema', json_schema: { name: 'x', schema: {} } } };

type Frame = readonly [name: string, payload: unknown];
const usage = {
  inputTokens: 5,
  outputTokens: 9,
  totalTokens: 24,
  cacheReadInputTokens: 6,
  cacheWriteInputTokens: 4,
  cacheDetails: [
    { ttl: '5m', inputTokens: 1 },
    { ttl: '1h', inputTokens: 3 },
  ],
};
const NEUTRAL_USAGE = {
  input: { total: 15, cacheRead: 6, cacheWrite: 4, cacheWrite1h: 3 },
  output: { total: 9 },
};

const FRAMES: readonly Frame[] = [
  ['messageStart', { role: 'assistant' }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'hm ' } }, p: 'abc' }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'so' } } }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { signature: 'sig' } } }],
  ['contentBlockStop', { contentBlockIndex: 0 }],
  ['contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'Hello' } }],
  ['contentBlockStop', { contentBlockIndex: 1 }],
  ['contentBlockStart', { contentBlockIndex: 2, start: { toolUse: { toolUseId: 't1', name: 'weather' } } }],
  ['contentBlockDelta', { contentBlockIndex: 2, delta: { toolUse: { input: '{"city":' } } }],
  ['contentBlockDelta', { contentBlockIndex: 2, delta: { toolUse: { input: '"Oslo"}' } } }],
  ['contentBlockStop', { contentBlockIndex: 2 }],
  ['contentBlockStart', { contentBlockIndex: 3, start: { toolUse: { toolUseId: 't2', name: 'now' } } }],
  ['contentBlockStop', { contentBlockIndex: 3 }],
  ['messageStop', { stopReason: 'tool_use' }],
  ['metadata', { usage, metrics: { latencyMs: 1 } }],
];
const WHOLE = {
  output: {
    message: {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'hm so', signature: 'sig' } } },
        { text: 'Hello' },
        { toolUse: { toolUseId: 't1', name: 'weather', input: { city: 'Oslo' } } },
        { toolUse: { toolUseId: 't2', name: 'now', input: {} } },
      ],
    },
  },
  stopReason: 'tool_use',
  usage,
  metrics: { latencyMs: 1 },
};

function readAll(frames: readonly Frame[], call = callOf()): readonly StreamEvent[] {
  const reader = bedrockConverse.openReplyReader?.(call);
  if (reader === undefined) throw new Error('no reader');
  return [
    ...frames.flatMap(([name, payload]) => reader.read(JSON.stringify(payload), name)),
    ...reader.finish(),
  ];
}

describe('replies of Converse', () => {
  it('a stream gives thoughts with their signature, text, calls, usage and the end, in this order', () => {
    expect(readAll(FRAMES)).toEqual([
      { type: 'reply-start', id: '', servedModel: '' },
      { type: 'reasoning-delta', block: 0, choice: 0, text: 'hm ', signatureBy: 'anthropic' },
      { type: 'reasoning-delta', block: 0, choice: 0, text: 'so', signatureBy: 'anthropic' },
      {
        type: 'block-signature',
        block: 0,
        choice: 0,
        signature: { by: 'anthropic', data: 'sig' },
        of: 'reasoning',
      },
      { type: 'block-end', block: 0, choice: 0 },
      { type: 'text-delta', block: 1, choice: 0, text: 'Hello' },
      { type: 'block-end', block: 1, choice: 0 },
      { type: 'tool-input-start', block: 2, choice: 0, callId: 't1', name: 'weather' },
      { type: 'tool-input-delta', block: 2, choice: 0, json: '{"city":' },
      { type: 'tool-input-delta', block: 2, choice: 0, json: '"Oslo"}' },
      { type: 'block-end', block: 2, choice: 0 },
      { type: 'tool-input-start', block: 3, choice: 0, callId: 't2', name: 'now' },
      { type: 'tool-input-delta', block: 3, choice: 0, json: '{}' },
      { type: 'block-end', block: 3, choice: 0 },
      { type: 'choice-end', choice: 0, finish: { unified: 'tool-calls', raw: 'tool_use' } },
      { type: 'usage', usage: NEUTRAL_USAGE },
      { type: 'reply-end', finish: { unified: 'tool-calls', raw: 'tool_use' } },
    ]);
  });

  it('gives the same in a whole reply', () => {
    const reply = bedrockConverse.readReply(Buffer.from(JSON.stringify(WHOLE)), callOf());
    expect(reply).toMatchObject({
      ok: true,
      value: {
        choices: [
          {
            content: [
              { type: 'reasoning', text: 'hm so', signature: { by: 'anthropic', data: 'sig' } },
              { type: 'text', text: 'Hello' },
              { type: 'tool-call', callId: 't1', name: 'weather', json: '{"city":"Oslo"}' },
              { type: 'tool-call', callId: 't2', name: 'now', json: '{}' },
            ],
            finish: { unified: 'tool-calls' },
          },
        ],
        usage: NEUTRAL_USAGE,
      },
    });
  });

  it('the meter of a stream and of a whole reply come to the same', () => {
    const stream = bedrockConverse.openMeter(callOf());
    const verdicts = FRAMES.map(([name, payload]) => {
      const data = Buffer.from(JSON.stringify(payload));
      return stream.readEvent(data, 0, data.length, name);
    });
    const whole = bedrockConverse.openMeter(callOf());
    expect(whole.readWhole(Buffer.from(JSON.stringify(WHOLE)))).toBe('answer');
    expect([stream.usage, stream.hasFinish]).toEqual([NEUTRAL_USAGE, true]);
    expect([whole.usage, whole.hasFinish]).toEqual([NEUTRAL_USAGE, true]);
    expect(stream.produced.keptText()).toBe('hm soHelloweather{"city":"Oslo"}now');
    expect(whole.produced.keptText()).toBe('hm soHelloweather{"city":"Oslo"}now{}');
    expect(verdicts.at(0)).toBe('setup');
    expect(verdicts.at(1)).toBe('content');
    expect(verdicts.at(-1)).toBe('usage-only');
  });

  it('redacted thoughts are a piece of their own', () => {
    const frames: readonly Frame[] = [
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { redactedContent: 'xx' } } }],
      ['contentBlockStop', { contentBlockIndex: 0 }],
    ];
    expect(readAll(frames)).toContainEqual({
      type: 'block-signature',
      block: 0,
      choice: 0,
      signature: { by: 'anthropic', data: 'xx' },
      of: 'reasoning',
      isRedacted: true,
    });
  });

  it('the input of the answer’s own tool is the answer, and the end is a stop', () => {
    const frames: readonly Frame[] = [
      ['contentBlockStart', { contentBlockIndex: 0, start: { toolUse: { toolUseId: 't', name: 'json' } } }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { toolUse: { input: '{"a":1}' } } }],
      ['contentBlockStop', { contentBlockIndex: 0 }],
      ['messageStop', { stopReason: 'tool_use' }],
    ];
    const events = readAll(frames, callOf(BOUND));
    expect(events).toContainEqual({ type: 'text-delta', block: 0, choice: 0, text: '{"a":1}' });
    expect(events.at(-1)).toEqual({ type: 'reply-end', finish: { unified: 'stop', raw: 'tool_use' } });
    const content = [{ toolUse: { toolUseId: 't', name: 'json', input: { a: 1 } } }];
    const body = { output: { message: { content } }, stopReason: 'tool_use' };
    expect(bedrockConverse.readReply(Buffer.from(JSON.stringify(body)), callOf(BOUND))).toMatchObject({
      value: { choices: [{ content: [{ type: 'text', text: '{"a":1}' }], finish: { unified: 'stop' } }] },
    });
  });

  it('a tool of the caller’s that is called json stays a tool', () => {
    const frames: readonly Frame[] = [
      ['contentBlockStart', { contentBlockIndex: 0, start: { toolUse: { toolUseId: 't', name: 'json' } } }],
    ];
    expect(readAll(frames)).toContainEqual(
      expect.objectContaining({ type: 'tool-input-start', name: 'json' }),
    );
  });

  it.each([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['guardrail_intervened', 'content-filter'],
    ['content_filtered', 'content-filter'],
    ['something_new', 'other'],
  ])('reads the stop reason %s as %s', (raw, unified) => {
    expect(readAll([['messageStop', { stopReason: raw }]]).at(-1)).toMatchObject({ finish: { unified } });
  });

  it('names the stop sequence that ended it', () => {
    const frame = {
      stopReason: 'stop_sequence',
      additionalModelResponseFields: { delta: { stop_sequence: 'END' } },
    };
    expect(readAll([['messageStop', frame]]).at(-1)).toMatchObject({
      finish: { unified: 'stop', stopSequence: 'END' },
    });
  });

  it('cited text keeps its sources', () => {
    const citation = {
      title: 'Report',
      sourceContent: [{ text: 'it rained' }],
      location: { web: { url: 'https://news.example/a', domain: 'news.example' } },
    };
    const content = [{ citationsContent: { content: [{ text: 'Rain.' }], citations: [citation] } }];
    expect(
      bedrockConverse.readReply(Buffer.from(JSON.stringify({ output: { message: { content } } })), callOf()),
    ).toMatchObject({
      value: {
        choices: [
          {
            content: [
              { type: 'text', text: 'Rain.' },
              {
                type: 'source',
                source: { url: 'https://news.example/a', title: 'Report', quote: 'it rained' },
              },
            ],
          },
        ],
      },
    });
  });

  describe('failures', () => {
    const meterOf = (payload: unknown, name: string) => {
      const meter = bedrockConverse.openMeter(callOf());
      const data = Buffer.from(JSON.stringify(payload));
      return [meter.readEvent(data, 0, data.length, name), meter.errorDocument] as const;
    };

    it('reads an exception frame as an error with its name', () => {
      expect(meterOf({ message: 'slow down' }, 'exception/throttlingException')).toEqual([
        'error',
        { message: 'slow down', type: 'throttlingException' },
      ]);
    });

    it('reads an end that means failure as an error, never a stop', () => {
      expect(meterOf({ stopReason: 'malformed_model_output' }, 'messageStop')[0]).toBe('error');
    });

    it('reads status 200 without an answer as an error', () => {
      const meter = bedrockConverse.openMeter(callOf());
      expect(meter.readWhole(Buffer.from('{"message":"no"}'))).toBe('error');
      expect(meter.errorDocument).toEqual({ message: 'no' });
    });

    it('reads an empty answer as empty', () => {
      const meter = bedrockConverse.openMeter(callOf());
      expect(meter.readWhole(Buffer.from('{"output":{"message":{"content":[]}}}'))).toBe('empty');
    });

    it.each([{ inputTokens: -1, outputTokens: 1 }, { inputTokens: 1.5 }, { inputTokens: '7' }, 'many'])(
      'figures that cannot be true: %j [UP-01]',
      (figures) => {
        const meter = bedrockConverse.openMeter(callOf());
        const data = Buffer.from(JSON.stringify({ usage: figures }));
        meter.readEvent(data, 0, data.length, 'metadata');
        expect([meter.usage, meter.usageIsInvalid]).toEqual([undefined, true]);
      },
    );

    it('broken JSON is malformed', () => {
      const meter = bedrockConverse.openMeter(callOf());
      expect(meter.readEvent(Buffer.from('{"delta":'), 0, 9, 'contentBlockDelta')).toBe('malformed');
    });
  });
});
