import { describe, expect, it } from '@jest/globals';
import { MESSAGE, sentTo } from '../../../../test/support/sent-to.js';
import type { Json } from '../../../../test/support/strict-vendors/story.js';

const mark = (more: Json = {}): Json => ({ cache_control: { type: 'ephemeral', ...more } });
const WIDE = { scope: 'global', ttl: '1h' };
const asked = (more: Json): Json => ({
  system: [{ type: 'text', text: 'Be brief.', ...mark(more) }],
  tools: [{ name: 'look', input_schema: { type: 'object', properties: {} }, ...mark(more) }],
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'Hi', ...mark(more) }] },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: { cache_control: WIDE } }],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_1',
          content: [{ type: 'text', text: 'a', ...mark(more) }],
        },
      ],
    },
  ],
});

const BEDROCK = { credential: 'key|us-east-1' };

describe('marks of cached prefixes on their way to Claude', () => {
  it.each([
    ['Anthropic', 14, 'claude-sonnet-4-5', {}, { ttl: '1h' }],
    ['Bedrock', 33, 'anthropic.claude-sonnet-4-5-20250929-v1:0', BEDROCK, { ttl: '1h' }],
    ['Bedrock, an older model', 33, 'anthropic.claude-opus-4-1-20250805-v1:0', BEDROCK, {}],
  ])('leave without a scope: %s', async (_name, type, upstreamModel, route, left) => {
    const { body, warnings } = await sentTo(type, 'messages', asked(WIDE), {
      upstreamModel,
      answer: MESSAGE,
      ...route,
    });
    const { system, tools, messages } = asked(left);
    expect(body['system']).toEqual(system);
    expect(body['tools']).toEqual(tools);
    expect(body['messages']).toEqual(messages);
    expect(warnings.includes('cache_control.ttl')).toBe(!('ttl' in left));
  });

  it('keep the scope where the client asks for its beta feature', async () => {
    const { body } = await sentTo(14, 'messages', asked(WIDE), {
      upstreamModel: 'claude-sonnet-4-5',
      answer: MESSAGE,
      headers: { 'anthropic-beta': 'prompt-caching-scope-2026-01-05' },
    });
    expect(body['system']).toEqual(asked(WIDE)['system']);
  });
});
