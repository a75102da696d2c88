import { describe, expect, it } from '@jest/globals';
import { aProviderCall, parsedBy } from '../../../../test/support/relay-calls.js';
import { aRoute, someOptions } from '../../../../test/support/memory-ports.js';
import type { ChatRequest } from '../../model/chat.js';
import type { Route } from '../../ports/channel-picker.js';
import { anthropicMessages } from '../../formats/anthropic-messages/index.js';
import { MAX_OUTPUT_CAP } from '../../formats/shared/fields/request-fields.js';
import { findOperation, type ProviderCall, type ProviderOperation } from '../provider.js';
import { findProvider } from '../registry.js';

type Changes = Partial<Route> & { readonly call?: Partial<ProviderCall> };

const callOf = (channelType: number, { call, ...route }: Changes = {}): ProviderCall =>
  aProviderCall({
    clientFormat: 'anthropic-messages',
    route: aRoute({ channelType, baseUrl: '', credential: 'sk-upstream-key', ...route }),
    ...call,
  });

function messagesOperationOf(call: ProviderCall): ProviderOperation<'chat'> {
  const provider = findProvider(call.route.channelType);
  const operation = provider.ok ? findOperation(provider.value, 'chat', call) : undefined;
  if (operation?.apiFormat.id !== 'anthropic-messages') throw new Error('no operation over Messages');
  return operation;
}
const addressOf = (channelType: number, changes: Changes = {}): string => {
  const call = callOf(channelType, changes);
  const address = messagesOperationOf(call).address(call);
  return address.ok ? address.value : address.error.kind;
};
const headersOf = (changes: Changes = {}): Readonly<Record<string, string>> => {
  const call = callOf(14, changes);
  return messagesOperationOf(call).headers(call);
};

describe('addresses of Messages', () => {
  it.each([
    [14, '', 'https://api.anthropic.com/v1/messages'],
    [14, 'https://host.example/claude/', 'https://host.example/claude/v1/messages'],
    [14, 'https://host.example/v1', 'https://host.example/v1/messages'],
    [
      14,
      'https://gateway.ai.cloudflare.com/a/b/anthropic',
      'https://gateway.ai.cloudflare.com/a/b/anthropic/messages',
    ],
    [43, '', 'https://api.deepseek.com/anthropic/v1/messages'],
    [43, 'https://api.deepseek.com/beta', 'https://api.deepseek.com/anthropic/v1/messages'],
    [43, 'https://api.deepseek.com/anthropic', 'https://api.deepseek.com/anthropic/v1/messages'],
    [25, 'https://api.moonshot.ai/v1', 'https://api.moonshot.ai/anthropic/v1/messages'],
    [25, 'kimi-coding-plan', 'https://api.kimi.com/coding/v1/messages'],
    [26, '', 'https://open.bigmodel.cn/api/anthropic/v1/messages'],
    [26, 'https://open.bigmodel.cn/api/paas/v4', 'https://open.bigmodel.cn/api/anthropic/v1/messages'],
    [26, 'glm-coding-plan', 'https://open.bigmodel.cn/api/anthropic/v1/messages'],
    [26, 'glm-coding-plan-international', 'https://api.z.ai/api/anthropic/v1/messages'],
    [35, '', 'https://api.minimax.chat/anthropic/v1/messages'],
    [45, 'doubao-coding-plan', 'https://ark.cn-beijing.volces.com/api/coding/v1/messages'],
    [48, 'https://api.x.ai/v1', 'https://api.x.ai/v1/messages'],
    [60, 'https://other.example', 'https://other.example/v1/messages'],
    [8, 'https://host.example/x/messages', 'https://host.example/x/messages'],
  ])('type %i with %j', (type, baseUrl, address) => {
    expect(addressOf(type, { baseUrl })).toBe(address);
  });

  it('refuses callers of another dialect, but for a custom address that has nothing else', () => {
    const chat = callOf(43, { call: { clientFormat: 'openai-chat' } });
    expect(() => messagesOperationOf(chat)).toThrow();
    expect(() => messagesOperationOf(callOf(45, { baseUrl: '' }))).toThrow();
    const custom = callOf(8, {
      baseUrl: 'https://h.example/messages',
      call: { clientFormat: 'openai-chat' },
    });
    expect(messagesOperationOf(custom).apiFormat.id).toBe('anthropic-messages');
  });

  it('marks them as beta when the client or the channel asks for it', () => {
    expect(addressOf(14, { call: { vendorQuery: 'beta=true' } })).toBe(
      'https://api.anthropic.com/v1/messages?beta=true',
    );
    const settings = { vendor: { claude_beta_query: true } };
    expect(addressOf(14, { settings })).toBe('https://api.anthropic.com/v1/messages?beta=true');
  });
});

