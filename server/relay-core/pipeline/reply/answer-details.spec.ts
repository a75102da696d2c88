import { describe, expect, it } from '@jest/globals';
import {
  apiNamed,
  callCore,
  chatCore,
  CHAT_APIS,
  eventsIn,
  type ChatApi,
} from '../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import { openai } from '../../dialects/openai.js';

/** Members of answers that strictly typed clients refuse, or put together wrongly, when they are not as their API has them. */
const chunk = (delta: object, finish: string | null = null, more: object = {}) =>
  JSON.stringify({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1_795_580_447.779,
    model: 'm',
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...more,
  });
const completion = (message: object, finish = 'stop') => ({
  id: 'c1',
  object: 'chat.completion',
  created: 1_795_580_447.779,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: finish }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
});
const CALL = { index: 0, id: 'call_1', type: 'function', function: { name: 'now', arguments: '' } };
const OTHERS = CHAT_APIS.filter(({ name }) => name !== 'chat').map(({ name }) => name);

describe('times are whole seconds', () => {
  it.each([
    [1_795_580_447.779, 1_795_580_447],
    [1_795_580_447_779, 1_795_580_447],
  ])('%d of a look-alike is %d on the Responses API, whole and streamed', async (created, expected) => {
    const whole = await chatCore(new MemoryPorts(), apiNamed('responses'), false, 'chat', (upstream) =>
      upstream.json(200, { ...completion({ content: 'Hi' }), created }),
    );
    expect(whole.json).toMatchObject({ created_at: expected });
    const stream = await chatCore(new MemoryPorts(), apiNamed('responses'), true, 'chat', (upstream) =>
      upstream
        .head()
        .events(chunk({ content: 'Hi' }, null, { created }), chunk({}, 'stop'), '[DONE]')
        .end(),
    );
    expect(eventsIn(stream.text)[0]).toMatchObject({ response: { created_at: expected } });
  });
});

describe('a call that ended has JSON', () => {
  it.each(OTHERS)(
    'completes it on %s, whole and streamed, when the vendor gave no arguments',
    async (api) => {
      const whole = await chatCore(new MemoryPorts(), apiNamed(api), false, 'chat', (upstream) =>
        upstream.json(200, completion({ content: null, tool_calls: [CALL] }, 'tool_calls')),
      );
      const stream = await chatCore(new MemoryPorts(), apiNamed(api), true, 'chat', (upstream) =>
        upstream
          .head()
          .events(chunk({ tool_calls: [CALL] }), chunk({}, 'tool_calls'), '[DONE]')
          .end(),
      );
      for (const { text } of [whole, stream])
        expect(text).toMatch(/"(?:arguments|partial_json)":"\{\}"|"input":\{\}|"args":\{\}/);
      expect(stream.text).not.toMatch(/"arguments":"","name":"now"[^}]*"status":"completed"/);
    },
  );

  it('completes it on chat, when Claude streamed a call without a piece of input', async () => {
    const reply = await chatCore(new MemoryPorts(), apiNamed('chat'), true, 'messages', (upstream) =>
      upstream
        .head()
        .events(
          ...[
            { type: 'message_start', message: { id: 'msg_1', role: 'assistant', content: [] } },
            {
              type: 'content_block_start',
              index: 0,
              content_block: { type: 'tool_use', id: 't1', name: 'now', input: {} },
            },
            { type: 'content_block_stop', index: 0 },
            {
              type: 'message_delta',
              delta: { stop_reason: 'tool_use' },
              usage: { output_tokens: 2, input_tokens: 3 },
            },
            { type: 'message_stop' },
          ].map((event) => JSON.stringify(event)),
        )
        .end(),
    );
    const pieces = eventsIn(reply.text).flatMap(
      (event) =>
        (
          event['choices'] as readonly {
            delta: { tool_calls?: readonly { function: { arguments: string } }[] };
          }[]
        )[0]?.delta.tool_calls ?? [],
    );
    expect(pieces.map((piece) => piece.function.arguments).join('')).toBe('{}');
  });
});

describe('lists in deltas carry an index', () => {
  it('citations on chat', async () => {
    const sources = ['https://a.example', 'https://b.example'].map((uri) => ({ web: { uri, title: uri } }));
    const reply = await chatCore(new MemoryPorts(), apiNamed('chat'), true, 'gemini', (upstream) =>
      upstream
        .head()
        .events(
          JSON.stringify({
            candidates: [
              {
                index: 0,
                content: { parts: [{ text: 'Hi' }] },
                finishReason: 'STOP',
                groundingMetadata: { groundingChunks: sources, groundingSupports: [] },
              },
            ],
          }),
        )
        .end(),
    );
    const lists = eventsIn(reply.text).flatMap(
      (event) =>
        (event['choices'] as readonly { delta: { annotations?: readonly { index: number }[] } }[])[0]?.delta
          .annotations ?? [],
    );
    expect(lists.map(({ index }) => index)).toEqual([0, 1]);
  });
});

