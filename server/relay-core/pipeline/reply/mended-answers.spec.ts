import { describe, expect, it } from '@jest/globals';
import { apiNamed, callCore } from '../../../../test/support/core-calls.js';
import { documentsIn } from '../../../../test/support/gather-streams.js';
import { MemoryPorts, someOptions } from '../../../../test/support/memory-ports.js';

type Json = Record<string, unknown>;
const API = apiNamed('chat');
const USAGE = { prompt_tokens: 3, completion_tokens: 5, total_tokens: 8 };
const call = { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } };

async function ask(answer: Json | readonly (Json | string)[], settings: Json = {}): Promise<string> {
  const ports = new MemoryPorts();
  ports.options.value = someOptions({ retryTimes: 0 });
  const stream = Array.isArray(answer);
  const frames = stream
    ? `${answer.map((one) => (typeof one === 'string' ? one : `data: ${JSON.stringify(one)}\n\n`)).join('')}data: [DONE]\n\n`
    : JSON.stringify(answer, null, 1);
  const reply = await callCore(ports, {
    dialect: API.dialect,
    path: API.path,
    body: API.body(stream),
    route: { channelType: 8, baseUrl: 'https://like.example/v1/chat/completions', settings },
    script: (exchange) =>
      exchange
        .head(200, { 'content-type': stream ? 'text/event-stream' : 'application/json' })
        .bytes(frames)
        .end(),
  });
  return reply.text;
}

const whole = (created: unknown, finish_reason: string, more: Json = {}): Json => ({
  id: 'x',
  object: 'chat.completion',
  created,
  model: 'm',
  own_member: 1.5,
  usage: USAGE,
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi', ...more }, finish_reason }],
});
const chunk = (created: unknown, delta: Json, finish_reason: string | null = null): Json => ({
  id: 'x',
  object: 'chat.completion.chunk',
  created,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});

