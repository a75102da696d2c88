import { describe, expect, it } from '@jest/globals';
import { ANSWER, MESSAGE, RESPONSE, sentTo } from '../support/sent-to.js';
import { list, object, type Json } from '../support/strict-vendors/story.js';

const SCHEMA = { type: 'object', properties: {} };
const user = { role: 'user', content: 'q' };
const functionTool = (name: string): Json => ({ type: 'function', function: { name, parameters: SCHEMA } });
const namesIn = (tools: unknown): readonly unknown[] =>
  list(tools).map((tool) => object(object(tool)['function'] ?? tool)['name']);

describe('a limit of the tools that may be called', () => {
  const tools = ['f', 'g'].map(functionTool);
  const allowed = {
    type: 'allowed_tools',
    allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
  };

  it.each([1, 25, 40, 42, 43, 47])('leaves the others out of a chat that passes, type %i', async (type) => {
    const { body } = await sentTo(type, 'chat', { messages: [user], tools, tool_choice: allowed });
    expect(namesIn(body['tools'])).toEqual(['f']);
    expect(body['tool_choice']).toBe('required');
  });

  it('stays for OpenAI itself', async () => {
    const asked = { messages: [user], tools, tool_choice: allowed };
    expect((await sentTo(1, 'chat', asked, { baseUrl: '' })).body).toMatchObject(asked);
  });

  it.each([
    ['allowed', allowed],
    ['named', { type: 'function', function: { name: 'f' } }],
  ])('keeps the tools alone where the vendor has no choice: %s', async (_name, tool_choice) => {
    const { body, warnings } = await sentTo(26, 'chat', { messages: [user], tools, tool_choice });
    expect(namesIn(body['tools'])).toEqual(['f']);
    expect(body).not.toHaveProperty('tool_choice');
    expect(warnings).toBe('tool_choice');
  });

  it('leaves the others out at a Responses endpoint that is not OpenAI’s', async () => {
    const { body } = await sentTo(
      48,
      'responses',
      {
        input: 'q',
        tools: ['f', 'g'].map((name) => ({ type: 'function', name, parameters: SCHEMA })),
        tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [{ type: 'function', name: 'g' }] },
      },
      { answer: RESPONSE },
    );
    expect(namesIn(body['tools'])).toEqual(['g']);
    expect(body['tool_choice']).toBe('auto');
  });
});

describe('a history that a vendor refuses as it is', () => {
  const round = [
    user,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'r' },
  ];

  it.each([
    [42, 'mistral-large-latest'],
    [1, 'mistralai/mistral-small-4'],
  ])('has a turn of the assistant between a tool and a user, type %i', async (type, upstreamModel) => {
    const { body } = await sentTo(type, 'chat', { messages: [...round, user] }, { upstreamModel });
    expect(list(body['messages']).map((turn) => object(turn)['role'])).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });

  it('has one also where a result and the words of the user came in one message', async () => {
    const messages = [
      user,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c', content: 'r' },
          { type: 'text', text: 'go' },
        ],
      },
    ];
    const { body } = await sentTo(42, 'messages', { messages });
    expect(object(list(body['messages'])[3])).toEqual({ role: 'assistant', content: 'OK.' });
  });

  it('has no member of another vendor for Mistral', async () => {
    const turn = {
      role: 'assistant',
      content: 'a',
      thinking_blocks: [{ type: 'thinking', thinking: 'T', signature: 'S' }],
    };
    const { body, warnings } = await sentTo(42, 'chat', { messages: [user, turn, user] });
    expect(list(body['messages'])[1]).toEqual({ role: 'assistant', content: 'a' });
    expect(warnings).toBe('messages.1.thinking_blocks');
  });

  it('has text beside the calls for xAI', async () => {
    const { body } = await sentTo(48, 'chat', { messages: round });
    expect(object(list(body['messages'])[1])['content']).toBe('');
  });

  it.each([25, 26, 40, 43, 48])('has no empty turn, type %i', async (type) => {
    const messages = [user, { role: 'assistant', content: [] }, user];
    const { body, warnings } = await sentTo(type, 'chat', { messages });
    expect(list(body['messages'])).toHaveLength(2);
    expect(warnings).toBe('messages.1');
  });

  it('becomes text for DashScope, with the word that its JSON answers ask for', async () => {
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'q' }] }];
    const { body } = await sentTo(17, 'chat', { messages, response_format: { type: 'json_object' } });
    expect(body['messages']).toEqual([{ role: 'system', content: 'Answer in JSON.' }, user]);
  });

  it('has parameters of tools for MiniMax, from callers of every API', async () => {
    for (const [api, asked] of Object.entries({
      chat: { messages: [user], tools: [{ type: 'function', function: { name: 'f' } }] },
      responses: { input: 'q', tools: [{ type: 'function', name: 'f' }] },
    })) {
      const { body } = await sentTo(35, api, asked);
      expect(body['tools']).toEqual([functionTool('f')]);
    }
  });
});

