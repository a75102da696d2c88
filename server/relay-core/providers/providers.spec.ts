import { describe, expect, it } from '@jest/globals';
import { aProviderCall } from '../../../test/support/relay-calls.js';
import { aRoute } from '../../../test/support/memory-ports.js';
import { OPENAI_COMPATIBLE_PROFILES } from './openai-compatible/profiles.js';
import { CHANNEL_TYPE_NAMES, findProvider, PROVIDERS } from './registry.js';
import { reasoningModelEdits } from './openai-compatible/reasoning-models.js';
import { UNSERVED_TYPES } from './unserved-types.js';
import { fullAddress, joinAddress } from './shared/upstream-address.js';
import type { ProviderOperation, Provider } from './provider.js';

const addressOf = (base: string, path = '/v1/chat/completions') => {
  const joined = joinAddress(base, path);
  return joined.ok ? joined.value : joined.error.kind;
};

function chatOf(typeCode: number): ProviderOperation<'chat'> {
  const provider = findProvider(typeCode);
  const chat = provider.ok
    ? provider.value.operations.chat?.find(({ apiFormat }) => apiFormat.id === 'openai-chat')
    : undefined;
  if (chat === undefined) throw new Error(`type ${typeCode} has no chat`);
  return chat;
}
const chatAddress = (typeCode: number, changes: Parameters<typeof aRoute>[0] = {}) => {
  const route = aRoute({ channelType: typeCode, baseUrl: '', ...changes });
  const address = chatOf(typeCode).address(aProviderCall({ route }));
  return address.ok ? address.value : address.error.kind;
};

/** Address of the first operation a provider offers: what vendors with a format of their own are called at. */
const firstAddress = (typeCode: number, changes: Parameters<typeof aRoute>[0] = {}) => {
  const provider = findProvider(typeCode);
  const [operation] = provider.ok ? Object.values(provider.value.operations).flat() : [];
  if (operation === undefined) throw new Error(`type ${typeCode} has no operation`);
  const route = aRoute({ channelType: typeCode, baseUrl: '', ...changes });
  const address = operation.address(aProviderCall({ route }));
  return address.ok ? address.value : address.error.kind;
};

type AddressRow = readonly [
  typeCode: number,
  changes: NonNullable<Parameters<typeof aRoute>[0]>,
  expected: string,
];

const headersOf = (typeCode: number, changes: Parameters<typeof aRoute>[0], stream: boolean) => {
  const { shape } = aProviderCall();
  return chatOf(typeCode).headers(aProviderCall({ route: aRoute(changes), shape: { ...shape, stream } }));
};

const codesOf = ({ channelTypes }: Provider): number[] => channelTypes.map(({ code }) => code);

