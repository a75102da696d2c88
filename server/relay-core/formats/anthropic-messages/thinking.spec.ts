import { describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '../../model/chat.js';
import { write, warningsOf, aRequest } from '../../../../test/support/fixtures/anthropic-requests.fixture.js';

describe('thinking', () => {
  const think = (
    reasoning: ChatRequest['reasoning'],
    upstreamModel: string,
    changes: Partial<ChatRequest> = {},
  ) => {
    const { thinking, output_config } = write(aRequest({ ...(reasoning && { reasoning }), ...changes }), {
      upstreamModel,
    });
    return [thinking, output_config];
  };

  it.each([
    [{ effort: 'low' }, 'claude-sonnet-4-5', { type: 'enabled', budget_tokens: 1_280 }, undefined],
    [{ effort: 'medium' }, 'claude-sonnet-4-5', { type: 'enabled', budget_tokens: 2_048 }, undefined],
    [{ effort: 'high' }, 'claude-sonnet-4-5', { type: 'enabled', budget_tokens: 4_096 }, undefined],
    [
      { budgetTokens: 3_000 },
      'claude-opus-4-1@20250805',
      { type: 'enabled', budget_tokens: 3_000 },
      undefined,
    ],
    [{ budgetTokens: 100 }, 'claude-opus-4-1', { type: 'enabled', budget_tokens: 1_024 }, undefined],
    [{ budgetTokens: 20_000 }, 'claude-opus-4-1', { type: 'enabled', budget_tokens: 7_744 }, undefined],
    [{ effort: 'high' }, 'anthropic.claude-opus-4-6-v1', { type: 'adaptive' }, { effort: 'high' }],
    [{ effort: 'minimal' }, 'claude-opus-4-6', { type: 'adaptive' }, { effort: 'low' }],
    [{ effort: 'xhigh' }, 'claude-opus-4-6', { type: 'adaptive' }, { effort: 'high' }],
    [{ effort: 'xhigh' }, 'claude-opus-4-7', { type: 'adaptive' }, { effort: 'xhigh' }],
    [
      { isDynamic: true, summary: 'auto' },
      'claude-opus-4-8',
      { type: 'adaptive', display: 'summarized' },
      undefined,
    ],
    [{ budgetTokens: 2_000 }, 'claude-opus-4-8', { type: 'enabled', budget_tokens: 2_000 }, undefined],
    [{ budgetTokens: 2_000 }, 'claude-fable-5', { type: 'adaptive' }, undefined],
    [{ summary: 'auto' }, 'claude-sonnet-4-5', { type: 'enabled', budget_tokens: 2_048 }, undefined],
    [{ summary: 'none' }, 'claude-sonnet-4-5', undefined, undefined],
    [{ effort: 'none' }, 'claude-opus-4-8', { type: 'disabled' }, undefined],
    [{ effort: 'none' }, 'claude-fable-5', { type: 'adaptive' }, { effort: 'low' }],
    [{ effort: 'high' }, 'claude-3-haiku-20240307', undefined, undefined],
    [undefined, 'claude-opus-4-8', undefined, undefined],
  ] as const)('%j at %s', (reasoning, model, thinking, config) => {
    expect(think(reasoning, model)).toEqual([thinking, config]);
  });

  it('gives it up where the cap leaves no room, a tool is forced, or the running turn lacks its signed thoughts', () => {
    const effort = { effort: 'high' } as const;
    expect(think(effort, 'claude-sonnet-4-5', { maxOutputTokens: 1_100 })).toEqual([undefined, undefined]);
    const tools = [{ type: 'function', name: 'f' }] as const;
    expect(think(effort, 'claude-sonnet-4-5', { tools, toolChoice: { type: 'required' } })).toEqual([
      undefined,
      undefined,
    ]);
    const call = { type: 'tool-call', callId: 'c', name: 'f', json: '{}' } as const;
    const turn = (signature?: { by: 'anthropic' | 'google'; data: string }): ChatRequest['messages'] => [
      { role: 'user', content: [{ type: 'text', text: 'a' }] },
      {
        role: 'assistant',
        content: [{ type: 'reasoning', text: 't', ...(signature && { signature }) }, call],
      },
      { role: 'tool', callId: 'c', content: [{ type: 'text', text: 'r' }] },
      { role: 'user', content: [{ type: 'text', text: 'and quickly' }] },
    ];
    const messages = turn();
    expect(think(effort, 'claude-sonnet-4-5', { messages })).toEqual([undefined, undefined]);
    expect(warningsOf(aRequest({ messages, reasoning: effort }))).toContain('reasoning');
    expect(
      think(effort, 'claude-sonnet-4-5', { messages: turn({ by: 'google', data: 's' }) })[0],
    ).toBeUndefined();
    expect(think(effort, 'claude-sonnet-4-5', { messages: turn({ by: 'anthropic', data: 's' }) })[0]).toEqual(
      { type: 'enabled', budget_tokens: 4_096 },
    );
    // Models that decide by themselves do not insist.
    expect(think(effort, 'claude-opus-4-6', { messages })[0]).toEqual({ type: 'adaptive' });
  });

  it('excludes sampling settings', () => {
    const written = write(aRequest({ reasoning: { effort: 'low' }, temperature: 0.2, topP: 0.5, topK: 4 }));
    for (const name of ['temperature', 'top_p', 'top_k']) expect(written).not.toHaveProperty(name);
  });
});