describe('tools of Claude Code at another vendor’s Messages endpoint', () => {
  const asked = {
    messages: [user],
    tools: [
      { type: 'custom', name: 'f', input_schema: SCHEMA, defer_loading: true },
      { type: 'web_search_20250305', name: 'web_search' },
    ],
  };

  it.each<[number, readonly unknown[]]>([
    [43, [{ name: 'f', input_schema: SCHEMA }, asked.tools[1]]],
    [35, [{ type: 'custom', name: 'f', input_schema: SCHEMA }]],
    [25, [{ type: 'custom', name: 'f', input_schema: SCHEMA }]],
    [26, asked.tools],
  ])('fit the vendor, type %i', async (type, tools) => {
    const { body } = await sentTo(type, 'messages', asked, { answer: MESSAGE });
    expect(body['tools']).toEqual(tools);
  });

  it.each([
    ['deepseek-v4-pro', { tool_choice: { type: 'tool', name: 'f' }, thinking: { type: 'disabled' } }],
    ['deepseek-reasoner', {}],
  ])('yield to the thinking of the model, or it to them: %s', async (upstreamModel, wanted) => {
    const forced = { messages: [user], tools: [{ name: 'f', input_schema: SCHEMA }] };
    const { body } = await sentTo(
      43,
      'messages',
      { ...forced, tool_choice: { type: 'tool', name: 'f' } },
      { answer: MESSAGE, upstreamModel },
    );
    const { tool_choice, thinking } = body;
    expect(JSON.parse(JSON.stringify({ tool_choice, thinking }))).toEqual(wanted);
  });
});

describe('Claude’s older models', () => {
  const ask = (upstreamModel: string, effort: string): ReturnType<typeof sentTo> =>
    sentTo(
      14,
      'messages',
      { messages: [user], max_tokens: 32_000, thinking: { type: 'adaptive' }, output_config: { effort } },
      { answer: MESSAGE, upstreamModel },
    );

  it.each([
    ['claude-haiku-4-5', 'xhigh', { type: 'enabled', budget_tokens: 28_800 }, undefined],
    ['claude-opus-4-5', 'max', { type: 'enabled', budget_tokens: 30_400 }, { effort: 'high' }],
    ['claude-sonnet-4-6', 'xhigh', { type: 'adaptive' }, { effort: 'high' }],
    ['claude-opus-4-8', 'xhigh', { type: 'adaptive' }, { effort: 'xhigh' }],
    ['some-model', 'xhigh', { type: 'adaptive' }, { effort: 'xhigh' }],
  ])('get what they take: %s, %s', async (model, effort, thinking, config) => {
    const { body } = await ask(model, effort);
    expect(body['thinking']).toEqual(thinking);
    expect(body['output_config']).toEqual(config);
  });
});

describe('Claude behind a cloud', () => {
  const asked = {
    messages: [user],
    context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    tools: [{ name: 'f', input_schema: SCHEMA, defer_loading: true, eager_input_streaming: true }],
  };
  const headers = {
    'anthropic-beta':
      'claude-code-20250219,oauth-2025-04-20,context-management-2025-06-27,prompt-caching-scope-2026-01-05',
  };
  const bedrock = { credential: 'AKIA|secret|us-east-1', baseUrl: '', answer: MESSAGE, headers };

  it('gets the beta features that Bedrock takes, and no member of the others', async () => {
    const { body, warnings } = await sentTo(33, 'messages', asked, {
      ...bedrock,
      upstreamModel: 'anthropic.claude-sonnet-4-6',
    });
    expect(body).toMatchObject({
      anthropic_beta: ['context-management-2025-06-27'],
      context_management: asked.context_management,
      tools: [{ name: 'f', input_schema: SCHEMA }],
    });
    expect(warnings).toBe('tools.0.defer_loading, tools.0.eager_input_streaming');
  });

  it('gets none for models that refuse every one', async () => {
    const { body, warnings } = await sentTo(33, 'messages', asked, {
      ...bedrock,
      upstreamModel: 'anthropic.claude-opus-4-8',
    });
    expect(body).not.toHaveProperty('anthropic_beta');
    expect(body).not.toHaveProperty('context_management');
    expect(warnings).toContain('context_management');
  });
});

