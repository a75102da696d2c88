import { describe, expect, it } from '@jest/globals';
import { aRoute, someOptions } from '../../../../test/support/memory-ports.js';
import { aProviderCall, parsedBy } from '../../../../test/support/relay-calls.js';
import type { ChatRequest, ReasoningRequest } from '../../model/chat.js';
import { openaiChat } from '../../formats/openai-chat/index.js';
import { mistralCallId } from './vendors/mistral.js';
import { findOperation, type ProviderCall } from '../provider.js';
import { findProvider } from '../registry.js';

interface Asked {
  readonly type: number;
  readonly model: string;
  readonly from?: string;
  readonly baseUrl?: string;
  readonly members?: readonly string[];
  readonly choices?: number;
}

function callOf(asked: Asked): ProviderCall {
  const { shape } = aProviderCall();
  return aProviderCall({
    route: aRoute({ channelType: asked.type, baseUrl: asked.baseUrl ?? '', upstreamModel: asked.model }),
    clientFormat: asked.from ?? 'openai-chat',
    shape: { ...shape, choices: asked.choices ?? 1 },
    members: new Set(asked.members ?? []),
  });
}

function wayFor(asked: Asked) {
  const provider = findProvider(asked.type);
  if (!provider.ok) throw new Error(provider.error.message);
  return findOperation(provider.value, 'chat', callOf(asked));
}

describe('the way a call takes', () => {
  it.each<[Asked, string | undefined]>([
    [{ type: 1, model: 'gpt-4o' }, 'openai-chat'],
    [{ type: 1, model: 'gpt-4o', from: 'openai-responses' }, 'openai-responses'],
    [{ type: 1, model: 'gpt-4o', from: 'openai-responses', baseUrl: 'https://vllm.example' }, 'openai-chat'],
    [
      { type: 1, model: 'x', from: 'openai-responses', baseUrl: 'https://api.groq.com/openai' },
      'openai-responses',
    ],
    [{ type: 1, model: 'gpt-5', from: 'anthropic-messages' }, 'openai-responses'],
    [{ type: 1, model: 'gpt-5', from: 'anthropic-messages', choices: 2 }, 'openai-chat'],
    [{ type: 1, model: 'gpt-5', from: 'anthropic-messages', baseUrl: 'https://vllm.example' }, 'openai-chat'],
    [{ type: 1, model: 'o1-pro' }, 'openai-responses'],
    [{ type: 1, model: 'gpt-5.1-codex-mini' }, 'openai-responses'],
    [{ type: 1, model: 'o3-deep-research', baseUrl: 'https://reseller.example' }, 'openai-responses'],
    [{ type: 1, model: 'gpt-4o', from: 'openai-completions' }, 'openai-chat'],
    [{ type: 1, model: 'davinci-002', from: 'openai-completions' }, 'openai-completions'],
    [{ type: 1, model: 'gpt-3.5-turbo-instruct' }, 'openai-completions'],
    [
      { type: 1, model: 'x', from: 'openai-completions', baseUrl: 'https://vllm.example' },
      'openai-completions',
    ],
    [{ type: 3, model: 'gpt-4o', from: 'gemini-generate' }, 'openai-chat'],
    [{ type: 3, model: 'gpt-5-codex' }, 'openai-responses'],
    [{ type: 42, model: 'mistral-large-latest', from: 'openai-responses' }, 'openai-chat'],
    [{ type: 48, model: 'grok-4-0709', from: 'gemini-generate' }, 'openai-responses'],
    [{ type: 43, model: 'deepseek-chat', from: 'openai-completions' }, 'openai-completions'],
    [{ type: 27, model: 'sonar-pro', from: 'openai-responses' }, 'openai-chat'],
    [{ type: 27, model: 'openai/gpt-5', from: 'openai-responses' }, 'openai-responses'],
    [{ type: 59, model: 'any', from: 'openai-responses', baseUrl: 'https://g.example' }, 'openai-responses'],
    [
      { type: 8, model: 'any', baseUrl: 'https://c.example/v1/chat/completions', from: 'openai-completions' },
      'openai-chat',
    ],
    [{ type: 8, model: 'any', baseUrl: 'https://c.example/v1/responses' }, 'openai-responses'],
    [{ type: 8, model: 'any', baseUrl: 'https://c.example/v1/completions?x=1' }, 'openai-completions'],
  ])('%j → %s', (asked, apiFormat) => {
    expect(wayFor(asked)?.apiFormat.id).toBe(apiFormat);
  });
});