describe('ends of lines that JSON leaves alone', () => {
  it.each(OTHERS)('escapes them in the events of %s', async (api) => {
    const text = 'a\u2028b\u2029c\u0085d';
    const reply = await chatCore(new MemoryPorts(), apiNamed(api), true, 'chat', (upstream) =>
      upstream
        .head()
        .events(
          chunk({ reasoning_content: text }),
          chunk({ content: text }),
          chunk({
            tool_calls: [{ ...CALL, function: { name: 'now', arguments: JSON.stringify({ a: text }) } }],
          }),
          chunk({}, 'tool_calls'),
          '[DONE]',
        )
        .end(),
    );
    expect(reply.text).not.toMatch(/[\u0085\u2028\u2029]/);
    expect(reply.text).toContain('a\\u2028b\\u2029c\\u0085d');
  });

  it('escapes them in the error that ends a stream', () => {
    const error = { kind: 'internal', blame: 'gateway', message: 'a\u2028b' } as const;
    for (const { dialect } of CHAT_APIS) expect(dialect.writeErrorFrame(error, 'c')).toContain('a\\u2028b');
  });
});

describe('required figures of the Responses API', () => {
  it.each([false, true])('adds them when the vendor gave none of them, streamed: %s', async (stream) => {
    const reply = await chatCore(new MemoryPorts(), apiNamed('responses'), stream, 'chat', (upstream) =>
      stream
        ? upstream
            .head()
            .events(chunk({ content: 'Hi' }), chunk({}, 'stop'), '[DONE]')
            .end()
        : upstream.json(200, completion({ content: 'Hi' })),
    );
    const last = stream ? eventsIn(reply.text).at(-1)?.['response'] : reply.json;
    expect(last).toMatchObject({
      usage: {
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    });
  });
});

describe('embeddings have the encoding that was asked for', () => {
  const embed = (encoding: string | undefined, embedding: readonly number[] | string) =>
    callCore(new MemoryPorts(), {
      dialect: openai,
      path: '/v1/embeddings',
      operation: 'embed',
      body: {
        model: 'gpt-test',
        input: 'hi',
        ...(encoding === undefined ? {} : { encoding_format: encoding }),
      },
      route: {},
      script: (upstream) =>
        upstream.json(200, {
          object: 'list',
          model: 'e',
          data: [{ object: 'embedding', index: 0, embedding }],
          usage: { prompt_tokens: 1, total_tokens: 1 },
        }),
    });
  const vectorOf = async (encoding: string | undefined, embedding: readonly number[] | string) =>
    ((await embed(encoding, embedding)).json as { data: { embedding: unknown }[] }).data[0]?.embedding;
  const base64 = Buffer.from(new Float32Array([0.5, -1]).buffer).toString('base64');

  it.each([
    ['base64', [0.5, -1], base64],
    ['base64', base64, base64],
    ['float', [0.5, -1], [0.5, -1]],
    [undefined, [0.5, -1], [0.5, -1]],
  ])('%s over %j is %j', async (encoding, given, expected) => {
    expect(await vectorOf(encoding, given)).toEqual(expected);
  });
});

describe('a signature of Gemini stands where its call begins', () => {
  const answer = {
    candidates: [
      {
        index: 0,
        content: {
          parts: [{ functionCall: { name: 'look', args: { at: 'x' } }, thoughtSignature: 'c2lnbmF0dXJl' }],
        },
        finishReason: 'STOP',
      },
    ],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  };
  // The Messages API shows thoughts, and the signatures they carry, to callers who ask for them.
  const asking = (api: ChatApi): ChatApi =>
    api.name === 'messages'
      ? {
          ...api,
          body: (streamed) => ({
            ...api.body(streamed),
            max_tokens: 4_096,
            thinking: { type: 'enabled', budget_tokens: 1_024 },
          }),
        }
      : api;
  const stream = (api: string, isWhole = false) =>
    chatCore(new MemoryPorts(), asking(apiNamed(api)), true, 'gemini', (upstream) =>
      isWhole ? upstream.json(200, answer) : upstream.head().events(JSON.stringify(answer)).end(),
    );

  it.each([false, true])('ahead of the block on the Messages API (answered whole: %s)', async (isWhole) => {
    const blocks = eventsIn((await stream('messages', isWhole)).text).flatMap((event) =>
      event['type'] === 'content_block_start' ? [(event['content_block'] as { type: string }).type] : [],
    );
    expect(blocks).toEqual(['thinking', 'tool_use']);
  });

  it.each([false, true])(
    'puts it on the first piece of the call on chat (answered whole: %s)',
    async (isWhole) => {
      const pieces = eventsIn((await stream('chat', isWhole)).text).flatMap(
        (event) =>
          (event['choices'] as readonly { delta: { tool_calls?: readonly Record<string, unknown>[] } }[])[0]
            ?.delta.tool_calls ?? [],
      );
      expect(pieces.map((piece) => 'extra_content' in piece)).toEqual([true, false]);
      expect(pieces[0]).toMatchObject({ id: expect.any(String), function: { name: 'look' } });
    },
  );
});
