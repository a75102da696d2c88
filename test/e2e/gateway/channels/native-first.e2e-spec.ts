import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { until } from '../../../support/until.ts';
import { ScriptedVendor } from '../tasks/scripted-vendor.ts';

const MODEL = 'm';
const TURN = [{ role: 'user', content: 'hello' }];
const CHAT = ['/v1/chat/completions', { model: MODEL, messages: TURN }] as const;
const MESSAGES = ['/v1/messages', { model: MODEL, messages: TURN, max_tokens: 100 }] as const;
/** Enough that weight alone would send nearly every call to it. */
const HEAVY = 10_000;

const ANSWERS = {
  chat: {
    id: 'c_1',
    object: 'chat.completion',
    created: 1,
    model: MODEL,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hi' } }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  },
  messages: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: MODEL,
    stop_reason: 'end_turn',
    content: [{ type: 'text', text: 'hi' }],
    usage: { input_tokens: 10, output_tokens: 5 },
  },
};

interface Line {
  readonly channel: number;
  readonly request_id: string;
  readonly other: string;
}

describe('native channels first', () => {
  let app: TestApp;
  let root: ApiClient;
  let vendor: ScriptedVendor;
  let key: string;
  const ids: Record<string, number> = {};

  const setOption = (name: string, value: string) =>
    root.expectSuccess('PUT', '/api/option/', { key: name, value });

  beforeAll(async () => {
    vendor = await ScriptedVendor.start();
    vendor.say = ({ path }) => ({ body: path.endsWith('/messages') ? ANSWERS.messages : ANSWERS.chat });
    app = await startTestApp({ env: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } });
    root = await setUpRoot(app);
    await setOption('ModelRatio', JSON.stringify({ [MODEL]: 1 }));
    for (const [name, type, weight] of [
      ['openai', 1, HEAVY],
      ['anthropic', 14, 0],
    ] as const)
      await root.expectSuccess('POST', '/api/channel/', {
        type,
        name,
        weight,
        key: 'sk-up',
        models: MODEL,
        base_url: vendor.url,
        group: 'default',
      });
    const list = await root.expectSuccess<{ id: number; name: string }[]>('GET', '/api/channel/');
    for (const { id, name } of list) ids[name] = id;
    const token = await root.expectSuccess<{ key: string }>('POST', '/api/token/', {
      name: 't',
      unlimited_quota: true,
    });
    key = token.key;
  });
  afterAll(async () => {
    await app.close();
    await vendor.close();
  });

  /** The channel of a call, and whether its line in the log is marked native. */
  const lineOf = async ([path, body]: readonly [string, unknown]): Promise<[number, unknown]> => {
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([response.status, response.ok ? '' : await response.text()]).toEqual([200, '']);
    let found: Line | undefined;
    await until(async () => {
      const { items } = await root.expectSuccess<{ items: Line[] }>('GET', '/api/log/?type=2&page_size=50');
      found = items.find(({ request_id: id }) => id === response.headers.get('x-request-id'));
      return found !== undefined;
    });
    const { channel, other } = found as Line;
    return [channel, (JSON.parse(other) as { native?: unknown }).native];
  };

  it('sends calls of a new installation to the channel of their API', async () => {
    expect(await lineOf(MESSAGES)).toEqual([ids['anthropic'], true]);
    expect(await lineOf(CHAT)).toEqual([ids['openai'], true]);
  });

  it('leaves the choice to weight for a group that turns it off, and forecasts what on would change', async () => {
    await setOption('NativeChannelsFirstGroup', '{"default": false}');
    // The last call of the conversation's account decides where there is affinity.
    await setOption('channel_affinity_setting.enabled', 'false');
    expect(await lineOf(MESSAGES)).toEqual([ids['openai'], false]);
    expect(await root.expectSuccess('GET', '/api/channel/native-forecast')).toEqual({
      calls: 3,
      moves: [{ group: 'default', api: 'messages', channel_id: ids['anthropic'], calls: 1, of: 2 }],
    });
  });

  it('has one channel answer calls of each API it names, and tests each', async () => {
    const model = 'two-apis';
    await setOption('ModelRatio', JSON.stringify({ [MODEL]: 1, [model]: 1 }));
    await root.expectSuccess('POST', '/api/channel/', {
      type: 1,
      name: model,
      key: 'sk-up',
      models: model,
      base_url: `${vendor.url}/v1`,
      group: 'default',
      settings: JSON.stringify({ messages_path: '/anthropic/v1/messages' }),
    });
    const list = await root.expectSuccess<{ id: number; name: string }[]>('GET', '/api/channel/');
    const id = list.find(({ name }) => name === model)?.id ?? 0;
    vendor.asked.length = 0;
    expect(await lineOf([MESSAGES[0], { ...MESSAGES[1], model }])).toEqual([id, true]);
    expect(await lineOf([CHAT[0], { ...CHAT[1], model }])).toEqual([id, true]);
    const paths = ['/anthropic/v1/messages', '/v1/chat/completions'];
    expect(vendor.asked.map(({ path }) => path)).toEqual(paths);
    vendor.asked.length = 0;
    const { body } = await root.get(`/api/channel/test/${id}`);
    expect(body).toMatchObject({ success: true });
    expect(vendor.asked.map(({ path }) => path)).toEqual(paths.toReversed());
  });

  it('refuses the forecast to ordinary accounts', async () => {
    const user = await signUp(root, { username: 'ann' });
    const { body } = await user.get('/api/channel/native-forecast');
    expect(body).toMatchObject({ success: false, code: 'not_permitted' });
  });
});
