import { describe, expect, it } from '@jest/globals';
import { apiNamed, callCore } from '../../../../test/support/core-calls.js';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import type { MemoryExchange, MemoryReply } from '../../../../test/support/memory-sides.js';
import type { Operation } from '../../model/operation.js';
import type { Route } from '../../ports/channel-picker.js';

const { dialect } = apiNamed('chat');

const asked = (
  operation: Operation,
  path: string,
  body: object,
  route: Partial<Route>,
  script: (upstream: MemoryExchange) => void,
): Promise<MemoryReply> =>
  callCore(new MemoryPorts(), {
    dialect,
    operation,
    path,
    body: { model: 'gpt-test', ...body },
    route,
    script,
  });

describe('a ranking', () => {
  it.each([1, 38])('brings back documents that a vendor leaves null (type %d)', async (channelType) => {
    const body = { query: 'q', documents: ['a', 'b'], return_documents: true };
    const reply = await asked('rerank', '/v1/rerank', body, { channelType }, (upstream) => {
      const results = [1, 0].map((index) => ({ index, relevance_score: 0.5 + index, document: null }));
      upstream.json(200, { results, usage: { prompt_tokens: 5, total_tokens: 5 } });
    });
    const { results } = JSON.parse(reply.text) as { results: { document: unknown }[] };
    expect(results.map(({ document }) => document)).toEqual([{ text: 'b' }, { text: 'a' }]);
  });
});

describe('an image as an input to embed', () => {
  const image = 'data:image/png;base64,iVBORw0KGgo=';

  it.each([24, 34])('meets a refusal where the vendor embeds texts (type %d)', async (channelType) => {
    const sent: unknown[] = [];
    const body = { input: ['a', image] };
    const reply = await asked('embed', '/v1/embeddings', body, { channelType }, (upstream) => {
      sent.push(upstream.body);
    });
    expect([reply.status, sent]).toEqual([400, []]);
    expect(JSON.parse(reply.text)).toMatchObject({ error: { param: 'input.1' } });
  });

  it('reaches Jina as an image', async () => {
    let sent: unknown;
    await asked('embed', '/v1/embeddings', { input: ['a', image] }, { channelType: 38 }, (upstream) => {
      sent = upstream.body['input'];
      upstream.json(400, { error: { message: 'no' } });
    });
    expect(sent).toEqual(['a', { image }]);
  });
});

describe('the class of service in an answer of a look-alike', () => {
  const answer = (service_tier: unknown) => ({
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    service_tier,
    choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 },
  });

  it.each([
    ['standard', undefined],
    ['on_demand', undefined],
    ['default', 'default'],
    ['flex', 'flex'],
    [null, null],
  ])('stays only where OpenAI publishes it: %j', async (tier, shown) => {
    const { path, body } = apiNamed('chat');
    const reply = await asked('chat', path, body(false), { channelType: 1 }, (upstream) => {
      upstream.json(200, answer(tier));
    });
    expect((JSON.parse(reply.text) as Record<string, unknown>)['service_tier']).toBe(shown);
  });
});

describe('functions that a response repeats', () => {
  it('names their strictness always, as recorded answers do', async () => {
    const { path } = apiNamed('responses');
    const f = { type: 'function', name: 'f', parameters: { type: 'object', properties: {} } };
    const body = { input: 'q', tools: [f, { ...f, name: 'g', strict: false }] };
    const reply = await asked('chat', path, body, { channelType: 1 }, (upstream) => {
      upstream.json(200, {
        id: 'c',
        object: 'chat.completion',
        created: 1,
        model: 'm',
        choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
      });
    });
    const { tools } = JSON.parse(reply.text) as { tools: { strict: unknown }[] };
    expect(tools.map(({ strict }) => strict)).toEqual([true, false]);
  });
});

describe('automatic caching of a Messages request', () => {
  it('passes to a vendor of chats that reads marks', async () => {
    const { path, body } = apiNamed('messages');
    let sent: unknown;
    await callCore(new MemoryPorts(), {
      dialect: apiNamed('messages').dialect,
      path,
      body: { ...body(false), cache_control: { type: 'ephemeral' } },
      route: { channelType: 20 },
      script: (upstream) => {
        sent = upstream.body['cache_control'];
        upstream.json(400, { error: { message: 'no' } });
      },
    });
    expect(sent).toEqual({ type: 'ephemeral' });
  });
});

describe('a compaction in a stream of Claude that is written anew', () => {
  it('keeps its summary', async () => {
    const { path, body } = apiNamed('messages');
    const events = [
      { type: 'message_start', message: { id: 'm', role: 'assistant', model: 'c', content: [], usage: {} } },
      { type: 'content_block_start', index: 0, content_block: { type: 'compaction', content: null } },
      { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: 'SUM' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'compaction_delta', content: 'MARY' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'compaction' }, usage: { output_tokens: 3 } },
      { type: 'message_stop' },
    ];
    const reply = await callCore(new MemoryPorts(), {
      dialect: apiNamed('messages').dialect,
      path,
      body: body(true),
      route: { channelType: 14, settings: { thinkingToContent: true } },
      script: (upstream) => {
        upstream
          .head()
          .events(...events.map((event) => JSON.stringify(event)))
          .end();
      },
    });
    expect(reply.text).toContain('{"type":"compaction","content":"SUMMARY"}');
  });
});