describe('headers', () => {
  it('holds the channel’s key, a version, and nothing of the caller’s', () => {
    expect(headersOf()).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'tollgate',
      'anthropic-version': '2023-06-01',
      'x-api-key': 'sk-upstream-key',
    });
    const call = callOf(43);
    expect(messagesOperationOf(call).headers(call)).toMatchObject({
      authorization: 'Bearer sk-upstream-key',
    });
    const gateway = callOf(60, { baseUrl: 'https://g.example' });
    expect(messagesOperationOf(gateway).headers(gateway)).toMatchObject({
      authorization: 'Bearer sk-upstream-key',
      'x-api-key': 'sk-upstream-key',
    });
  });

  it('joins the client’s features with the operator’s for the model, each once', () => {
    const options = someOptions();
    const headers = {
      'gpt-test': { 'Anthropic-Beta': ['a-1', 'b-2'], 'x-api-key': ['stolen'], 'x-team': ['t'] },
    };
    expect(
      headersOf({
        call: {
          options: { ...options, claude: { ...options.claude, headers } },
          vendorHeaders: { 'anthropic-version': '2024-01-01', 'anthropic-beta': 'b-2,c-3' },
        },
      }),
    ).toMatchObject({
      'anthropic-version': '2024-01-01',
      'anthropic-beta': 'b-2,c-3,a-1',
      'x-api-key': 'sk-upstream-key',
      'x-team': 't',
    });
  });
});

describe('names that ask for thinking', () => {
  const request: ChatRequest = {
    messages: [],
    choices: 1,
    stream: false,
    wantsStreamUsage: false,
    maxOutputTokens: 5_000,
  };
  const adapt = (
    upstreamModel: string,
    changes: Partial<ChatRequest> = {},
    call: Partial<ProviderCall> = {},
  ) => {
    const given = callOf(14, { upstreamModel, call });
    const adaptation = messagesOperationOf(given).adapt?.(given);
    const changed = adaptation?.change?.({ ...request, ...changes });
    return adaptation === undefined
      ? undefined
      : [adaptation.upstreamModel, changed?.reasoning, changed?.maxOutputTokens];
  };

  it.each([
    ['claude-sonnet-4-5-thinking', ['claude-sonnet-4-5', { budgetTokens: 4_000 }, 5_000]],
    ['claude-opus-4-6-max', ['claude-opus-4-6', { effort: 'max', isDynamic: true }, 5_000]],
    [
      'claude-opus-4-8-xhigh',
      ['claude-opus-4-8', { effort: 'xhigh', isDynamic: true, summary: 'auto' }, 5_000],
    ],
    [
      'claude-opus-4-7-thinking',
      ['claude-opus-4-7', { effort: 'high', isDynamic: true, summary: 'auto' }, 5_000],
    ],
    ['claude-sonnet-4-5-high', undefined],
    ['claude-sonnet-4-5', undefined],
  ])('%s', (name, expected) => {
    expect(adapt(name)).toEqual(expected);
  });

  it('raises a cap that leaves no room, adds the budget where there is none, and gives way to the body', () => {
    expect(adapt('claude-sonnet-4-5-thinking', { maxOutputTokens: 100 })).toEqual([
      'claude-sonnet-4-5',
      { budgetTokens: 1_024 },
      1_280,
    ]);
    const { maxOutputTokens: _cap, ...uncapped } = request;
    const given = callOf(14, { upstreamModel: 'claude-sonnet-4-5-thinking' });
    const changed = messagesOperationOf(given).adapt?.(given)?.change?.(uncapped);
    expect(changed).toMatchObject({ reasoning: { budgetTokens: 13_107 } });
    expect(changed).not.toHaveProperty('maxOutputTokens');
    expect(adapt('claude-sonnet-4-5-thinking', { reasoning: { effort: 'low' } })?.[1]).toEqual({
      effort: 'low',
    });
  });

  it('takes them for plain names when the operator chose that', () => {
    const options = someOptions({ thinkingBlacklist: ['claude-sonnet-4-5-thinking'] });
    expect(adapt('claude-sonnet-4-5-thinking', {}, { options })).toBeUndefined();
    const claude = { ...options.claude, isThinkingAdapterOn: false };
    expect(adapt('claude-opus-4-1-thinking', {}, { options: { ...options, claude } })).toBeUndefined();
  });
});

