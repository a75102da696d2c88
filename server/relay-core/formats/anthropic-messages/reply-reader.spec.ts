import { describe, expect, it } from '@jest/globals';
import { SseParser } from '../../framing/sse.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { ANSWER_TOOL } from './answer-tool.js';
import { MessagesMeter } from './meter.js';
import { MessagesReplyReader } from './reply-reader.js';
import { MessagesReplyWriter } from './reply-writer.js';
import {
  CONTEXT,
  type Frame,
  framesOf,
  citation,
} from '../../../../test/support/fixtures/anthropic-messages.fixture.js';

const sse = (frames: readonly Frame[]): string =>
  frames.map((frame) => `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`).join('');
const block = (index: number, content_block: object): Frame => ({
  type: 'content_block_start',
  index,
  content_block,
});
const delta = (index: number, change: object): Frame => ({
  type: 'content_block_delta',
  index,
  delta: change,
});
const stop = (index: number): Frame => ({ type: 'content_block_stop', index });
const START: Frame = {
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      cache_read_input_tokens: 100,
      cache_creation_input_tokens: 50,
      cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
      output_tokens: 1,
    },
  },
};
const END = (stop_reason: string, output_tokens: number): Frame => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null },
  usage: { output_tokens },
});
const STOP: Frame = { type: 'message_stop' };
/** Everything a stream of this format may hold. */
const STREAM: readonly Frame[] = [
  START,
  { type: 'ping' },
  block(0, { type: 'thinking', thinking: '', signature: '' }),
  delta(0, { type: 'thinking_delta', thinking: 'Hm, “hm”.' }),
  delta(0, { type: 'signature_delta', signature: 'sig' }),
  stop(0),
  block(1, { type: 'redacted_thinking', data: 'hidden' }),
  stop(1),
  block(2, { type: 'text', text: '' }),
  delta(2, { type: 'text_delta', text: 'Grüße 👋' }),
  delta(2, { type: 'citations_delta', citation }),
  stop(2),
  block(3, { type: 'server_tool_use', id: 'srv', name: 'web_search', input: {} }),
  delta(3, { type: 'input_json_delta', partial_json: '{"query":' }),
  delta(3, { type: 'input_json_delta', partial_json: '"x"}' }),
  stop(3),
  block(4, {
    type: 'web_search_tool_result',
    tool_use_id: 'srv',
    content: [{ type: 'web_search_result', url: 'u' }],
  }),
  stop(4),
  block(5, { type: 'tool_use', id: 'toolu_1', name: 'f', input: {} }),
  delta(5, { type: 'input_json_delta', partial_json: '' }),
  delta(5, { type: 'input_json_delta', partial_json: '{"a"' }),
  delta(5, { type: 'input_json_delta', partial_json: ':"}"}' }),
  stop(5),
  block(6, { type: 'tool_use', id: 'toolu_2', name: 'g', input: { whole: true } }),
  stop(6),
  END('tool_use', 65),
  STOP,
];
const USAGE = {
  input: { total: 160, cacheRead: 100, cacheWrite: 50, cacheWrite1h: 30 },
  output: { total: 65 },
};
const EVENTS: readonly StreamEvent[] = [
  {
    type: 'reply-start',
    id: 'msg_1',
    servedModel: 'claude-x',
    usage: { ...USAGE, output: { total: 1 } },
  },
  { type: 'reasoning-delta', block: 0, text: 'Hm, “hm”.', signatureBy: 'anthropic' },
  { type: 'block-signature', block: 0, signature: { by: 'anthropic', data: 'sig' }, of: 'reasoning' },
  { type: 'block-end', block: 0 },
  {
    type: 'block-signature',
    block: 1,
    signature: { by: 'anthropic', data: 'hidden' },
    of: 'reasoning',
    isRedacted: true,
  },
  { type: 'block-end', block: 1 },
  { type: 'text-delta', block: 2, text: 'Grüße 👋' },
  {
    type: 'source',
    block: 2,
    source: {
      url: 'https://a.example',
      title: 'A',
      quote: 'q',
      vendorOptions: { 'anthropic-messages': { citation } },
    },
  },
  { type: 'block-end', block: 2 },
  {
    type: 'vendor-part',
    block: 3,
    apiFormat: 'anthropic-messages',
    value: { type: 'server_tool_use', id: 'srv', name: 'web_search', input: { query: 'x' } },
  },
  { type: 'block-end', block: 3 },
  {
    type: 'vendor-part',
    block: 4,
    apiFormat: 'anthropic-messages',
    value: {
      type: 'web_search_tool_result',
      tool_use_id: 'srv',
      content: [{ type: 'web_search_result', url: 'u' }],
    },
  },
  { type: 'block-end', block: 4 },
  { type: 'tool-input-start', block: 5, callId: 'toolu_1', name: 'f' },
  { type: 'tool-input-delta', block: 5, json: '{"a"' },
  { type: 'tool-input-delta', block: 5, json: ':"}"}' },
  { type: 'block-end', block: 5 },
  { type: 'tool-input-start', block: 6, callId: 'toolu_2', name: 'g' },
  { type: 'tool-input-delta', block: 6, json: '{"whole":true}' },
  { type: 'block-end', block: 6 },
  { type: 'choice-end', choice: 0, finish: { unified: 'tool-calls', raw: 'tool_use' } },
  { type: 'usage', usage: USAGE },
  { type: 'reply-end', finish: { unified: 'tool-calls', raw: 'tool_use' } },
];
/** Reads a stream cut in two, as the relay does. */
function play(bytes: Buffer, cut: number) {
  const meter = new MessagesMeter();
  const reader = new MessagesReplyReader();
  const events: StreamEvent[] = [];
  const verdicts: string[] = [];
  const parser = new SseParser({
    onEvent: (_bytes, _from, _to, data, start, end) => {
      verdicts.push(meter.readEvent(data, start, end));
      events.push(...reader.read(data.toString('utf8', start, end)));
      return true;
    },
  });
  parser.push(bytes.subarray(0, cut));
  parser.push(bytes.subarray(cut));
  parser.finish();
  events.push(...reader.finish());
  return { events, verdicts, meter };
}
const OVERLOADED = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };

describe('a stream in this format', () => {
  it('gives the same events and figures wherever it is cut', () => {
    const bytes = Buffer.from(sse(STREAM));
    const whole = play(bytes, 0);
    expect(whole.events).toEqual(EVENTS);
    const produced = whole.meter.produced.keptText();
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const { events, meter } = play(bytes, cut);
      if (JSON.stringify(events) !== JSON.stringify(whole.events))
        throw new Error(`differs when cut at ${cut}`);
      expect(meter.usage).toEqual(USAGE);
      expect(meter.produced.keptText()).toBe(produced);
    }
    expect(produced).toBe('Hm, “hm”.Grüße 👋web_search{"query":"x"}f{"a":"}"}g{"whole":true}');
    expect(whole.meter).toMatchObject({ hasFinish: true, usageIsInvalid: false });
  });

  it('reports the proof of an answer to the relay, and its end', () => {
    expect(play(Buffer.from(sse(STREAM)), 0).verdicts).toEqual([
      'setup',
      'setup',
      'setup',
      'content',
      'content',
      'setup',
      'content',
      'setup',
      'setup',
      'content',
      'content',
      'setup',
      'content',
      'content',
      'content',
      'setup',
      'content',
      'setup',
      'content',
      'setup',
      'content',
      'content',
      'setup',
      'content',
      'setup',
      'content',
      'end',
    ]);
  });

  it('comes out as it went in when its events are written again', () => {
    const writer = new MessagesReplyWriter(CONTEXT);
    const text = EVENTS.map((event) => writer.write(event)).join('') + writer.end();
    const expected = STREAM.filter(({ type }) => type !== 'ping').filter(
      (frame) => JSON.stringify(frame['delta']) !== '{"type":"input_json_delta","partial_json":""}',
    );
    const frames = framesOf(text);
    expect(frames.map(({ type }) => type)).toEqual([
      ...expected.slice(0, 11).map(({ type }) => type),
      // A server's tool leaves whole.
      'content_block_start',
      'content_block_stop',
      ...expected.slice(15, 21).map(({ type }) => type),
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(frames.find(({ type }) => type === 'message_delta')).toEqual({
      type: 'message_delta',
      delta: { stop_reason: 'tool_use', stop_sequence: null, stop_details: null },
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 50,
        cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
        output_tokens: 65,
      },
    });
    const again = new MessagesReplyReader();
    const events = frames.flatMap((frame) => again.read(JSON.stringify(frame)));
    // The caller of the tool and the missing details are written out.
    const bare = events.map((event) => ({ ...event, vendorOptions: undefined }));
    expect(bare.filter(({ type }) => type !== 'usage' && type !== 'reply-start')).toEqual(
      EVENTS.filter(({ type }) => type !== 'usage' && type !== 'reply-start'),
    );
  });

  it.each([
    ['an error', OVERLOADED, OVERLOADED],
    ['a sentence without a type', { message: 'key sk-secret refused' }, { message: 'key sk-secret refused' }],
    [
      'a second answer',
      { ...START, message: { id: 'msg_2', content: [] } },
      { error: { type: 'api_error' } },
    ],
  ])('fails with %s', (_name, frame, document) => {
    const meter = new MessagesMeter();
    const feed = (value: unknown): string => {
      const data = Buffer.from(JSON.stringify(value));
      return meter.readEvent(data, 0, data.length);
    };
    feed(START);
    expect(feed(frame)).toBe('error');
    expect(meter.errorDocument).toMatchObject(document);
  });

  it('survives events it does not know, and skips what it cannot read', () => {
    const meter = new MessagesMeter();
    const reader = new MessagesReplyReader();
    for (const [text, verdict] of [
      ['{"type":"new_event","x":1}', 'setup'],
      ['{"type":"content_block_delta","index":9,"delta":{"type":"new_delta","x":1}}', 'setup'],
      ['{"type":', 'malformed'],
      ['[DONE]', 'malformed'],
      ['{"x":1}', 'malformed'],
      ['', 'silent'],
    ] as const) {
      const data = Buffer.from(text);
      expect(meter.readEvent(data, 0, data.length)).toBe(verdict);
      expect(reader.read(text)).toEqual([]);
    }
  });

  it('reads look-alikes that leave block starts and ends out', () => {
    const reader = new MessagesReplyReader();
    const events = [START, delta(0, { type: 'text_delta', text: 'a' }), END('end_turn', 1)].flatMap((frame) =>
      reader.read(JSON.stringify(frame)),
    );
    expect([...events, ...reader.finish()].map(({ type }) => type)).toEqual([
      'reply-start',
      'text-delta',
      'block-end',
      'choice-end',
      'usage',
      'reply-end',
    ]);
  });

  it('gives the answer of our own tool as text', () => {
    const reader = new MessagesReplyReader();
    const events = [
      START,
      block(0, { type: 'tool_use', id: 't', name: ANSWER_TOOL, input: {} }),
      delta(0, { type: 'input_json_delta', partial_json: '{"a":1}' }),
      stop(0),
      END('tool_use', 3),
      STOP,
    ].flatMap((frame) => reader.read(JSON.stringify(frame)));
    expect(events).toContainEqual({ type: 'text-delta', block: 0, text: '{"a":1}' });
    expect(events.at(-1)).toEqual({ type: 'reply-end', finish: { unified: 'stop', raw: 'end_turn' } });
  });
});
