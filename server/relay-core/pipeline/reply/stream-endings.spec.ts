import { describe, expect, it } from '@jest/globals';
import { apiNamed, callCore, chatCore, CHAT_APIS, eventsIn } from '../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import type { MemoryExchange } from '../../../../test/support/memory-sides.js';
import { openai } from '../../dialects/openai.js';

const asEvents = (...events: readonly object[]): readonly string[] =>
  events.map((event) => JSON.stringify(event));

const form = (fields: Readonly<Record<string, string>>): Buffer =>
  Buffer.from(
    `${Object.entries(fields)
      .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join(
        '',
      )}--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\n\r\nsound\r\n--b--\r\n`,
  );

const transcribe = (ports: MemoryPorts, script: (exchange: MemoryExchange) => void) =>
  callCore(ports, {
    dialect: openai,
    path: '/v1/audio/transcriptions',
    operation: 'transcribe',
    headers: { 'content-type': 'multipart/form-data; boundary=b' },
    body: form({ model: 'gpt-test', stream: 'true' }),
    route: {},
    script,
  });
const draw = (ports: MemoryPorts, script: (exchange: MemoryExchange) => void) =>
  callCore(ports, {
    dialect: openai,
    path: '/v1/images/generations',
    operation: 'image',
    body: { model: 'gpt-test', prompt: 'a cat', stream: true },
    route: {},
    script,
  });
const speak = (ports: MemoryPorts, script: (exchange: MemoryExchange) => void) =>
  callCore(ports, {
    dialect: openai,
    path: '/v1/audio/speech',
    operation: 'speak',
    body: { model: 'gpt-test', input: 'Hi', voice: 'alloy', stream_format: 'sse' },
    route: {},
    script,
  });

const LAST_WORD_IS_AN_EVENT = [
  {
    name: 'a transcript',
    ask: transcribe,
    events: asEvents(
      { type: 'transcript.text.delta', delta: 'Hello' },
      { type: 'transcript.text.done', text: 'Hello' },
    ),
  },
  {
    name: 'a picture',
    ask: draw,
    events: asEvents(
      { type: 'image_generation.partial_image', b64_json: 'QUJD', partial_image_index: 0 },
      { type: 'image_generation.completed', b64_json: 'QUJD' },
    ),
  },
  {
    name: 'speech',
    ask: speak,
    events: asEvents({ type: 'speech.audio.delta', audio: 'QUJD' }, { type: 'speech.audio.done' }),
  },
];

describe.each(LAST_WORD_IS_AN_EVENT)('a stream of $name, whose last word is an event', ({ ask, events }) => {
  const sent = events.map((event) => `data: ${event}\n\n`).join('');

  it('passes event for event, and nothing is added behind the last', async () => {
    const ports = new MemoryPorts();
    const reply = await ask(ports, (upstream) =>
      upstream
        .head()
        .events(...events)
        .end(),
    );
    expect(reply.text).toBe(sent);
    expect(ports.quota.settled).toMatchObject([{ outcome: 'ok' }]);
  });

  it('counts as complete when its connection breaks behind the last event', async () => {
    const ports = new MemoryPorts();
    const reply = await ask(ports, (upstream) =>
      upstream
        .head()
        .events(...events)
        .breakWith({ kind: 'reset', cause: undefined }),
    );
    expect(reply.text).toBe(sent);
    expect(ports.quota.settled).toMatchObject([{ outcome: 'ok' }]);
  });

  it('counts as complete when the vendor falls silent behind the last event', async () => {
    const ports = new MemoryPorts();
    const answering = ask(ports, (upstream) => {
      upstream.head().events(...events);
      ports.clock.advance(3_600_000);
    });
    expect((await answering).text).toBe(sent);
  });

  it('ends with an error event when it is cut before the last', async () => {
    const ports = new MemoryPorts();
    const reply = await ask(ports, (upstream) =>
      upstream
        .head()
        .events(events[0] as string)
        .end(),
    );
    expect(reply.text.startsWith(`data: ${events[0]}\n\n`)).toBe(true);
    expect(eventsIn(reply.text).at(-1)).toHaveProperty('error');
    expect(ports.quota.settled).toMatchObject([{ outcome: 'partial' }]);
  });
});