/** The body a vendor gets of a request in the given dialect. */
function bodyOf(asked: Asked, request: Partial<ChatRequest>): Record<string, unknown> {
  const operation = wayFor(asked);
  if (operation === undefined) throw new Error('no way');
  const call = callOf(asked);
  const adapted = operation.adapt?.(call);
  const base: ChatRequest = {
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    choices: 1,
    stream: false,
    wantsStreamUsage: false,
    ...request,
  };
  const { body } = operation.apiFormat.writeRequest(adapted?.change?.(base) ?? base, {
    upstreamModel: adapted?.upstreamModel ?? asked.model,
    reportUsage: false,
    outputCap: undefined,
    ...operation.edits(call),
  });
  return JSON.parse(body.toString()) as Record<string, unknown>;
}

describe('endings of a model’s name', () => {
  it.each<[number, string, string, object]>([
    [1, 'o3-mini-high', 'o3-mini', { reasoning_effort: 'high' }],
    [1, 'gpt-5.1-none', 'gpt-5.1', { reasoning_effort: 'none' }],
    [1, 'gpt-5.2-xhigh', 'gpt-5.2', { reasoning_effort: 'xhigh' }],
    [43, 'deepseek-v4-pro-none', 'deepseek-v4-pro', { thinking: { type: 'disabled' } }],
    [
      43,
      'deepseek-v4-flash-max',
      'deepseek-v4-flash',
      { thinking: { type: 'enabled' }, reasoning_effort: 'max' },
    ],
    [48, 'grok-3-mini-low', 'grok-3-mini', { reasoning_effort: 'low' }],
    [48, 'grok-3-search', 'grok-3', { tools: [{ type: 'web_search' }, { type: 'x_search' }] }],
    [
      20,
      'anthropic/claude-sonnet-4.5-thinking',
      'anthropic/claude-sonnet-4.5',
      { reasoning: { enabled: true } },
    ],
    [45, 'deepseek-v3-1-thinking', 'deepseek-v3-1', { thinking: { type: 'enabled' } }],
    [46, 'ernie-4.0-8k-search', 'ernie-4.0-8k', { web_search: { enable: true } }],
    [17, 'qwen-plus-internet', 'qwen-plus', { enable_search: true }],
  ])('%i %s → %s %j', (type, model, upstreamModel, members) => {
    expect(bodyOf({ type, model }, {})).toMatchObject({ model: upstreamModel, ...members });
  });

  it('the body wins over the name', () => {
    expect(bodyOf({ type: 1, model: 'o3-mini-high' }, { reasoning: { effort: 'low' } })).toMatchObject({
      model: 'o3-mini',
      reasoning_effort: 'low',
    });
  });

  it.each([
    [1, 'gpt-4o'],
    [1, 'gpt-4o-high'],
    [25, 'kimi-k2-thinking'],
    [20, 'moonshotai/kimi-k2-thinking'],
  ])('%i %s is only a name', (type, model) => {
    expect(wayFor({ type, model })?.adapt?.(callOf({ type, model }))).toBeUndefined();
  });

  it('leaves them where the operator chose that', () => {
    const model = 'deepseek-r1-thinking';
    const call = { ...callOf({ type: 45, model }), options: someOptions({ thinkingBlacklist: [model] }) };
    expect(wayFor({ type: 45, model })?.adapt?.(call)).toBeUndefined();
  });
});

