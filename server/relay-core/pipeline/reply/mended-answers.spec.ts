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
    [1795580447.5, 'never heard of', 1795580447, 'stop'],
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

  it('with calls ends for them', async () => {
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
});
