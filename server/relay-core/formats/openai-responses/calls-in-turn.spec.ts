import { describe, expect, it } from '@jest/globals';
import { apiNamed, chatCore, eventsIn } from '../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';

type Json = Record<string, unknown>;

const chunk = (delta: Json, finish_reason: string | null = null): Json => ({
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});
const piece = (index: number, json: string, begun?: readonly [id: string, name: string]): Json =>
  chunk({
    tool_calls: [
      {
        index,
        ...(begun === undefined ? {} : { id: begun[0], type: 'function' }),
        function: { ...(begun === undefined ? {} : { name: begun[1] }), arguments: json },
      },
    ],
  });

async function itemsOf(frames: readonly Json[]): Promise<{ kinds: string[]; calls: Json }> {
  const reply = await chatCore(new MemoryPorts(), apiNamed('responses'), true, 'chat', (upstream) =>
    upstream
      .head()
      .events(...frames.map((frame) => JSON.stringify(frame)), '[DONE]')
      .end(),
  );
  const events = eventsIn(reply.text);
  const calls: Json = {};
  for (const { type, item } of events as { type: string; item?: Json }[])
    if (type === 'response.output_item.done' && item?.['type'] === 'function_call')
      calls[String(item['call_id'])] = item['arguments'];
  const kinds = (events as { type: string; output_index?: number }[]).flatMap(({ type, output_index: at }) =>
    /output_item\.(added|done)$/.test(type) ? [`${at} ${type.slice(type.lastIndexOf('.') + 1)}`] : [],
  );
  return { kinds, calls };
}

describe('calls of a streamed response', () => {
  it.each([
    [
      'after each other',
      [piece(0, '{"x"', ['a', 'f']), piece(0, ':1}'), piece(1, '{"y"', ['b', 'g']), piece(1, ':2}')],
    ],
    [
      'in turns',
      [piece(0, '', ['a', 'f']), piece(1, '', ['b', 'g']), piece(0, '{"x":1}'), piece(1, '{"y":2}')],
    ],
  ])('gives them whole, one item after the other, when the vendor sends them %s', async (_how, pieces) => {
    const { kinds, calls } = await itemsOf([...pieces, chunk({}, 'tool_calls')]);
    expect(calls).toEqual({ a: '{"x":1}', b: '{"y":2}' });
    expect(kinds).toEqual(['0 added', '0 done', '1 added', '1 done']);
  });

  it('loses nothing when more comes in between than waits', async () => {
    const many = Array.from({ length: 5_000 }, () => piece(1, ' '));
    const frames = [
      piece(0, '{', ['a', 'f']),
      piece(1, '{', ['b', 'g']),
      ...many,
      piece(0, '}'),
      piece(1, '}'),
    ];
    const { calls } = await itemsOf([...frames, chunk({}, 'tool_calls')]);
    expect(calls).toEqual({ a: '{}', b: `{${' '.repeat(5_000)}}` });
  });
});