describe('reasoning in each vendor’s words', () => {
  const from = 'gemini-generate';
  const HIGH: ReasoningRequest = { effort: 'high' };
  const OFF: ReasoningRequest = { budgetTokens: 0 };
  const BUDGET: ReasoningRequest = { budgetTokens: 5_000 };
  const base = 'https://look-alike.example';
  it.each<[Asked, ReasoningRequest, object]>([
    [
      { type: 43, model: 'deepseek-v4-pro', from },
      HIGH,
      { thinking: { type: 'enabled' }, reasoning_effort: 'high' },
    ],
    [{ type: 43, model: 'deepseek-v4-pro', from }, OFF, { thinking: { type: 'disabled' } }],
    [{ type: 26, model: 'glm-4.7', from }, HIGH, { thinking: { type: 'enabled' } }],
    [{ type: 26, model: 'glm-5', from }, HIGH, { thinking: { type: 'enabled' }, reasoning_effort: 'high' }],
    [{ type: 45, model: 'doubao-seed-1-6', from }, OFF, { thinking: { type: 'disabled' } }],
    [{ type: 25, model: 'kimi-k2.5', from }, BUDGET, { thinking: { type: 'enabled', budget_tokens: 5_000 } }],
    [{ type: 25, model: 'kimi-k3', from }, { effort: 'xhigh' }, { reasoning_effort: 'max' }],
    [{ type: 40, model: 'Qwen/Qwen3-32B', from }, BUDGET, { enable_thinking: true, thinking_budget: 5_000 }],
    [{ type: 40, model: 'Qwen/Qwen3-32B', from }, OFF, { enable_thinking: false }],
    [{ type: 20, model: 'a/b', from }, BUDGET, { reasoning: { max_tokens: 5_000 } }],
    [{ type: 20, model: 'a/b', from }, OFF, { reasoning: { enabled: false } }],
    [{ type: 42, model: 'magistral-medium-latest', from }, HIGH, { prompt_mode: 'reasoning' }],
    [{ type: 42, model: 'mistral-small-latest', from }, OFF, { reasoning_effort: 'none' }],
    [
      { type: 48, model: 'grok-3-mini', from, baseUrl: base },
      { effort: 'xhigh' },
      { reasoning_effort: 'high' },
    ],
    [{ type: 1, model: 'o3', from, baseUrl: base }, { effort: 'minimal' }, { reasoning_effort: 'low' }],
    [
      { type: 1, model: 'gpt-5', from },
      BUDGET,
      { reasoning: { effort: 'medium' }, include: ['reasoning.encrypted_content'] },
    ],
    [{ type: 27, model: 'sonar-deep-research', from }, HIGH, { reasoning_effort: 'high' }],
    [{ type: 48, model: 'grok-4.5', from }, { effort: 'max' }, { reasoning: { effort: 'high' } }],
  ])('%j %j → %j', (asked, reasoning, members) => {
    expect(bodyOf(asked, { reasoning })).toMatchObject(members);
  });

  it.each<[Asked]>([
    [{ type: 1, model: 'gpt-4o', from, baseUrl: base }],
    [{ type: 42, model: 'mistral-large-latest', from }],
    [{ type: 48, model: 'grok-4-0709', from }],
    [{ type: 48, model: 'grok-4-1-fast-reasoning', from, baseUrl: base }],
    [{ type: 27, model: 'sonar', from }],
    [{ type: 43, model: 'deepseek-chat', from }],
  ])('%j takes none', (asked) => {
    const body = bodyOf(asked, { reasoning: HIGH });
    for (const name of ['reasoning_effort', 'thinking', 'reasoning']) expect(body).not.toHaveProperty(name);
  });

  it('a chat caller’s own words pass as bytes, unless they are OpenAI’s', () => {
    const plain: Asked = { type: 43, model: 'deepseek-v4-pro', members: ['thinking'] };
    expect(wayFor(plain)?.adapt?.(callOf(plain))).toBeUndefined();
    const effort: Asked = { type: 43, model: 'deepseek-v4-pro', members: ['reasoning_effort'] };
    expect(bodyOf(effort, { reasoning: { effort: 'low' } })).toMatchObject({ thinking: { type: 'enabled' } });
  });
});