/** Answers without figures of the vendor, in each format. */
const names = { id: 'gen-7', created: 1_700_000_123, model: 'served-7', system_fingerprint: 'fp_7' };
const chunk = (choices: readonly object[]) => ({ ...names, object: 'chat.completion.chunk', choices });
const response = {
  id: 'resp_7',
  object: 'response',
  created_at: 1,
  model: 'served-7',
  status: 'completed',
  output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] }],
};
const STREAMS: Readonly<Record<string, readonly string[]>> = {
  chat: [
    ...asEvents(
      { ...chunk([]), id: '', model: '', created: 0, prompt_filter_results: [] },
      chunk([{ index: 0, delta: { role: 'assistant', content: 'Hello' }, finish_reason: null }]),
      chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]),
    ),
    '[DONE]',
  ],
  responses: asEvents(
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } },
    { type: 'response.output_text.delta', output_index: 0, content_index: 0, delta: 'Hello' },
    { type: 'response.completed', response: { ...response, usage: null } },
  ),
  messages: asEvents(
    { type: 'message_start', message: { id: 'msg_7', type: 'message', role: 'assistant', content: [] } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null } },
    { type: 'message_stop' },
  ),
  gemini: asEvents({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }],
    responseId: 'r-7',
    modelVersion: 'served-7',
  }),
};
const WHOLES: Readonly<Record<string, object>> = {
  chat: {
    ...names,
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
  },
  responses: response,
  messages: {
    id: 'msg_7',
    type: 'message',
    role: 'assistant',
    model: 'served-7',
    content: [{ type: 'text', text: 'Hello' }],
    stop_reason: 'end_turn',
  },
  gemini: JSON.parse(STREAMS['gemini']?.[0] ?? '{}') as object,
};

/** Input and output in a reply or at the end of a stream. */
function reportedIn(api: string, events: readonly Record<string, unknown>[]): readonly number[] {
  const found = events.flatMap((event) => {
    const usage = api === 'gemini' ? event['usageMetadata'] : (event['usage'] ?? inner(event)?.['usage']);
    return usage === undefined || usage === null ? [] : [usage as Record<string, number>];
  });
  const usage = found.at(-1) ?? {};
  return [
    usage['prompt_tokens'] ?? usage['input_tokens'] ?? usage['promptTokenCount'] ?? -1,
    usage['completion_tokens'] ?? usage['output_tokens'] ?? usage['candidatesTokenCount'] ?? -1,
  ];
}
const inner = (event: Record<string, unknown>) => event['response'] as Record<string, unknown> | undefined;

const PAIRS = CHAT_APIS.flatMap(({ name }) => Object.keys(STREAMS).map((format) => [name, format] as const));

describe('figures of an answer without a report', () => {
  it.each(PAIRS)('reports the charged figures: %s over %s, streamed', async (name, format) => {
    const ports = new MemoryPorts();
    const reply = await chatCore(ports, apiNamed(name), true, format, (upstream) =>
      upstream
        .head()
        .events(...(STREAMS[format] ?? []))
        .end(),
    );
    const { input, output } = ports.quota.settled[0]?.usage ?? { input: {}, output: {} };
    expect(output.total).toBeGreaterThan(0);
    expect(reportedIn(name, eventsIn(reply.text))).toEqual([input.total, output.total]);
    // Responses repeats the text by protocol; the others do not.
    if (name !== 'responses') expect(reply.text.match(/Hello/g)).toHaveLength(1);
  });

  it.each(PAIRS)('reports the charged figures: %s over %s, whole', async (name, format) => {
    const ports = new MemoryPorts();
    const reply = await chatCore(ports, apiNamed(name), false, format, (upstream) =>
      upstream.json(200, WHOLES[format]),
    );
    const { input, output } = ports.quota.settled[0]?.usage ?? { input: {}, output: {} };
    expect(output.total).toBeGreaterThan(0);
    expect(reportedIn(name, [reply.json as Record<string, unknown>])).toEqual([input.total, output.total]);
  });

  it('puts them in a frame with the names of the frames that passed', async () => {
    const reply = await chatCore(new MemoryPorts(), apiNamed('chat'), true, 'chat', (upstream) =>
      upstream
        .head()
        .events(...(STREAMS['chat'] ?? []))
        .end(),
    );
    expect(eventsIn(reply.text).at(-1)).toMatchObject({
      ...names,
      object: 'chat.completion.chunk',
      choices: [],
    });
    expect(reply.text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('puts those of an array of documents inside the array', async () => {
    const api = { ...apiNamed('gemini'), query: '' };
    const reply = await chatCore(new MemoryPorts(), api, true, 'gemini', (upstream) =>
      upstream.head(200, { 'content-type': 'application/json' }).bytes(`[${STREAMS['gemini']?.[0]}\n]`).end(),
    );
    const documents = reply.json as readonly Record<string, unknown>[];
    expect(documents).toHaveLength(2);
    expect(documents[1]).toMatchObject({ responseId: 'r-7', modelVersion: 'served-7' });
    expect(documents[1]).toHaveProperty('usageMetadata');
  });
});
