import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { ExplainService } from '../../../../server/base/billing/checks/explain.service.js';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { FakeUpstream } from '../../../support/fake-upstream.ts';
import { until } from '../../../support/until.ts';
import { respond, ScriptedRealtime, USAGE } from '../../vendors/realtime/scripted-realtime.ts';
import { ScriptedVendor } from '../../gateway/tasks/scripted-vendor.ts';

interface Line {
  readonly request_id: string;
  readonly model_name: string;
  readonly quota: number;
  readonly content: string;
  readonly other: string;
}

const JSON_HEAD = { 'content-type': 'application/json' };
const CHAT = 'fx-model-chat';
const REALTIME = 'gpt-realtime';
const TURN = [{ role: 'user', content: 'hello' }];
const TOKENS = { prompt_tokens: 1_000, completion_tokens: 500, total_tokens: 1_500 };

/** Charge of each path at factor 1: 1,000 + 500 × 2 tokens, a tenth of a dollar, and so on. */
const PATHS = [
  { name: 'a whole chat', path: '/v1/chat/completions', body: { messages: TURN }, usual: 2_000 },
  {
    name: 'a streamed chat',
    path: '/v1/chat/completions',
    body: { messages: TURN, stream: true },
    usual: 2_000,
  },
  { name: 'Messages', path: '/v1/messages', body: { messages: TURN, max_tokens: 600 }, usual: 2_000 },
  {
    name: 'streamed Messages',
    path: '/v1/messages',
    body: { messages: TURN, max_tokens: 600, stream: true },
    usual: 2_000,
  },
  { name: 'Responses', path: '/v1/responses', body: { input: 'hello' }, usual: 2_000 },
  {
    name: 'Gemini',
    path: `/v1beta/models/${CHAT}:generateContent`,
    usual: 2_000,
    body: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
  },
  {
    name: 'a picture',
    path: '/v1/images/generations',
    body: { model: 'dall-e-2', prompt: 'a cat', n: 2 },
    usual: 100_000,
  },
  { name: 'a drawing', path: '/mj/submit/imagine', body: { prompt: 'a cat' }, usual: 50_000 },
] as const;

