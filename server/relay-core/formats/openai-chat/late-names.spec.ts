import { describe, expect, it } from '@jest/globals';
import { oneCall } from '../../../../test/support/one-answer.js';
import { list, object, type Json } from '../../../../test/support/strict-vendors/story.js';

const chunk = (delta: Json, finish_reason: string | null = null): Json => ({
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason }],
});
const piece = (index: number, made: Json): Json => ({ tool_calls: [{ index, ...made }] });
const end = [chunk({}, 'tool_calls'), '[DONE]'];

/** Names and arguments of the calls in a stream of Messages. */
async function callsOf(answer: readonly (Json | string)[]): Promise<readonly unknown[]> {
  const { events } = await oneCall({ api: 'messages', over: 'chat', answer: [...answer] });
  const calls = new Map<unknown, { readonly name: unknown; json: string }>();
  for (const event of events) {
    const block = object(event['content_block']);
    if (block['type'] === 'tool_use') calls.set(event['index'], { name: block['name'], json: '' });
    const call = calls.get(event['index']);
    if (call !== undefined) call.json += String(object(event['delta'])['partial_json'] ?? '');
  }
  return [...calls.values()].map(({ name, json }) => [name, json]);
}

/** https://github.com/earendil-works/pi/issues/4854 (read 2026-11-30). */
describe('calls whose names come behind their arguments', () => {
  it('begin with their names', async () => {
    const answer = [
      chunk(piece(0, { function: { arguments: '{"a":' } })),
      chunk(piece(0, { id: 'c1', type: 'function', function: { name: 'f', arguments: '1}' } })),
      ...end,
    ];
    expect(await callsOf(answer)).toEqual([['f', '{"a":1}']]);
  });

  it('stay apart where several are made at once', async () => {
    const answer = [
      chunk(piece(0, { id: 'c1', type: 'function' })),
      chunk(piece(0, { function: { name: 'f', arguments: '{}' } })),
      chunk(piece(1, { id: 'c2', function: { arguments: '{"b"' } })),
      chunk(piece(1, { function: { name: 'g', arguments: ':2}' } })),
      ...end,
    ];
    expect(await callsOf(answer)).toEqual([
      ['f', '{}'],
      ['g', '{"b":2}'],
    ]);
  });

  it('keep their arguments where no name comes at all', async () => {
    expect(await callsOf([chunk(piece(0, { id: 'c', function: { arguments: '{"a":1}' } })), ...end])).toEqual(
      [['', '{"a":1}']],
    );
  });

  it('keep their names in whole answers collected from the stream', async () => {
    const { events } = await oneCall({
      api: 'responses',
      over: 'chat',
      answer: [
        chunk(piece(0, { function: { arguments: '{"a":1}' } })),
        chunk(piece(0, { id: 'c1', function: { name: 'f' } })),
        ...end,
      ],
    });
    const response = object(events.at(-1)?.['response']);
    expect(object(list(response['output'])[0])).toMatchObject({
      name: 'f',
      arguments: '{"a":1}',
      call_id: 'c1',
    });
  });
});