describe('what the operator sets', () => {
  it('caps calls without a cap by model, else by default', () => {
    const options = someOptions();
    const defaultMaxTokens = { default: 1_000, 'gpt-test': 2_000, 'claude-opus-4-8': 3_000 };
    const call = callOf(14, {
      upstreamModel: 'claude-opus-4-8',
      call: { options: { ...options, claude: { ...options.claude, defaultMaxTokens } } },
    });
    expect(messagesOperationOf(call).edits(call).defaultOutputCap).toBe(2_000);
    const { shape } = call;
    const other = { ...call, shape: { ...shape, model: 'other' } };
    expect(messagesOperationOf(other).edits(other).defaultOutputCap).toBe(3_000);
  });
});

describe('failures', () => {
  const operation = messagesOperationOf(callOf(14));
  const failed = (status: number, type: string, message: string) =>
    operation.readError(
      { status, headers: {}, body: Buffer.from(JSON.stringify({ type: 'error', error: { type, message } })) },
      aRoute({ credential: 'sk-upstream-key', baseUrl: 'https://secret.example' }),
    );

  it.each([
    [400, 'invalid_request_error', 'prompt is too long', 'upstream-request-rejected'],
    [
      400,
      'invalid_request_error',
      'Your credit balance is too low to access the API.',
      'upstream-quota-spent',
    ],
    [401, 'authentication_error', 'invalid x-api-key', 'upstream-key-refused'],
    [402, 'billing_error', 'pay', 'upstream-quota-spent'],
    [403, 'permission_error', 'no', 'upstream-key-refused'],
    [429, 'rate_limit_error', 'slow down', 'upstream-rate-limited'],
    [500, 'api_error', 'oops', 'upstream-overloaded'],
    [529, 'overloaded_error', 'Overloaded', 'upstream-overloaded'],
  ])('%i %s %j', (status, type, message, kind) => {
    expect(failed(status, type, message)).toMatchObject({ kind, upstreamStatus: status });
  });

  it('shows neither key nor host nor the state of the account', () => {
    const texts = [
      failed(400, 'invalid_request_error', 'bad key sk-upstream-key at secret.example').message,
      failed(400, 'invalid_request_error', 'Your credit balance is too low').message,
    ].join();
    for (const secret of ['sk-upstream-key', 'secret.example', 'credit']) expect(texts).not.toContain(secret);
  });
});

describe('counting', () => {
  it('asks with the prompt alone', () => {
    const call = callOf(14, { call: { vendorQuery: 'beta=true' } });
    const { count } = messagesOperationOf(call);
    const parsed = parsedBy(anthropicMessages, {
      model: 'asked',
      max_tokens: MAX_OUTPUT_CAP,
      stream: true,
      temperature: 1,
      service_tier: 'auto',
      system: 'S',
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(JSON.parse(count?.write(parsed, 'claude-x').toString() ?? '')).toEqual({
      model: 'claude-x',
      system: 'S',
      messages: [{ role: 'user', content: 'Hi' }],
    });
    expect(count?.address(call)).toEqual({
      ok: true,
      value: 'https://api.anthropic.com/v1/messages/count_tokens?beta=true',
    });
    expect(count?.read({ input_tokens: 7 })).toBe(7);
    expect(count?.read({})).toBeUndefined();
  });
});