describe('what vendors take of other dialects', () => {
  const from = 'gemini-generate';
  const thought = {
    type: 'reasoning' as const,
    text: 'Why',
    signature: { by: 'anthropic' as const, data: 'sig' },
  };
  const call = { type: 'tool-call' as const, callId: 'toolu_1', name: 'f', json: '{}' };
  const messages: ChatRequest['messages'] = [
    { role: 'user', content: [{ type: 'text', text: 'a', cache: { ttl: '1h' } }] },
    {
      role: 'assistant',
      content: [
        { ...thought, text: 'Old' },
        { type: 'text', text: 'b' },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'c' }] },
    { role: 'assistant', content: [thought, call] },
    { role: 'tool', callId: 'toolu_1', content: [{ type: 'text', text: 'd' }] },
  ];
  const textOf = (type: number, model: string, baseUrl?: string): string =>
    JSON.stringify(
      bodyOf({ type, model, from, ...(baseUrl === undefined ? {} : { baseUrl }) }, { messages }),
    );

  it.each([19, 22, 31, 40, 42, 46, 47, 53])('thoughts of the open round, at type %i', (type) => {
    const text = textOf(type, 'some-model', 'https://host.example');
    expect(text).toMatch(/^(?!.*Old).*"reasoning_content":"Why"/);
  });

  it.each(['kimi-k2-thinking', 'glm-4.7', 'deepseek-v3.2', 'MiniMax-M2'])(
    'thoughts of %s, which its own host asks for, at another host too',
    (model) => {
      expect(textOf(17, model)).toMatch(/^(?!.*Old).*"reasoning_content":"Why"/);
    },
  );

  it('thoughts: all, those of the open round, or none', () => {
    expect(textOf(20, 'anthropic/claude-sonnet-4.5')).toContain('"signature":"sig"');
    expect(textOf(43, 'deepseek-v4-pro')).toMatch(/^(?!.*Old).*"reasoning_content":"Why"/);
    expect(textOf(17, 'qwen-plus')).not.toMatch(/Why|Old|reasoning/);
  });

  it('marks of the cache', () => {
    expect(textOf(20, 'anthropic/claude-sonnet-4.5')).toContain(
      '"cache_control":{"type":"ephemeral","ttl":"1h"}',
    );
    expect(textOf(43, 'deepseek-v4-pro')).not.toContain('cache_control');
  });

  it('searches, in their own words', () => {
    const tools: ChatRequest['tools'] = [{ type: 'web-search', contextSize: 'low' }];
    expect(bodyOf({ type: 17, model: 'qwen-plus', from: 'gemini-generate' }, { tools })).toMatchObject({
      enable_search: true,
    });
    expect(bodyOf({ type: 26, model: 'glm-4.7', from: 'gemini-generate' }, { tools })).toMatchObject({
      tools: [{ type: 'web_search' }],
    });
    expect(bodyOf({ type: 27, model: 'sonar', from: 'gemini-generate' }, { tools })).toMatchObject({
      web_search_options: { search_context_size: 'low' },
    });
    expect(
      bodyOf({ type: 43, model: 'deepseek-chat', from: 'gemini-generate' }, { tools }),
    ).not.toHaveProperty('tools');
  });

  it('a schema in words, where JSON is all they know', () => {
    const responseFormat = { type: 'json-schema' as const, name: 'n', schema: { type: 'object' } };
    const body = bodyOf({ type: 43, model: 'deepseek-chat', from }, { responseFormat });
    expect(body).toMatchObject({
      response_format: { type: 'json_object' },
      messages: [{ role: 'system' }, {}],
    });
    expect(JSON.stringify(body['messages'])).toContain('JSON schema');
  });

  it('OpenAI’s own members and tools of plain text, where they are OpenAI’s', () => {
    const vendorOptions = {
      'openai-responses': { store: false, prompt_cache_key: 'k', metadata: { a: 'b' } },
    };
    const tools: ChatRequest['tools'] = [{ type: 'function', name: 'sql', isFreeform: true }];
    const request = { vendorOptions, tools };
    const own = bodyOf({ type: 3, model: 'gpt-4o', from: 'gemini-generate' }, request);
    expect(own).toMatchObject({ store: false, prompt_cache_key: 'k', tools: [{ type: 'custom' }] });
    const groq = { type: 1, model: 'x', from: 'gemini-generate', baseUrl: 'https://api.groq.com/openai' };
    const other = bodyOf(groq, request);
    for (const name of ['store', 'prompt_cache_key', 'metadata']) expect(other).not.toHaveProperty(name);
    expect(other).toMatchObject({ tools: [{ type: 'function', function: { name: 'sql' } }] });
  });

  it('Mistral’s ids, seed and tool choice', () => {
    const body = bodyOf(
      { type: 42, model: 'mistral-large-latest', from },
      { messages, seed: 7, toolChoice: { type: 'required' }, tools: [{ type: 'function', name: 'f' }] },
    );
    expect(body).toMatchObject({ random_seed: 7, tool_choice: 'any' });
    expect(body).not.toHaveProperty('seed');
    const id = mistralCallId('toolu_1');
    expect(id).toMatch(/^[a-zA-Z0-9]{9}$/);
    expect(mistralCallId(id)).toBe(id);
    expect(JSON.stringify(body['messages']).split(id)).toHaveLength(3);
  });

  it('Perplexity’s turns and open ranges', () => {
    const two = [messages[0], messages[2]].flatMap((message) => (message === undefined ? [] : [message]));
    const body = bodyOf({ type: 27, model: 'sonar', from }, { messages: two, topP: 1 });
    expect(body['messages']).toHaveLength(1);
    expect(body['top_p']).toBe(0.99);
  });
});

