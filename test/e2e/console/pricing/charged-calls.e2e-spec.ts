import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ExplainService } from '../../../../server/base/billing/checks/explain.service.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { FakeUpstream } from '../../../support/fake-upstream.ts';
import { until } from '../../../support/until.ts';

interface Line {
  readonly id: number;
  readonly request_id: string | null;
  readonly quota: number;
  readonly content: string;
  readonly other: string;
}

const JSON_HEAD = { 'content-type': 'application/json' };

/** Calls that cost more than their tokens, from the request to the log line. */
describe('what calls cost beyond their tokens', () => {
  let app: TestApp;
  let root: ApiClient;
  let upstream: FakeUpstream;
  let key: string;

  const answer = (model: string, document: unknown): void =>
    upstream.on(model, ({ response }) => {
      response.writeHead(200, JSON_HEAD).end(JSON.stringify(document));
    });

  beforeAll(async () => {
    upstream = await FakeUpstream.start();
    app = await startTestApp();
    root = await setUpRoot(app);
    await root.expectSuccess('PUT', '/api/option/', [
      { key: 'ModelRatio', value: '{"gpt-fx":1,"gpt-fx-search-preview":1,"claude-fx":1,"gpt-fx-long":1}' },
      {
        key: 'CompletionRatio',
        value: '{"gpt-fx":2,"gpt-fx-search-preview":2,"claude-fx":2,"gpt-fx-long":2}',
      },
      { key: 'LongContextRatio', value: '{"gpt-fx-long":[{"above":1000,"input":2,"output":3}]}' },
      { key: 'GroupRatio', value: '{"default":1,"half":0.5}' },
      { key: 'UserUsableGroups', value: '{"default":"all","half":"cheap"}' },
    ]);
    const models = 'gpt-fx-search-preview,gpt-fx-long';
    await root.expectSuccess('POST', '/api/channel/', {
      type: 1,
      name: 'openai',
      key: 'sk-up',
      models,
      base_url: upstream.url,
      group: 'default,half',
    });
    // A gateway with the dialect of its caller.
    await root.expectSuccess('POST', '/api/channel/', {
      type: 59,
      name: 'gateway',
      key: 'sk-up',
      models: 'gpt-fx',
      base_url: upstream.url,
      // The vector store of a search is the vendor's own.
      settings: '{"allow_foreign_ids":true}',
    });
    await root.expectSuccess('POST', '/api/channel/', {
      type: 14,
      name: 'anthropic',
      key: 'sk-up',
      models: 'claude-fx',
      base_url: upstream.url,
    });
    key = (
      await root.expectSuccess<{ key: string }>('POST', '/api/token/', { name: 't', unlimited_quota: true })
    ).key;
  });
  afterAll(async () => {
    await app.close();
    await upstream.close();
  });

  const call = async (path: string, body: unknown, withKey = key): Promise<Response> =>
    fetch(app.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${withKey}`, ...JSON_HEAD },
      body: JSON.stringify(body),
    });

  const chargedLine = async (path: string, body: unknown, withKey = key): Promise<Line> => {
    const response = await call(path, body, withKey);
    expect([response.status, response.ok ? '' : await response.text()]).toEqual([200, '']);
    const requestId = response.headers.get('x-request-id');
    let found: Line | undefined;
    // Booked in the background.
    await until(async () => {
      const { items } = await root.expectSuccess<{ items: Line[] }>('GET', '/api/log/?type=2');
      found = items.find((one) => one.request_id === requestId);
      return found !== undefined;
    });
    const line = found as Line;
    const charge = await app.app.get(ExplainService).explain(requestId ?? '');
    expect(charge).toMatchObject({ charged: line.quota, isConsistent: true });
    return line;
  };

  it('searches of the Responses API, by the tool that was asked for', async () => {
    answer('gpt-fx', {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      status: 'completed',
      model: 'gpt-fx',
      output: [
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        { type: 'web_search_call', id: 'ws_2', status: 'completed' },
        { type: 'file_search_call', id: 'fs_1', status: 'completed', queries: ['x'] },
        {
          type: 'message',
          id: 'm_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text: 'found', annotations: [] }],
        },
      ],
      usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
    });
    const line = await chargedLine('/v1/responses', {
      model: 'gpt-fx',
      input: 'find it',
      max_tool_calls: 3,
      tools: [{ type: 'web_search' }, { type: 'file_search', vector_store_ids: ['vs_1'] }],
    });
    // 100 + 10 × 2, and 2 × 10 + 1 × 2.5 dollars per thousand at 500,000 quota a dollar
    expect(line.quota).toBe(120 + 10_000 + 1_250);
    expect(line.content).toContain('web_search 2 × 10 dollars per thousand');
    expect(JSON.parse(line.other)).toMatchObject({
      web_search: true,
      web_search_call_count: 2,
      web_search_price: 10,
      model_price: -1,
      file_search: true,
      file_search_call_count: 1,
      file_search_price: 2.5,
    });
  });

  it('searches of Messages', async () => {
    answer('claude-fx', {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'claude-fx',
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'found' }],
      usage: { input_tokens: 50, output_tokens: 5, server_tool_use: { web_search_requests: 3 } },
    });
    const line = await chargedLine('/v1/messages', {
      model: 'claude-fx',
      max_tokens: 20,
      messages: [{ role: 'user', content: 'find it' }],
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }],
    });
    expect(line.quota).toBe(60 + 15_000);
  });

  it('models that search for every answer', async () => {
    answer('gpt-fx-search-preview', {
      id: 'c_1',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-fx-search-preview',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'found' } }],
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    });
    const body = { model: 'gpt-fx-search-preview', messages: [{ role: 'user', content: 'find it' }] };
    expect((await chargedLine('/v1/chat/completions', body)).quota).toBe(120 + 5_000);
  });

  it('long calls, at the prices of their length', async () => {
    answer('gpt-fx-long', {
      id: 'c_1',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-fx-long',
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'read' } }],
      usage: { prompt_tokens: 1_500, completion_tokens: 10, total_tokens: 1_510 },
    });
    const body = { model: 'gpt-fx-long', messages: [{ role: 'user', content: 'word '.repeat(1_400) }] };
    const line = await chargedLine('/v1/chat/completions', body);
    expect(line.quota).toBe(3_060); // 1500 × 2 + 10 × 2 × 3
    expect(JSON.parse(line.other)).toMatchObject({ tier_above_tokens: 1_000, tier_input_ratio: 2 });
  });

  it('a factor agreed between the account’s group and the called one replaces the latter’s own', async () => {
    await root.expectSuccess('PUT', '/api/option/', {
      key: 'GroupGroupRatio',
      value: '{"default":{"half":0.1}}',
    });
    const token = await root.expectSuccess<{ key: string }>('POST', '/api/token/', {
      name: 'cheap',
      unlimited_quota: true,
      group: 'half',
    });
    const body = { model: 'gpt-fx-search-preview', messages: [{ role: 'user', content: 'find it' }] };
    const line = await chargedLine('/v1/chat/completions', body, token.key);
    expect(line.quota).toBe(512); // (120 + 5000) × 0.1
    expect(JSON.parse(line.other)).toMatchObject({ group_ratio: 0.1, user_group_ratio: 0.1 });
  });

  it('charges a streamed answer by its tokens, those from the cache by their own ratio, and explains it', async () => {
    await root.expectSuccess('PUT', '/api/option/', [
      { key: 'ModelRatio', value: '{"gpt-fx":1,"gpt-fx-search-preview":1,"gpt-fx-cached":4}' },
      { key: 'CompletionRatio', value: '{"gpt-fx":2,"gpt-fx-search-preview":2,"gpt-fx-cached":4}' },
      { key: 'CacheRatio', value: '{"gpt-fx-cached":0.1}' },
      { key: 'GroupGroupRatio', value: '{}' },
    ]);
    await root.expectSuccess('POST', '/api/channel/', {
      type: 1,
      name: 'cached',
      key: 'sk-up',
      models: 'gpt-fx-cached',
      base_url: upstream.url,
      group: 'half',
    });
    const chunk = (members: object): string =>
      `data: ${JSON.stringify({ id: 'c_1', object: 'chat.completion.chunk', created: 1, model: 'gpt-fx-cached', ...members })}\n\n`;
    const said = (delta: object, finish_reason: string | null = null): string =>
      chunk({ choices: [{ index: 0, delta, finish_reason }] });
    const usage = {
      prompt_tokens: 1_297,
      completion_tokens: 100,
      total_tokens: 1_397,
      prompt_tokens_details: { cached_tokens: 1_200 },
    };
    upstream.on('gpt-fx-cached', ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(said({ role: 'assistant', content: '' }));
      response.write(said({ content: 'word '.repeat(100) }));
      response.write(said({}, 'stop'));
      response.end(`${chunk({ choices: [], usage })}data: [DONE]\n\n`);
    });
    const token = await root.expectSuccess<{ key: string }>('POST', '/api/token/', {
      name: 'half',
      unlimited_quota: true,
      group: 'half',
    });
    const line = await chargedLine(
      '/v1/chat/completions',
      {
        model: 'gpt-fx-cached',
        stream: true,
        messages: [{ role: 'user', content: 'word '.repeat(1_290) }],
      },
      token.key,
    );
    expect(line.quota).toBe(1_234); // (97 + 1200 × 0.1 + 100 × 4) × 4 × 0.5
    expect(await root.expectSuccess('GET', `/api/log/${line.id}/explain`)).toMatchObject({
      is_stream: true,
      evidence: 'reported',
      charge: {
        priced: 1_234,
        writeoff: 0,
        group_ratio: '0.5',
        is_consistent: true,
        steps: [
          { part: 'textInput', count: 97, ratio: '1', subtotal: '194' },
          { part: 'cacheRead', count: 1_200, ratio: '0.1', subtotal: '240' },
          { part: 'textOutput', count: 100, ratio: '4', subtotal: '800' },
        ],
      },
    });
  });

  it('holds them before the call: a balance that covers the tokens alone is not enough [BIL-02]', async () => {
    const poor = await signUp(root, { username: 'poor' });
    await root.expectSuccess('PUT', '/api/user/', { id: poor.userId, username: 'poor', quota: 10_000 });
    const token = await poor.expectSuccess<{ key: string }>('POST', '/api/token/', {
      name: 't',
      unlimited_quota: true,
    });
    const before = upstream.journal.length;
    const refused = await call(
      '/v1/responses',
      {
        model: 'gpt-fx',
        input: 'x',
        max_output_tokens: 16,
        max_tool_calls: 3,
        tools: [{ type: 'web_search' }],
      },
      token.key,
    );
    expect(refused.status).toBe(403);
    expect(upstream.journal).toHaveLength(before);
    // 15,000 for three searches are too many; those for one are not.
    const served = await call(
      '/v1/responses',
      {
        model: 'gpt-fx',
        input: 'x',
        max_output_tokens: 16,
        max_tool_calls: 1,
        tools: [{ type: 'web_search' }],
      },
      token.key,
    );
    expect(served.status).toBe(200);
  });
});
