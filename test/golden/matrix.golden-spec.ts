import { describe, expect, it } from '@jest/globals';
import { DIALECTS } from '../../server/relay-core/dialects/registry.js';
import { runCall } from '../../server/relay-core/pipeline/run-call.js';
import { PROVIDERS } from '../../server/relay-core/providers/registry.js';
import { aRoute, MemoryPorts } from '../support/memory-ports.js';
import { aWireCall, doorOf } from '../support/relay-calls.js';
import { MemoryReply } from '../support/memory-sides.js';

const WIRES = { chat: 'openai-chat', embed: 'openai-embeddings' } as const;

/** Every door against every vendor, made from the registries: a new one is tested by existing. */
const cells = DIALECTS.flatMap((dialect) =>
  PROVIDERS.flatMap((provider) =>
    (['chat', 'embed'] as const)
      .filter(
        (operation) =>
          dialect.routes.some(({ wire }) => wire.id === WIRES[operation]) &&
          provider.operations[operation]?.some(({ wire }) => wire.id === WIRES[operation]) === true,
      )
      .flatMap((operation) =>
        (operation === 'chat' ? [false, true] : [false]).flatMap((stream) =>
          [false, true].map((translated) => ({
            dialect,
            provider,
            operation,
            stream,
            translated,
            name: `${dialect.id} → ${provider.id}: ${operation}${stream ? ' streamed' : ''}${translated ? ' translated' : ''}`,
          })),
        ),
      ),
  ),
);

const REQUESTS: Readonly<Record<keyof typeof WIRES, object>> = {
  chat: {
    messages: [
      { role: 'system', content: 'Be exact.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Weather?' },
          { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_0', type: 'function', function: { name: 'weather', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_0', content: 'rain' },
    ],
    tools: [{ type: 'function', function: { name: 'weather', parameters: { type: 'object' } } }],
    tool_choice: 'auto',
    max_tokens: 200,
    top_p: 0,
    vendor_extra: { kept: true },
  },
  embed: { input: ['one', 'two'], encoding_format: 'float' },
};

const OPEN_AT_ZERO: ReadonlySet<string> = new Set(['ali', 'zhipu-v4']);

const USAGE = {
  prompt_tokens: 40,
  completion_tokens: 20,
  total_tokens: 60,
  completion_tokens_details: { reasoning_tokens: 5 },
};
const TOOL_CALL = {
  id: 'call_1',
  type: 'function',
  function: { name: 'weather', arguments: '{"city":"Oslo"}' },
};

const REPLIES: Readonly<Record<keyof typeof WIRES, object>> = {
  chat: {
    id: 'golden',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Looking.',
          reasoning_content: 'Hm.',
          tool_calls: [TOOL_CALL],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: USAGE,
  },
  embed: {
    object: 'list',
    data: [
      { object: 'embedding', index: 0, embedding: [1, 0] },
      { object: 'embedding', index: 1, embedding: [0, 1] },
    ],
    model: 'golden',
    usage: { prompt_tokens: 2, total_tokens: 2 },
  },
};

const EVENTS = [
  { choices: [{ index: 0, delta: { role: 'assistant', reasoning_content: 'Hm.' } }] },
  { choices: [{ index: 0, delta: { content: 'Looking.' } }] },
  { choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...TOOL_CALL }] } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
  { choices: [], usage: USAGE },
];

describe('every dialect against every provider', () => {
  it.each(cells)('$name', async ({ dialect, provider, operation, stream, translated }) => {
    const ports = new MemoryPorts();
    const [channelType = 0] = provider.typeCodes;
    ports.channels.routes[0] = aRoute({
      channelType,
      baseUrl: provider.defaultBaseUrl === '' ? 'https://own.example/v1/chat' : '',
      other: 'account',
      settings: { forceFormat: translated, systemPrompt: translated ? 'Ours.' : '' },
    });
    ports.sender.scripts = [
      (upstream) =>
        stream
          ? upstream
              .head()
              .events(...EVENTS.map((event) => JSON.stringify({ id: 'golden', ...event })), '[DONE]')
              .end()
          : upstream.json(200, REPLIES[operation]),
    ];
    const reply = new MemoryReply();
    await runCall(
      ports,
      aWireCall({
        path: doorOf(dialect, operation).path,
        body: Buffer.from(JSON.stringify({ model: 'gpt-test', stream, ...REQUESTS[operation] })),
        receivedAtMs: ports.clock.nowMs(),
      }),
      dialect,
      doorOf(dialect, operation),
      reply,
    );

    const [exchange] = ports.sender.exchanges;
    const url = new URL(exchange?.request.url ?? '');
    const base = new URL(provider.defaultBaseUrl === '' ? 'https://own.example' : provider.defaultBaseUrl);
    expect(url.host).toBe(base.host);
    expect(url.href).not.toContain('{');
    const { headers } = exchange?.request ?? {};
    expect(headers?.['authorization'] ?? `Bearer ${headers?.['api-key']}`).toBe(
      'Bearer sk-upstream-credential-0001',
    );
    expect(exchange?.body['model']).toBe('gpt-test');
    if (operation === 'chat') {
      expect(exchange?.body).toMatchObject({
        // Two vendors' ranges are open at zero.
        top_p: OPEN_AT_ZERO.has(provider.id) ? 0.01 : 0,
        vendor_extra: { kept: true },
      });
      expect(exchange?.body['messages']).toHaveLength(4);
    }

    expect(reply.status).toBe(200);
    expect(ports.quota.settled).toHaveLength(1);
    expect(ports.quota.settled[0]).toMatchObject({
      evidence: 'reported',
      outcome: 'ok',
      // 40 + 2 × 20, or 2 inputs
      priced: operation === 'chat' ? 80 : 2,
    });
    for (const piece of operation === 'chat'
      ? ['Looking.', 'Hm.', 'call_1', '{\\"city\\":\\"Oslo\\"}']
      : ['[1,0]', '[0,1]']) {
      expect(reply.text).toContain(piece);
    }
  });
});