describe('upstream addresses', () => {
  it.each([
    ['https://api.openai.com', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.openai.com/', 'https://api.openai.com/v1/chat/completions'],
    ['https://api.openai.com/v1', 'https://api.openai.com/v1/chat/completions'],
    ['https://host.example/prefix/v1/', 'https://host.example/prefix/v1/chat/completions'],
    ['https://host.example/api/coding/v3', 'https://host.example/api/coding/v3/chat/completions'],
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434/v1/chat/completions'],
    [
      'https://gateway.ai.cloudflare.com/a/b/openai',
      'https://gateway.ai.cloudflare.com/a/b/openai/chat/completions',
    ],
  ])('%s', (base, expected) => {
    expect(addressOf(base)).toBe(expected);
  });

  it('a base that holds part of the path is not given it twice', () => {
    const path = '/compatible-mode/v1/chat/completions';
    const expected = 'https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions';
    expect(addressOf('https://dashscope-intl.aliyuncs.com', path)).toBe(expected);
    expect(addressOf('https://dashscope-intl.aliyuncs.com/compatible-mode', path)).toBe(expected);
    expect(addressOf('https://dashscope-intl.aliyuncs.com/compatible-mode/v1', path)).toBe(expected);
  });

  it.each([
    '',
    'host.example',
    'ftp://host.example',
    'javascript:alert(1)',
    'https://user:pw@host.example',
    'https://host.example/#',
  ])('refuses %j [CH-04]', (base) => {
    expect(addressOf(base)).toBe('upstream-unreachable');
  });

  it('a full address takes the model’s name, and nothing of it but a path segment', () => {
    expect(fullAddress('https://h.example/deploy/{model}/run?x=1', 'a/b?c#d')).toEqual({
      ok: true,
      value: 'https://h.example/deploy/a%2Fb%3Fc%23d/run?x=1',
    });
    expect(chatAddress(8, { baseUrl: 'https://h.example/full/path' })).toBe('https://h.example/full/path');
    expect(chatAddress(8)).toBe('upstream-unreachable');
  });

  const CHAT_ADDRESSES: readonly AddressRow[] = [
    [1, {}, 'https://api.openai.com/v1/chat/completions'],
    [4, {}, 'http://localhost:11434/v1/chat/completions'],
    [6, {}, 'https://api.openaimax.com/v1/chat/completions'],
    [7, {}, 'https://api.ohmygpt.com/v1/chat/completions'],
    [9, {}, 'https://api.caipacity.com/v1/chat/completions'],
    [10, {}, 'https://api.aiproxy.io/v1/chat/completions'],
    [12, {}, 'https://api.api2gpt.com/v1/chat/completions'],
    [13, {}, 'https://api.aigc2d.com/v1/chat/completions'],
    [17, {}, 'https://dashscope.aliyuncs.com/compatible-mode/v1/chat/completions'],
    [19, {}, 'https://api.360.cn/v1/chat/completions'],
    [20, {}, 'https://openrouter.ai/api/v1/chat/completions'],
    [22, {}, 'https://fastgpt.run/api/openapi/v1/chat/completions'],
    [23, {}, 'https://tokenhub.tencentmaas.com/v1/chat/completions'],
    [25, {}, 'https://api.moonshot.cn/v1/chat/completions'],
    [25, { baseUrl: 'kimi-coding-plan' }, 'https://api.kimi.com/coding/v1/chat/completions'],
    [26, {}, 'https://open.bigmodel.cn/api/paas/v4/chat/completions'],
    [26, { baseUrl: 'glm-coding-plan' }, 'https://open.bigmodel.cn/api/coding/paas/v4/chat/completions'],
    [27, {}, 'https://api.perplexity.ai/chat/completions'],
    [31, {}, 'https://api.lingyiwanwu.com/v1/chat/completions'],
    [35, {}, 'https://api.minimax.chat/v1/text/chatcompletion_v2'],
    [
      39,
      { other: 'acc/../x' },
      'https://api.cloudflare.com/client/v4/accounts/acc%2F..%2Fx/ai/v1/chat/completions',
    ],
    [40, {}, 'https://api.siliconflow.cn/v1/chat/completions'],
    [42, {}, 'https://api.mistral.ai/v1/chat/completions'],
    [43, {}, 'https://api.deepseek.com/v1/chat/completions'],
    [45, {}, 'https://ark.cn-beijing.volces.com/api/v3/chat/completions'],
    [45, { upstreamModel: 'bot-1' }, 'https://ark.cn-beijing.volces.com/api/v3/bots/chat/completions'],
    [46, {}, 'https://qianfan.baidubce.com/v2/chat/completions'],
    [47, {}, 'upstream-unreachable'],
    [48, {}, 'https://api.x.ai/v1/chat/completions'],
    [53, {}, 'https://llm.submodel.ai/v1/chat/completions'],
  ];
  it.each(CHAT_ADDRESSES)('type %i %j → %s', (typeCode, changes, expected) => {
    expect(chatAddress(typeCode, changes)).toBe(expected);
  });

  const OTHER_ADDRESSES: readonly AddressRow[] = [
    [2, {}, 'https://oa.api2d.net/'],
    [5, {}, 'https://api.openai-sb.com/'],
    [14, {}, 'https://api.anthropic.com/v1/messages'],
    [15, {}, 'https://aip.baidubce.com/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/gpt-test'],
    [18, {}, 'https://spark-api-open.xf-yun.com/v1/chat/completions'],
    [21, {}, 'https://api.aiproxy.io/api/library/ask'],
    [24, {}, 'https://generativelanguage.googleapis.com/v1beta/models/gpt-test:generateContent'],
    [33, {}, 'upstream-key-refused'],
    [
      33,
      { credential: 'AKIDEXAMPLE|secret|eu-west-1', upstreamModel: 'claude-sonnet-4-5' },
      'https://bedrock-runtime.eu-west-1.amazonaws.com/model/claude-sonnet-4-5/invoke',
    ],
    [34, {}, 'https://api.cohere.ai/v2/chat'],
    [37, {}, 'https://api.dify.ai/v1/workflows/run'],
    [38, {}, 'https://api.jina.ai/v1/embeddings'],
    [
      41,
      { credential: 'AIza-key' },
      'https://aiplatform.googleapis.com/v1/publishers/anthropic/models/gpt-test:rawPredict?key=AIza-key',
    ],
    [44, {}, 'https://api.moka.ai/embeddings'],
    [49, {}, 'https://api.coze.cn/v3/chat'],
  ];
  it.each(OTHER_ADDRESSES)('type %i %j, by its first operation → %s', (typeCode, changes, expected) => {
    expect(firstAddress(typeCode, changes)).toBe(expected);
  });

  it('has a row above for each type with an address of its own', () => {
    const rows = new Set([...CHAT_ADDRESSES, ...OTHER_ADDRESSES].map(([typeCode]) => typeCode));
    const addressed = PROVIDERS.filter(({ defaultBaseUrl }) => defaultBaseUrl !== '');
    expect(addressed.flatMap(codesOf).filter((code) => !rows.has(code))).toEqual([]);
  });
});

describe('Spark', () => {
  it.each([
    ['x1', '', 'https://spark-api-open.xf-yun.com/v2/chat/completions'],
    ['x1-preview', '', 'https://spark-api-open-preview.xf-yun.com/v2/chat/completions'],
    ['x1-preview', 'https://own.example/v1', 'https://own.example/v2/chat/completions'],
    ['4.0Ultra', '', 'https://spark-api-open.xf-yun.com/v1/chat/completions'],
    ['x1-of-mine', '', 'https://spark-api-open.xf-yun.com/v1/chat/completions'],
  ])('%s is asked for at %j + path: %s', (upstreamModel, baseUrl, expected) => {
    const provider = findProvider(18);
    const [chat] = (provider.ok && provider.value.operations.chat) || [];
    const address = chat?.address(
      aProviderCall({ route: aRoute({ channelType: 18, upstreamModel, baseUrl }) }),
    );
    expect(address).toEqual({ ok: true, value: expected });
  });
});

describe('upstream headers', () => {
  it('makes them from the channel alone', () => {
    expect(headersOf(1, { organization: 'org-1' }, true)).toEqual({
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'user-agent': 'tollgate',
      authorization: 'Bearer sk-upstream-credential-0001',
      'openai-organization': 'org-1',
    });
    expect(headersOf(4, { credential: '' }, false)).toEqual({
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': 'tollgate',
    });
  });

  it('splits a composite credential', () => {
    const headers = headersOf(46, { credential: 'bce-v3-key|app-1' }, false);
    expect(headers).toMatchObject({ authorization: 'Bearer bce-v3-key', appid: 'app-1' });
  });
});

describe('the registry', () => {
  it('has one provider per type code, and a name for each', () => {
    const codes = PROVIDERS.flatMap(codesOf);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) expect(CHANNEL_TYPE_NAMES.get(code)).toMatch(/./);
  });

  it.each(PROVIDERS.map((provider) => [provider.id, provider] as const))(
    'has operations of %s, and no model of it twice',
    (_id, { operations, defaultModels }) => {
      expect(Object.values(operations).flat().length).toBeGreaterThan(0);
      expect(new Set(defaultModels).size).toBe(defaultModels.length);
    },
  );

  it.each(OPENAI_COMPATIBLE_PROFILES.map((profile) => [profile.id, profile] as const))(
    'sends the key of a channel of %s as a bearer token, and nothing without one',
    (_id, { channelTypes: [{ code: channelType }] }) => {
      const provider = findProvider(channelType);
      const sent = (credential: string) =>
        provider.ok && provider.value.modelListHeaders(aRoute({ channelType, credential }))['authorization'];
      expect(sent('sk-upstream-credential-0001')).toBe('Bearer sk-upstream-credential-0001');
      expect(sent('')).toBeUndefined();
    },
  );

  it('finds every type, as served or with defaults for its form', () => {
    const served = new Set(PROVIDERS.flatMap(codesOf));
    const unknown = [...CHANNEL_TYPE_NAMES.keys()].filter(
      (code) => !served.has(code) && !UNSERVED_TYPES.has(code),
    );
    expect(unknown).toEqual([]);
    for (const code of served) expect(UNSERVED_TYPES.has(code)).toBe(false);
  });

  it.each([1, 2, 3, 5, 8, 15, 18, 21, 22, 23, 33, 36, 37, 39, 40, 41, 45, 49])(
    'serves type %i, whose form has rules of its own in older consoles',
    (code) => {
      expect(findProvider(code)).toMatchObject({ ok: true });
    },
  );

  it('names the vendor of a type that is not served', () => {
    for (const code of UNSERVED_TYPES.keys()) {
      const found = findProvider(code);
      expect(found).toMatchObject({ ok: false, error: { kind: 'not-implemented' } });
      expect(found.ok ? '' : found.error.message).toContain(CHANNEL_TYPE_NAMES.get(code));
    }
    const unknown = findProvider(999);
    expect(unknown.ok ? '' : unknown.error.message).toContain('999');
  });
});

