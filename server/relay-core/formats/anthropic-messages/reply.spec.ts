import { describe, expect, it } from '@jest/globals';
import { SseParser } from '../../framing/sse.js';
import type { ChatReply } from '../../model/chat.js';
import type { StreamEvent } from '../../model/stream-event.js';
import { ANSWER_TOOL } from './answer-schema.js';
import { anthropicMessages } from './index.js';
import { MessagesMeter } from './meter.js';
import { MessagesReplyReader } from './reply-reader.js';
import { MessagesReplyWriter } from './reply-writer.js';
import { writeMessagesReply } from './write-reply.js';

const CONTEXT = {
  callId: 'id',
  createdAtSeconds: 1,
  model: 'asked',
  wantsStreamUsage: false,
  promptTokens: 12,
};

type Frame = Readonly<Record<string, unknown>> & { readonly type: string };
const sse = (frames: readonly Frame[]): string =>
  frames.map((frame) => `event: ${frame.type}\ndata: ${JSON.stringify(frame)}\n\n`).join('');
const framesOf = (text: string): Frame[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as Frame);

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
const citation = {
  type: 'web_search_result_location',
  url: 'https://a.example',
  title: 'A',
  encrypted_index: 'e',
  cited_text: 'q',
};

/** Everything a stream of this wire may hold. */
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
  { type: 'reasoning-delta', block: 0, text: 'Hm, “hm”.', proofBy: 'anthropic' },
  { type: 'block-proof', block: 0, proof: { by: 'anthropic', data: 'sig' }, of: 'reasoning' },
  { type: 'block-end', block: 0 },
  {
    type: 'block-proof',
    block: 1,
    proof: { by: 'anthropic', data: 'hidden' },
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

describe('a stream of this wire', () => {
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

  it('tells the relay what proves an answer, and where it ends', () => {
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
      delta: { stop_reason: 'tool_use', stop_sequence: null, stop_details: null, container: null },
      usage: {
        service_tier: null,
        inference_geo: null,
        speed: null,
        output_tokens_details: null,
        server_tool_use: null,
        input_tokens: 10,
        cache_read_input_tokens: 100,
        cache_creation_input_tokens: 50,
        cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
        output_tokens: 65,
      },
    });
    const again = new MessagesReplyReader();
    const events = frames.flatMap((frame) => again.read(JSON.stringify(frame)));
    expect(events.filter(({ type }) => type !== 'usage' && type !== 'reply-start')).toEqual(
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

describe('events of other wires', () => {
  const write = (events: readonly StreamEvent[]): Frame[] => {
    const writer = new MessagesReplyWriter(CONTEXT);
    return framesOf(events.map((event) => writer.write(event)).join('') + writer.end());
  };
  const start: StreamEvent = { type: 'reply-start', id: 'chatcmpl-1', servedModel: 'gpt' };
  const call = (number: number, name: string): StreamEvent => ({
    type: 'tool-input-start',
    block: number,
    callId: `c${number}`,
    name,
  });
  const input = (number: number, json: string): StreamEvent => ({
    type: 'tool-input-delta',
    block: number,
    json,
  });

  it('begin with the estimate of the prompt and end with the figures of the vendor', () => {
    const frames = write([
      start,
      { type: 'text-delta', block: 0, text: 'Hi' },
      { type: 'choice-end', choice: 0, finish: { unified: 'length', raw: 'length' } },
      { type: 'usage', usage: { input: { total: 10, cacheRead: 4 }, output: { total: 3, reasoning: 2 } } },
    ]);
    expect(frames.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(frames[0]).toMatchObject({
      message: { id: 'chatcmpl-1', model: 'gpt', content: [], usage: { input_tokens: 12, output_tokens: 0 } },
    });
    expect(frames[4]).toMatchObject({
      delta: { stop_reason: 'max_tokens', stop_sequence: null },
      usage: {
        input_tokens: 6,
        cache_read_input_tokens: 4,
        output_tokens: 3,
        output_tokens_details: { thinking_tokens: 2 },
      },
    });
  });

  it('open one block at a time, also when parallel calls come interleaved', () => {
    const frames = write([
      start,
      call(0, 'f'),
      input(0, '{"a":"{'),
      call(1, 'g'),
      input(1, '{"b"'),
      input(0, '"}'),
      input(1, ':1}'),
      { type: 'text-delta', block: 2, text: 'done' },
      { type: 'choice-end', choice: 0, finish: { unified: 'stop', raw: 'stop' } },
    ]);
    let open = -1;
    const blocks: string[] = [];
    for (const frame of frames) {
      if (frame.type === 'content_block_start') {
        expect(open).toBe(-1);
        open = frame['index'] as number;
        blocks[open] = '';
      } else if (frame.type === 'content_block_delta') {
        expect(frame['index']).toBe(open);
        const change = frame['delta'] as { partial_json?: string; text?: string };
        blocks[open] += change.partial_json ?? change.text ?? '';
      } else if (frame.type === 'content_block_stop') open = -1;
    }
    expect(blocks).toEqual(['{"a":"{"}', '{"b":1}', 'done']);
    // It said "stop", and yet it asks for tools.
    expect(frames.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } });
  });

  it('give calls without arguments or ids what they need', () => {
    const frames = write([
      start,
      { type: 'tool-input-start', block: 0, callId: '', name: 'f' },
      call(1, 'g'),
      { type: 'block-end', block: 0 },
    ]);
    const starts = frames.filter(({ type }) => type === 'content_block_start');
    expect(starts.map((frame) => (frame['content_block'] as { id: string }).id)).toEqual([
      'toolu_id_0',
      'c1',
    ]);
  });

  it('carry proofs of calls beside them, where a client brings them back', () => {
    const proof = { by: 'google', data: 'mark' } as const;
    const frames = write([
      start,
      call(0, 'f'),
      { type: 'block-proof', block: 0, proof, of: 'tool-call' },
      input(0, '{}'),
      { type: 'block-end', block: 0 },
      { type: 'text-delta', block: 1, text: 'a' },
      { type: 'block-proof', block: 1, proof, of: 'text' },
    ]);
    const signatures = frames.flatMap((frame) => {
      const { signature } = (frame['delta'] ?? {}) as { signature?: string };
      return signature === undefined ? [] : [[frame['index'], signature]];
    });
    expect(signatures).toEqual([
      [0, 'next#google#mark'],
      [3, 'previous#google#mark'],
    ]);
  });

  it('name sources before the words they stand for, and cite them with those', () => {
    const source = { url: 'https://a.example', title: 'A' };
    const frames = write([
      start,
      { type: 'source', block: 0, source },
      { type: 'block-end', block: 0 },
      { type: 'text-delta', block: 1, text: 'Words' },
      { type: 'source', block: 1, source: { ...source, title: 'B' } },
    ]);
    expect(
      frames.flatMap((frame) => {
        const { citation: cited } = (frame['delta'] ?? {}) as { citation?: { title: string } };
        return cited === undefined ? [] : [[frame['index'], cited.title]];
      }),
    ).toEqual([
      [0, 'A'],
      [0, 'B'],
    ]);
  });

  it('give the plain text of a tool without JSON as its one argument', () => {
    const frames = write([
      start,
      { type: 'tool-input-start', block: 0, callId: 'c0', name: 'sql', isFreeform: true },
      input(0, 'select "a'),
      // Comes while the text is incomplete, and waits.
      { type: 'text-delta', block: 1, text: 'x' },
      input(0, '"\\n\n'),
      { type: 'block-end', block: 0 },
    ]);
    const kinds = frames
      .filter(({ type }) => type === 'content_block_start')
      .map((frame) => (frame['content_block'] as { type: string }).type);
    expect(kinds).toEqual(['tool_use', 'text']);
    const json = frames
      .flatMap((frame) => (frame['delta'] as { partial_json?: string } | undefined)?.partial_json ?? [])
      .join('');
    expect(JSON.parse(json)).toEqual({ input: 'select "a"\\n\n' });
  });

  it('wait for no end that a vendor forgot: calls without arguments come before what follows them', () => {
    const frames = write([
      start,
      call(0, 'f'),
      call(1, 'g'),
      input(1, '{}'),
      { type: 'text-delta', block: 2, text: 'x' },
    ]);
    const kinds = frames
      .filter(({ type }) => type === 'content_block_start')
      .map((frame) => (frame['content_block'] as { type: string; name?: string }).name ?? 'text');
    expect(kinds).toEqual(['f', 'g', 'text']);
  });

  it('keep a bounded number of pieces waiting for arguments that never end', () => {
    const writer = new MessagesReplyWriter(CONTEXT);
    let text = writer.write(start) + writer.write(call(0, 'f')) + writer.write(input(0, '{"a":'));
    for (let piece = 0; piece < 10_000; piece += 1) {
      text += writer.write({ type: 'text-delta', block: 1, text: 'x' });
    }
    expect(text.match(/"text":"x"/g)).toHaveLength(10_000);
    expect(framesOf(text + writer.end()).filter(({ type }) => type === 'content_block_start')).toHaveLength(
      2,
    );
  });

  it('of redacted thoughts of another family keep their proof', () => {
    const frames = write([
      start,
      {
        type: 'block-proof',
        block: 0,
        proof: { by: 'openai', id: 'rs_1', data: 'c' },
        of: 'reasoning',
        isRedacted: true,
      },
    ]);
    expect(frames[2]).toMatchObject({
      delta: { type: 'signature_delta', signature: 'openai-redacted#rs_1#c' },
    });
  });

  it('end a stream that passed untouched without its own end', () => {
    expect(new MessagesReplyWriter(CONTEXT).end()).toBe(
      'event: message_stop\ndata: {"type":"message_stop"}\n\n',
    );
  });
});

describe('a whole reply', () => {
  const MESSAGE = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-x',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 'sig' },
      { type: 'redacted_thinking', data: 'hidden' },
      { type: 'text', text: 'Hi', citations: [citation] },
      { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: [1] }, caller: { type: 'direct' } },
      { type: 'mcp_tool_use', id: 'm', name: 'x', server_name: 's', input: {} },
    ],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: {
      input_tokens: 5,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 2,
      cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
      output_tokens: 9,
      output_tokens_details: { thinking_tokens: 4 },
    },
    container: { id: 'c' },
  };
  const parsedCall = (() => {
    const parsed = anthropicMessages.parseCall(
      Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'a' }] })),
      { pathModel: undefined, query: '', headers: {} },
    );
    if (!parsed.ok) throw new Error(parsed.error.message);
    return parsed.value;
  })();
  const rewrite = (reply: ChatReply): unknown =>
    JSON.parse(anthropicMessages.writeReply(reply, CONTEXT, parsedCall).toString());
  const readWhole = (document: unknown): ChatReply => {
    const read = anthropicMessages.readReply(Buffer.from(JSON.stringify(document)), parsedCall);
    if (!read.ok) throw new Error(read.error.message);
    return read.value;
  };

  it('comes back as it was', () => {
    expect(rewrite(readWhole(MESSAGE))).toMatchObject(MESSAGE);
  });

  it('meters it from its bytes', () => {
    const meter = new MessagesMeter();
    expect(meter.readWhole(Buffer.from(JSON.stringify(MESSAGE)))).toBe('answer');
    expect(meter.usage).toEqual({ input: { total: 7, cacheRead: 2 }, output: { total: 9, reasoning: 4 } });
    expect(meter.produced.keptText()).toBe('Hm.Hif{"a":[1]}x');
    expect(meter.hasFinish).toBe(true);
  });

  it.each([
    ['error', { type: 'error', error: { type: 'api_error', message: 'no' } }],
    ['empty', { type: 'message', content: [] }],
    ['answer', { type: 'message', content: [], stop_reason: 'refusal' }],
  ])('recognizes it as %s', (verdict, document) => {
    expect(new MessagesMeter().readWhole(Buffer.from(JSON.stringify(document)))).toBe(verdict);
  });

  it('gives the plain text of a tool without JSON as its one argument', () => {
    const call = { type: 'tool-call' as const, callId: 'c', name: 'sql', json: 'select 1', isFreeform: true };
    const reply: ChatReply = {
      id: 'r',
      servedModel: 'm',
      createdAtSeconds: undefined,
      choices: [{ content: [call], finish: { unified: 'tool-calls', raw: undefined } }],
      usage: undefined,
    };
    expect(JSON.parse(writeMessagesReply(reply, CONTEXT).toString('utf8'))).toMatchObject({
      content: [{ type: 'tool_use', name: 'sql', input: { input: 'select 1' } }],
    });
  });

  it('that is no message is malformed', () => {
    expect(anthropicMessages.readReply(Buffer.from('<html>'), parsedCall)).toMatchObject({
      ok: false,
      error: { kind: 'upstream-malformed' },
    });
    expect(new MessagesMeter().readWhole(Buffer.from('<html>'))).toBe('malformed');
  });

  it('of our own tool is the text the caller asked for', () => {
    const reply = readWhole({
      ...MESSAGE,
      content: [
        { type: 'text', text: 'Here you are:' },
        { type: 'tool_use', id: 't', name: ANSWER_TOOL, input: { a: 1 } },
      ],
    });
    expect(reply.choices[0]).toEqual({
      content: [{ type: 'text', text: '{"a":1}' }],
      finish: { unified: 'stop', raw: 'end_turn' },
    });
  });

  it.each([
    ['stop', [], 'end_turn'],
    ['length', [], 'max_tokens'],
    ['content-filter', [], 'refusal'],
    ['stop', [{ type: 'tool-call', callId: 'c', name: 'f', json: '{' }], 'tool_use'],
  ] as const)('of another vendor ends with this wire’s word for %s', (unified, content, stop_reason) => {
    const written = rewrite({
      id: '',
      servedModel: '',
      createdAtSeconds: 1,
      usage: undefined,
      choices: [{ content, finish: { unified, raw: 'x' } }],
    });
    expect(written).toMatchObject({ id: 'msg_id', model: 'asked', stop_reason, stop_sequence: null });
  });

  it.each(['pause_turn', 'model_context_window_exceeded', 'refusal', 'stop_sequence'])(
    'keeps %s',
    (stop_reason) => {
      const stop_sequence = stop_reason === 'stop_sequence' ? 'END' : null;
      expect(rewrite(readWhole({ ...MESSAGE, stop_reason, stop_sequence }))).toMatchObject({
        stop_reason,
        stop_sequence,
      });
    },
  );
});
