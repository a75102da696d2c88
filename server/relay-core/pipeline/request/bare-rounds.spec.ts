import { describe, expect, it } from '@jest/globals';
import { MESSAGE, sentTo } from '../../../../test/support/sent-to.js';
import { list, object, type Json } from '../../../../test/support/strict-vendors/story.js';

const user = { role: 'user', content: 'q' };
const use: Json = { type: 'tool_use', id: 't', name: 'f', input: {} };
const thought: Json = { type: 'thinking', thinking: 'T', signature: 'S' };
const hidden: Json = { type: 'redacted_thinking', data: 'D' };
const turn = (...content: readonly Json[]): Json => ({ role: 'assistant', content });
const results: Json = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'r' }] };
const tools = [{ name: 'f', input_schema: { type: 'object', properties: {} } }];
const asking = (...messages: readonly Json[]): Json => ({
  thinking: { type: 'enabled', budget_tokens: 1_024 },
  max_tokens: 4_096,
  tools,
  messages: [user, ...messages],
});

/** Conversations whose open round of tools has thoughts, or none. */
const BARE: Readonly<Record<string, Json>> = {
  'a call alone': asking(turn(use), results),
  'a call behind a text': asking(turn({ type: 'text', text: 'a' }, use), results),
  'a round of two turns': asking(turn(use), results, turn(thought, use), results),
  'an image in the result': asking(turn(use), {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: 't',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        ],
      },
    ],
  }),
  'a content before its role': asking({ content: [use], role: 'assistant' }, turn(use), results),
};
const THOUGHTFUL: Readonly<Record<string, Json>> = {
  'signed thoughts': asking(turn(thought, use), results),
  'hidden thoughts': asking(turn(hidden, use), results),
  'a round without thoughts that is over': asking(
    turn(use),
    results,
    turn({ type: 'text', text: 'a' }),
    user,
  ),
  'a later turn without thoughts': asking(turn(thought, use), results, turn(use), results),
  'no round': asking(),
};

describe('a round of tools that another vendor wrote without thoughts', () => {
  it.each(
    Object.keys(BARE).flatMap((name) =>
      [
        [25, 'kimi-k2.5'],
        [43, 'deepseek-v4-pro'],
      ].map(([type, model]) => [name, Number(type), String(model)] as const),
    ),
  )('switches thinking off: %s, type %i', async (name, type, upstreamModel) => {
    const { body, warnings } = await sentTo(type, 'messages', BARE[name] ?? {}, {
      upstreamModel,
      answer: MESSAGE,
    });
    expect(body['thinking']).toEqual({ type: 'disabled' });
    expect(warnings.split(', ')).toContain('thinking');
  });

  it.each(Object.keys(BARE))('leaves thinking out for Claude: %s', async (name) => {
    const route = { upstreamModel: 'claude-sonnet-4-5', answer: MESSAGE };
    const { body, warnings } = await sentTo(14, 'messages', BARE[name] ?? {}, route);
    expect(object(body['thinking'])['type']).not.toBe('enabled');
    expect(warnings).toContain('reasoning');
  });

  it.each(
    Object.keys(THOUGHTFUL).flatMap((name) =>
      [
        [14, 'claude-sonnet-4-5'],
        [25, 'kimi-k2.5'],
        [43, 'deepseek-v4-pro'],
      ].map(([type, model]) => [name, Number(type), String(model)] as const),
    ),
  )('keeps thinking with %s, type %i', async (name, type, upstreamModel) => {
    const asked = THOUGHTFUL[name] ?? {};
    const { body } = await sentTo(type, 'messages', asked, { upstreamModel, answer: MESSAGE });
    expect(body['thinking']).toEqual(asked['thinking']);
    expect(list(body['messages'])).toEqual(asked['messages']);
  });

  it('stays as it is for a vendor that takes it', async () => {
    const asked = BARE['a call alone'] ?? {};
    const { body } = await sentTo(35, 'messages', asked, { upstreamModel: 'MiniMax-M3', answer: MESSAGE });
    expect(body['thinking']).toEqual(asked['thinking']);
  });
});
