import { describe, expect, it } from '@jest/globals';
import { ANSWER, RESPONSE, sentTo } from '../../../../test/support/sent-to.js';
import { list, object, type Json } from '../../../../test/support/strict-vendors/story.js';
import { shortCallId } from '../../formats/shared/requests/short-call-id.js';
import { shortenCallIds } from './fit-passed-body.js';

const user = { role: 'user', content: 'q' };
const callOf = (id: string): Json => ({
  id,
  type: 'function',
  function: { name: 'f', arguments: '{"n":1.0}' },
});
const resultOf = (id: string): Json => ({ role: 'tool', tool_call_id: id, content: 'r' });

/** Ids of vendors and gateways in public threads. */
const LONG: Readonly<Record<string, string>> = {
  'an item of Responses': 'fc_0f0e50a1476a6c35006912c58dc9f8819192c25864eb16f07f',
  'a UUID behind a prefix': 'call_1f6a51c2-7a0f-4b8c-9c52-1b1f0c2f5d11',
  'a signature in the id': `call_2ee__thought__${'Ab+/'.repeat(93)}`,
  'a name in the id': `functions.${'lookup_'.repeat(6)}:0`,
  'letters of another script': '呼び出し'.repeat(12),
};
const chat = (...ids: readonly string[]): Json => ({
  messages: [user, { role: 'assistant', content: null, tool_calls: ids.map(callOf) }, ...ids.map(resultOf)],
});
const messages = (...ids: readonly string[]): Json => ({
  messages: [
    user,
    { role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'f', input: {} })) },
    { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'r' })) },
  ],
});
const responses = (...ids: readonly string[]): Json => ({
  input: [
    user,
    ...ids.map((id) => ({ type: 'function_call', call_id: id, name: 'f', arguments: '{}' })),
    ...ids.map((id) => ({ type: 'function_call_output', call_id: id, output: 'r' })),
  ],
});

/** Ids of the calls that left, and of the results. */
function idsIn(body: Json): readonly (readonly unknown[])[] {
  const turns = list(body['messages'] ?? body['input']).map(object);
  const calls = turns.flatMap((turn) =>
    turn['type'] === 'function_call' ? [turn['call_id']] : list(turn['tool_calls']).map(({ id }) => id),
  );
  const results = turns.flatMap((turn) =>
    turn['type'] === 'function_call_output' ? [turn['call_id']] : (turn['tool_call_id'] ?? []),
  );
  return [calls, results];
}

describe('ids of calls that are longer than OpenAI takes', () => {
  const openai = { baseUrl: '', upstreamModel: 'gpt-4o-mini' };
  it.each(
    Object.entries(LONG).flatMap(([name, id]) =>
      (['chat', 'messages', 'responses'] as const).map((api) => [name, api, id] as const),
    ),
  )('shrink with their results: %s by %s', async (_name, api, id) => {
    const asked = { chat, messages, responses }[api](id, `${id}2`);
    // OpenAI's own models are reached by Responses from other APIs than chats.
    const answer = api === 'chat' ? ANSWER : RESPONSE;
    const { body } = await sentTo(1, api, asked, { ...openai, answer });
    const [calls = [], results] = idsIn(body);
    expect(calls).toEqual(results);
    expect(new Set(calls).size).toBe(2);
    const longest = body['input'] === undefined ? 40 : 64;
    for (const one of calls) expect(String(one).length).toBeLessThanOrEqual(longest);
  });

  it('shrink for a Responses endpoint behind another API', async () => {
    const route = { baseUrl: 'https://vendor.example/v1/responses', answer: RESPONSE };
    const { body } = await sentTo(8, 'messages', messages('x'.repeat(391)), route);
    const [[call] = [], results] = idsIn(body);
    expect(String(call)).toHaveLength(64);
    expect(results).toEqual([call]);
  });

  it.each(['call_1', 'x'.repeat(40)])('stay as they came where they are no longer: %s', async (id) => {
    const { body: passed } = await sentTo(1, 'chat', chat(id), openai);
    const { body: written } = await sentTo(1, 'messages', messages(id), { ...openai, answer: RESPONSE });
    for (const body of [passed, written]) expect(idsIn(body)).toEqual([[id], [id]]);
  });

  it('stay as they came at a vendor that does not bound them, byte for byte', async () => {
    const asked = chat('x'.repeat(90));
    expect((await sentTo(43, 'chat', asked)).text).toContain(JSON.stringify(asked['messages']));
  });

  it('change nothing else of a body that passes', async () => {
    const id = 'x'.repeat(41);
    const { text } = await sentTo(1, 'chat', chat(id), openai);
    expect(text).toContain('{\\"n\\":1.0}');
    expect(text.split(shortCallId(id, 40))).toHaveLength(3);
  });

  it('shrink in calls alone', () => {
    const long = 'x'.repeat(50);
    const body = Buffer.from(
      JSON.stringify({ messages: [{ role: 'user', content: [{ type: 'file', file: { id: long } }] }] }),
    );
    expect(shortenCallIds(body, 'openai-chat', 40)).toBe(body);
  });
});