describe('tools of Codex at another vendor’s Responses endpoint', () => {
  const asked = {
    input: [user],
    tools: [
      {
        type: 'namespace',
        name: 'mcp__docs',
        tools: [{ type: 'function', name: 'lookup', parameters: SCHEMA }],
      },
      { type: 'custom', name: 'apply_patch', format: { type: 'text' } },
      { type: 'image_generation' },
      { type: 'web_search' },
    ],
  };
  const called = (items: readonly Json[]): Json => ({ ...RESPONSE, output: items });

  it.each<[number, readonly unknown[]]>([
    [48, ['mcp__docs__lookup', 'apply_patch', 'web_search']],
    [17, ['mcp__docs__lookup', 'apply_patch', 'web_search']],
    [43, ['mcp__docs__lookup', 'apply_patch', 'web_search']],
    [20, ['mcp__docs__lookup', 'apply_patch', 'image_generation', 'web_search']],
  ])('become functions, and come back as they were, type %i', async (type, names) => {
    const answer = called([
      {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'a',
        name: 'mcp__docs__lookup',
        arguments: '{}',
        status: 'completed',
      },
      type === 20
        ? {
            type: 'custom_tool_call',
            id: 'ctc_1',
            call_id: 'b',
            name: 'apply_patch',
            input: 'patch',
            status: 'completed',
          }
        : {
            type: 'function_call',
            id: 'fc_2',
            call_id: 'b',
            name: 'apply_patch',
            arguments: '{"input":"patch"}',
            status: 'completed',
          },
    ]);
    const { body, reply } = await sentTo(type, 'responses', asked, { answer });
    expect(list(body['tools']).map((tool) => object(tool)['name'] ?? object(tool)['type'])).toEqual(
      type === 43 ? names.slice(0, 2) : names,
    );
    expect(object(JSON.parse(reply))['output']).toMatchObject([
      { type: 'function_call', namespace: 'mcp__docs', name: 'lookup', call_id: 'a' },
      { type: 'custom_tool_call', name: 'apply_patch', input: 'patch', call_id: 'b' },
    ]);
  });

  it('stay as they are for OpenAI’s own models', async () => {
    for (const route of [
      { baseUrl: '' },
      { upstreamModel: 'gpt-5.1', settings: { vendor: { responses_path: '/v1/responses' } } },
    ]) {
      const { body } = await sentTo(1, 'responses', asked, { answer: RESPONSE, ...route });
      expect(body['tools']).toEqual(asked.tools);
    }
  });

  it('reach Groq without the members that it refuses', async () => {
    const { body } = await sentTo(
      1,
      'responses',
      { ...asked, store: false, include: ['reasoning.encrypted_content'], prompt_cache_key: 'k' },
      { answer: RESPONSE, baseUrl: 'https://api.groq.com/openai' },
    );
    expect(namesIn(body['tools'])).toEqual(['mcp__docs__lookup', 'apply_patch']);
    for (const name of ['store', 'include', 'prompt_cache_key']) expect(body).not.toHaveProperty(name);
  });
});

describe('an answer that no other API can finish', () => {
  const custom = { baseUrl: 'https://upstream.example/v1/responses' };

  it('ends as cut off where the client has to search for tools', async () => {
    const search = { type: 'tool_search_call', id: 't', call_id: 'c', arguments: {}, status: 'completed' };
    for (const [execution, reason] of [
      ['client', 'length'],
      ['server', 'stop'],
    ]) {
      const answer = { ...RESPONSE, output: [{ ...search, execution }] };
      const { reply } = await sentTo(8, 'chat', { messages: [user] }, { ...custom, answer });
      expect(object(JSON.parse(reply))['choices']).toMatchObject([{ finish_reason: reason }]);
    }
  });

  it('passes on whole on its own API', async () => {
    const { reply } = await sentTo(1, 'chat', { messages: [user] }, { answer: ANSWER });
    expect(JSON.parse(reply)).toEqual(ANSWER);
  });
});