describe('the factor agreed for accounts of a group and a model', () => {
  let app: TestApp;
  let root: ApiClient;
  let person: ApiClient;
  let upstream: FakeUpstream;
  let drawer: ScriptedVendor;
  let talker: ScriptedRealtime;
  let key: string;

  beforeAll(async () => {
    [upstream, drawer, talker] = await Promise.all([
      FakeUpstream.start(),
      ScriptedVendor.start(),
      ScriptedRealtime.start(),
    ]);
    upstream.on(CHAT, ({ entry, response }) => {
      const common = { id: 'c_1', created: 1, model: CHAT };
      if (entry.body['stream'] !== true) {
        const message = { role: 'assistant', content: 'hi' };
        const choices = [{ index: 0, finish_reason: 'stop', message }];
        response
          .writeHead(200, JSON_HEAD)
          .end(JSON.stringify({ ...common, object: 'chat.completion', choices, usage: TOKENS }));
        return;
      }
      const frame = (choices: unknown, usage: unknown = null) =>
        `data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', choices, usage })}\n\n`;
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(
          frame([{ index: 0, delta: { role: 'assistant', content: 'hi' }, finish_reason: null }]) +
            frame([{ index: 0, delta: {}, finish_reason: 'stop' }]) +
            frame([], TOKENS) +
            'data: [DONE]\n\n',
        );
    });
    upstream.on('dall-e-2', ({ response }) => {
      const data = [{ b64_json: 'iVBORw0KGgo=' }, { b64_json: 'iVBORw0KGgo=' }];
      response.writeHead(200, JSON_HEAD).end(JSON.stringify({ created: 1, data }));
    });
    drawer.say = () => ({
      body: { code: 1, description: 'ok', result: `mj-${drawer.asked.length}`, properties: {} },
    });
    talker.script = (session, frame) => {
      if (frame.type === 'response.create') respond(session, USAGE);
    };
    app = await startTestApp({ env: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1', UPDATE_TASK: 'false' } });
    root = await setUpRoot(app);
    await root.expectSuccess('PUT', '/api/option/', [
      { key: 'ModelRatio', value: JSON.stringify({ [CHAT]: 1, [REALTIME]: 1 }) },
      { key: 'CompletionRatio', value: JSON.stringify({ [CHAT]: 2, [REALTIME]: 4 }) },
      { key: 'ModelPrice', value: '{"dall-e-2":0.1,"mj_imagine":0.1}' },
      { key: 'GroupRatio', value: '{"default":1,"partner":1,"dear":7}' },
      { key: 'UserUsableGroups', value: '{"default":"all","dear":"dear"}' },
    ]);
    const group = 'default,partner,dear';
    const channel = (fields: Readonly<Record<string, unknown>>) =>
      root.expectSuccess('POST', '/api/channel/', { key: 'sk-up', group, ...fields });
    await channel({ type: 1, name: 'chat', models: `${CHAT},dall-e-2`, base_url: upstream.url });
    await channel({ type: 2, name: 'drawer', models: 'mj_imagine', base_url: drawer.url });
    await channel({ type: 1, name: 'talker', models: REALTIME, base_url: talker.url });
    person = await signUp(root, { username: 'person' });
    await root.expectSuccess('PUT', '/api/user/', {
      id: person.userId,
      username: 'person',
      group: 'partner',
      quota: 10_000_000,
    });
    // The key calls in another group than the account is in.
    const token = await person.expectSuccess<{ key: string }>('POST', '/api/token/', {
      name: 'dear',
      unlimited_quota: true,
      group: 'dear',
    });
    key = token.key;
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([upstream.close(), drawer.close(), talker.close()]);
  });

  const agree = (factors: unknown) =>
    root.expectSuccess('PUT', '/api/option/', { key: 'GroupModelRatio', value: JSON.stringify(factors) });

  const newestLine = async (isMeant: (line: Line) => boolean): Promise<Line> => {
    let found: Line | undefined;
    await until(async () => {
      const { items } = await root.expectSuccess<{ items: Line[] }>('GET', '/api/log/?type=2');
      found = items.find(isMeant);
      return found !== undefined;
    });
    return found as Line;
  };

  const lineOf = async ({ path, body }: { readonly path: string; readonly body: object }): Promise<Line> => {
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, ...JSON_HEAD },
      body: JSON.stringify({ model: CHAT, ...body }),
    });
    const text = await response.text();
    expect([path, response.status, response.ok ? '' : text]).toEqual([path, 200, '']);
    const requestId = response.headers.get('x-request-id');
    return newestLine((line) => line.request_id === requestId);
  };

  const talk = async (): Promise<Line> => {
    const known = await root.expectSuccess<{ items: Line[] }>('GET', '/api/log/?type=2');
    const seen = new Set(known.items.map((line) => line.request_id));
    const socket = new WebSocket(`${app.url.replace('http', 'ws')}/v1/realtime?model=${REALTIME}`, {
      headers: { authorization: `Bearer sk-${key}` },
    });
    await once(socket, 'open');
    const done = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        if (data.toString('utf8').includes('"response.done"')) resolve();
      });
    });
    socket.send('{"type":"response.create"}');
    await done;
    socket.close();
    return newestLine((line) => line.model_name === REALTIME && !seen.has(line.request_id));
  };

  const expectFactor = async (line: Line, factor: number, pattern: string): Promise<void> => {
    expect(line.content).toContain(`agreed for accounts of partner and models ${pattern}`);
    expect(JSON.parse(line.other)).toMatchObject({
      group_ratio: factor,
      user_group_ratio: factor,
      user_group_model: pattern,
    });
    const charge = await app.app.get(ExplainService).explain(line.request_id);
    expect(charge).toMatchObject({ charged: line.quota, isConsistent: true, groupRatio: String(factor) });
    const shown = await person.expectSuccess<{ charge: object }>(
      'GET',
      `/api/log/${line.request_id}/explain`,
    );
    expect(shown.charge).toMatchObject({
      agreed_for: { account_group: 'partner', models: pattern },
      group_ratio: String(factor),
    });
  };

  it.each(PATHS)('charges $name, in whatever group it is called', async ({ path, body, usual }) => {
    await agree({ partner: { '*': 0.5 }, dear: { '*': 9 }, default: { '*': 9 } });
    const line = await lineOf({ path, body });
    expect(line.quota).toBe(usual / 2);
    await expectFactor(line, 0.5, '*');
    await agree({});
    expect((await lineOf({ path, body })).quota).toBe(usual * 7);
  });

  it('charges a realtime session', async () => {
    await agree({ partner: { 'gpt-real*': 2 } });
    const line = await talk();
    await expectFactor(line, 2, 'gpt-real*');
    await agree({ partner: { 'gpt-real*': 4 } });
    expect((await talk()).quota).toBe(line.quota * 2);
  });

  it('holds the agreed price: a balance for it is enough, though not for the factor of the group', async () => {
    const poor = await signUp(root, { username: 'poor' });
    await root.expectSuccess('PUT', '/api/user/', {
      id: poor.userId,
      username: 'poor',
      group: 'partner',
      quota: 60_000,
    });
    const token = await poor.expectSuccess<{ key: string }>('POST', '/api/token/', {
      name: 't',
      unlimited_quota: true,
      group: 'dear',
    });
    const draw = async (): Promise<number> => {
      const response = await fetch(`${app.url}/mj/submit/imagine`, {
        method: 'POST',
        headers: { authorization: `Bearer sk-${token.key}`, ...JSON_HEAD },
        body: JSON.stringify({ prompt: 'a cat' }),
      });
      await response.arrayBuffer();
      return response.status;
    };
    await agree({});
    expect(await draw()).toBe(403);
    await agree({ partner: { mj_imagine: 1 } });
    expect(await draw()).toBe(200);
  });
});