describe('errors of OpenAI-compatible upstreams', () => {
  const read = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    chatOf(1).readError(
      { status, headers, body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)) },
      aRoute(),
    );

  it.each([
    ['OpenAI', { error: { message: 'm', type: 't', code: 'c', param: 'p' } }, 'm'],
    ['a text', { error: 'm' }, 'm'],
    ['message', { message: 'm' }, 'm'],
    ['a nested detail', { message: { detail: 'm' } }, 'm'],
    ['msg', { msg: 'm' }, 'm'],
    ['detail', { detail: 'm' }, 'm'],
    ['a list of details', { detail: [{ msg: 'm' }] }, 'm'],
    ['Cloudflare', { success: false, errors: [{ code: 7000, message: 'm' }] }, 'm'],
    ['Baidu', { error_code: 17, error_msg: 'm' }, 'm'],
    ['header', { header: { message: 'm' } }, 'm'],
    ['response', { response: { error: { message: 'm' } } }, 'm'],
    ['HTML', '<html>inner-host</html>', 'The upstream answered with status 400.'],
    ['nothing', '', 'The upstream answered with status 400.'],
  ])('finds the sentence of %s', (_name, body, expected) => {
    expect(read(400, body).message).toBe(expected);
  });

  it.each([
    [400, {}, 'upstream-request-rejected'],
    [401, {}, 'upstream-key-refused'],
    [402, {}, 'upstream-quota-spent'],
    [403, {}, 'upstream-key-refused'],
    [404, {}, 'upstream-request-rejected'],
    [408, {}, 'upstream-timeout'],
    [429, {}, 'upstream-rate-limited'],
    [429, { error: { code: 'insufficient_quota' } }, 'upstream-quota-spent'],
    [429, { error: { type: 'exceeded_current_quota_error' } }, 'upstream-quota-spent'],
    [500, {}, 'upstream-overloaded'],
    [503, {}, 'upstream-overloaded'],
    [504, {}, 'upstream-timeout'],
    [524, {}, 'upstream-timeout'],
    [302, {}, 'upstream-malformed'],
  ])('%i %j is %s', (status, body, kind) => {
    expect(read(status, body).kind).toBe(kind);
  });

  it('a keyword in a sentence is not evidence: only codes and types are [UP-07]', () => {
    const quoted = {
      error: { message: 'you wrote insufficient_quota, invalid_api_key', type: 'invalid_request_error' },
    };
    expect(read(400, quoted).kind).toBe('upstream-request-rejected');
    expect(read(429, quoted).kind).toBe('upstream-rate-limited');
  });

  it('keeps how long to wait', () => {
    expect(read(429, {}, { 'retry-after': '7' })).toMatchObject({ retryAfterMs: 7_000 });
    expect(read(429, {}, { 'retry-after': 'soon' })).not.toHaveProperty('retryAfterMs');
  });

  it.each([
    [{ error: { message: 'm', code: 429 } }, 'upstream-rate-limited', 429],
    [{ error: { message: 'm' } }, 'upstream-overloaded', 502],
    [{ base_resp: { status_code: 1008, status_msg: 'm' } }, 'upstream-quota-spent', 402],
    [{ base_resp: { status_code: 2013, status_msg: 'm' } }, 'upstream-request-rejected', 400],
  ])('judges %j inside a 200 as %s', (document, kind, upstreamStatus) => {
    expect(chatOf(1).readErrorDocument(document, aRoute())).toMatchObject({ kind, upstreamStatus });
  });
});

const REFUSED = [
  'temperature',
  'top_p',
  'presence_penalty',
  'frequency_penalty',
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'top_k',
];

describe('reasoningModelEdits', () => {
  it.each([
    ['o3-mini', true, REFUSED],
    ['o1', true, REFUSED],
    ['gpt-5', true, REFUSED],
    ['gpt-5-mini', true, REFUSED],
    [
      'gpt-4o-search-preview',
      false,
      ['temperature', 'top_p', 'presence_penalty', 'frequency_penalty', 'logprobs', 'seed', 'top_k'],
    ],
    ['gpt-5-chat-latest', true, ['top_k']],
    ['gpt-5.1', true, ['top_k']],
    ['gpt-4o', false, ['top_k']],
    ['o3x', false, []],
    ['gpt-50', false, ['top_k']],
    ['gpt-oss-120b', false, []],
    ['qwen3-max', false, []],
  ])('%s', (model, usesCompletionCap, refusedMembers) => {
    expect(reasoningModelEdits(model)).toEqual({ usesCompletionCap, refusedMembers });
  });
});