describe('an answer of a look-alike, to a client of the same API', () => {
  it.each([
    [1795580447.779, 'stop', 1795580447, 'stop'],
    [1795580447779, 'stop', 1795580447, 'stop'],
    [1795580447, 'eos', 1795580447, 'stop'],
    [1795580447, 'max_tokens', 1795580447, 'length'],
    [1795580447, 'sensitive', 1795580447, 'content_filter'],
    // In no table: it passes to callers of the same API.
    [1795580447.5, 'never heard of', 1795580447, 'never heard of'],
  ])('created %s and %s become %s and %s', async (created, finish, time, word) => {
    const answer = JSON.parse(await ask(whole(created, finish))) as Json;
    expect(answer).toEqual({ ...whole(time, word) });
    const chunks = documentsIn(
      await ask([
        ...['', 'H', 'i', ' all'].map((content) => chunk(created, { role: 'assistant', content })),
        chunk(created, {}, finish),
        { ...chunk(created, {}), choices: [], usage: USAGE },
      ]),
    );
    expect(chunks).toHaveLength(6);
    for (const one of chunks) expect(one['created']).toBe(time);
    expect(chunks[4]).toEqual(chunk(time, {}, word));
  });

  it('ends one with calls for them', async () => {
    const answer = JSON.parse(await ask(whole(1, 'end_turn', { tool_calls: [call] }))) as Json;
    expect(answer['choices']).toMatchObject([{ finish_reason: 'tool_calls' }]);
    const chunks = documentsIn(
      await ask([chunk(1, { tool_calls: [{ index: 0, ...call }] }), chunk(1, {}, 'end_turn')]),
    );
    expect(chunks[1]?.['choices']).toMatchObject([{ finish_reason: 'tool_calls' }]);
  });

  it('passes byte by byte where nothing has to be mended, and where its channel passes everything through', async () => {
    const fine = whole(1795580447, 'tool_calls', { tool_calls: [call] });
    expect(await ask(fine)).toBe(JSON.stringify(fine, null, 1));
    const odd = whole(1795580447.5, 'eos');
    expect(await ask(odd, { passThrough: true })).toBe(JSON.stringify(odd, null, 1));
    const comment = ': keep-alive\n\n';
    const text = await ask([
      comment,
      chunk(1, { content: 'Hi' }),
      comment,
      chunk(1, {}, 'stop'),
      chunk(1, {}),
    ]);
    expect(text.split(comment)).toHaveLength(2);
    const passed = await ask([chunk(1.5, { content: 'Hi' }), chunk(1.5, {}, 'eos')], { passThrough: true });
    expect(passed).toContain('1.5');
    expect(passed).toContain('"eos"');
  });

  it.each<[string, Json, Json]>([
    ['a choice without its index', { delta: { content: 'Hi' } }, { index: 0, delta: { content: 'Hi' } }],
    ['a delta that is null', { index: 0, delta: null }, { index: 0, delta: {} }],
    ['no delta', { index: 0 }, { index: 0, delta: {} }],
    [
      'a delta called a message',
      { index: 0, message: { content: 'Hi' } },
      { index: 0, delta: { content: 'Hi' } },
    ],
    [
      'an empty reason to stop',
      { index: 0, delta: {}, finish_reason: '' },
      { delta: {}, finish_reason: null },
    ],
    [
      'an empty role',
      { index: 0, delta: { role: '', content: 'H' } },
      { delta: { role: 'assistant', content: 'H' } },
    ],
    ['another role', { index: 0, delta: { role: 'model' } }, { delta: { role: 'assistant' } }],
    [
      'a role that is null',
      { index: 0, delta: { role: null, content: 'H' } },
      { delta: { role: null, content: 'H' } },
    ],
    [
      'content in parts',
      {
        index: 0,
        delta: {
          content: [
            { type: 'text', text: 'H' },
            { type: 'text', text: 'i' },
          ],
        },
      },
      { delta: { content: 'Hi' } },
    ],
    [
      'thoughts in parts',
      { index: 0, delta: { content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'so' }] }] } },
      { delta: { content: '', reasoning_content: 'so' } },
    ],
    [
      'a part nobody knows',
      { index: 0, delta: { content: [{ type: 'own', own: 1 }] } },
      { delta: { content: [{ type: 'own', own: 1 }] } },
    ],
  ])('gives one with %s in a stream as clients read it', async (_what, came, right) => {
    const text = chunk(1, { content: 'Hello' });
    const frame = { ...chunk(1, {}), choices: [came] };
    const read = documentsIn(await ask([text, frame, text, chunk(1, {}, 'stop')]));
    expect(read[1]?.['choices']).toMatchObject([right]);
    expect([read[0], read[2]]).toEqual([text, text]);
  });

  const reasonsIn = (frames: readonly Json[]): unknown[] =>
    frames.flatMap(({ choices }) => (choices as Json[]).map(({ finish_reason: reason }) => reason));

  it('keeps the last of the reasons to stop that stand behind every piece', async () => {
    const figures = { ...chunk(1, {}), choices: [], usage: USAGE };
    const said = ['H', 'i', '!'].map((content) => chunk(1, { content }, 'stop'));
    const read = documentsIn(await ask([...said, figures]));
    expect(reasonsIn(read)).toEqual([null, null, 'stop']);
    expect(read.map(({ choices }) => (choices as Json[])[0]?.['delta'])).toEqual([
      { content: 'H' },
      { content: 'i' },
      { content: '!' },
      undefined,
    ]);
  });

  it('adds no arguments to a call that a reason to stop cuts in pieces', async () => {
    const piece = (made: Json): Json =>
      chunk(1, { tool_calls: [{ index: 0, id: 'c', type: 'function', function: made }] }, 'stop');
    const pieces = [{ name: 'f', arguments: '' }, { arguments: '{"x"' }, { arguments: ':1}' }].map(piece);
    const read = documentsIn(await ask([...pieces, chunk(1, {}, 'tool_calls')]));
    expect(reasonsIn(read)).toEqual([null, null, 'stop', 'tool_calls']);
    const calls = read.flatMap(({ choices }) => (choices as { delta: Json }[])[0]?.delta['tool_calls'] ?? []);
    expect(calls.map((one) => (one as { function: Json }).function['arguments']).join('')).toBe('{"x":1}');
  });

  it('keeps the reasons of several choices, which end one after the other', async () => {
    const of = (index: number, delta: Json, finish_reason: string | null): Json => ({
      ...chunk(1, {}),
      choices: [{ index, delta, finish_reason }],
    });
    const frames = [of(0, { content: 'a' }, 'stop'), of(1, { content: 'b' }, null), of(1, {}, 'length')];
    expect(documentsIn(await ask(frames)).slice(0, frames.length)).toEqual(frames);
  });

  it('gives the piece that bears the reason to stop where nothing follows', async () => {
    const last = chunk(1, { content: 'Hi' }, 'length');
    expect(documentsIn(await ask([last]))[0]).toEqual(last);
  });

  it('has a list of choices in every frame', async () => {
    const first = chunk(1, { content: 'Hi' });
    const read = documentsIn(await ask([{ ...first, choices: null }, first, chunk(1, {}, 'stop')]));
    expect(read[0]).toEqual({ ...first, choices: [] });
  });

  it('has whole texts and roles, whole', async () => {
    const content = [
      { type: 'text', text: 'Hi' },
      { type: 'output_text', text: ' there' },
    ];
    const answer = JSON.parse(await ask(whole(1, 'stop', { role: 'model', content }))) as Json;
    expect(answer['choices']).toMatchObject([{ message: { role: 'assistant', content: 'Hi there' } }]);
    const thoughts = [{ type: 'thinking', thinking: 'so' }, ...content];
    const apart = JSON.parse(await ask(whole(1, 'stop', { role: 'model', content: thoughts }))) as Json;
    expect(apart['choices']).toMatchObject([{ message: { content: 'Hi there', reasoning_content: 'so' } }]);
  });

  type Piece = readonly [
    index: number | undefined,
    id: string | undefined,
    name: string | undefined,
    json: string,
  ];
  const WRITINGS: readonly (readonly [string, readonly Piece[]])[] = [
    [
      'one index for all calls',
      [
        [0, 'a', 'f', '{"x":1}'],
        [0, 'b', 'g', '{"y"'],
        [0, '', undefined, ':2}'],
      ],
    ],
    [
      'an index that counts on',
      [
        [0, 'a', 'f', '{"x"'],
        [1, undefined, undefined, ':1}'],
        [2, 'b', 'g', '{"y":2}'],
      ],
    ],
    [
      'no index',
      [
        [undefined, 'a', 'f', '{"x":1}'],
        [undefined, 'b', 'g', '{"y":'],
        [undefined, 'b', undefined, '2}'],
      ],
    ],
    [
      'pieces in turns',
      [
        [0, 'a', 'f', ''],
        [1, 'b', 'g', ''],
        [0, undefined, undefined, '{"x":1}'],
        [1, undefined, undefined, '{"y":2}'],
      ],
    ],
    [
      'pieces in turns, long after each other',
      [
        [0, 'a', 'f', '{"x'],
        [0, undefined, undefined, '"'],
        [1, 'b', 'g', '{"y":2}'],
        [0, 'a', undefined, ':'],
        [0, 'a', undefined, '1}'],
      ],
    ],
  ];

  it.each(WRITINGS)(
    'gives one with calls by %s, in one choice or in two, as clients join them',
    async (_how, pieces) => {
      const toolCall = ([index, id, name, json]: Piece): Json => ({
        ...(index === undefined ? {} : { index }),
        ...(id === undefined ? {} : { id }),
        function: { ...(name === undefined ? {} : { name }), arguments: json },
      });
      for (const last of [0, 1]) {
        const frames = pieces.map((piece) => ({
          ...chunk(1, {}),
          // The index of a choice may stand behind its calls.
          choices: Array.from({ length: last + 1 }, (_, index) => ({
            delta: { tool_calls: [toolCall(piece)] },
            finish_reason: null,
            index,
          })),
        }));
        const read = documentsIn(await ask([...frames, chunk(1, {}, 'tool_calls')]));
        const joined: Record<string, { name: string; json: string }> = {};
        for (const { choices } of read)
          for (const { index: choice, delta } of choices as { index: number; delta: Json }[])
            for (const entry of (delta['tool_calls'] ?? []) as { index: number; function: Json }[]) {
              const call = (joined[`${choice}/${entry.index}`] ??= { name: '', json: '' });
              call.name += (entry.function['name'] as string | undefined) ?? '';
              call.json += entry.function['arguments'] as string;
            }
        const calls = { '0/0': { name: 'f', json: '{"x":1}' }, '0/1': { name: 'g', json: '{"y":2}' } };
        const second = { '1/0': calls['0/0'], '1/1': calls['0/1'] };
        expect(joined).toEqual(last === 0 ? calls : { ...calls, ...second });
      }
    },
  );
});