it('keeps the members a call in its own format was asked with', () => {
  const parsed = parsedBy(openaiChat, { model: 'm', messages: [{ role: 'user', content: 'x' }], seed: 1 });
  expect(parsed.document.members.has('seed')).toBe(true);
});

describe('the description of a channel with an open address', () => {
  const describedAt = (asked: Asked) => wayFor(asked)?.describe?.(callOf(asked));

  it.each([
    [43, 'https://api.deepseek.com/v1'],
    [42, 'https://api.mistral.ai'],
    [26, 'https://open.bigmodel.cn/api/paas/v4'],
    [25, 'https://api.moonshot.cn/v1'],
    [48, 'https://api.x.ai'],
  ])('comes from type %i at the host of the vendor: %s', (type, baseUrl) => {
    const own = describedAt({ type, model: 'm' });
    expect(own?.source.links).not.toEqual([]);
    expect(describedAt({ type: 1, model: 'm', baseUrl })).toBe(own);
    expect(describedAt({ type: 8, model: 'm', baseUrl: `${baseUrl}/chat/completions` })).toBe(own);
  });

  it('switches thinking off at ModelScope in calls that are not streamed', () => {
    const baseUrl = 'https://api-inference.modelscope.cn';
    const described = describedAt({ type: 1, model: 'Qwen/Qwen3-8B', baseUrl });
    expect(described?.streamedSwitches).toEqual(['enable_thinking']);
    const thinks = (model: string) => described?.thinksByDefault?.test(model);
    expect(['Qwen/Qwen3-8B', 'Qwen/Qwen3-235B-A22B', 'Qwen/Qwen3.5-27B'].map(thinks)).toEqual([
      true,
      true,
      true,
    ]);
    const others = [
      'Qwen/Qwen3-235B-A22B-Instruct-2507',
      'Qwen/Qwen3-Coder-30B',
      'deepseek-ai/DeepSeek-V3.2',
    ];
    expect(others.map(thinks)).toEqual([false, false, false]);
  });

  it('stays the general one at another host', () => {
    const own = describedAt({ type: 43, model: 'm' });
    const other = describedAt({ type: 1, model: 'm', baseUrl: 'https://api.deepseek.com.evil.example' });
    expect(other?.user).toEqual({ max: 64 });
    expect(other).not.toBe(own);
  });
});
