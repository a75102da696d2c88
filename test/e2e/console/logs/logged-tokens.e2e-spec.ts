import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../support/api-client.ts';
import { setUpRoot, startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { until } from '../../../support/until.ts';
import { ScriptedVendor } from '../../gateway/tasks/scripted-vendor.ts';

const JSON_HEAD = { 'content-type': 'application/json' };
const TURN = [{ role: 'user', content: 'hello' }];
/** Usage that every vendor reports in its own form: 1,000 tokens read, 600 of them from a cache, and 50 written. */
const INPUT = 1_000;
const CACHED = 600;
const OUTPUT = 50;

const ANSWERS = {
  'by-openai': {
    id: 'c_1',
    object: 'chat.completion',
    created: 1,
    model: 'by-openai',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'hi' } }],
    usage: {
      prompt_tokens: INPUT,
      completion_tokens: OUTPUT,
      total_tokens: INPUT + OUTPUT,
      prompt_tokens_details: { cached_tokens: CACHED },
    },
  },
  'by-anthropic': {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'by-anthropic',
    stop_reason: 'end_turn',
    content: [{ type: 'text', text: 'hi' }],
    usage: { input_tokens: INPUT - CACHED, cache_read_input_tokens: CACHED, output_tokens: OUTPUT },
  },
  'by-google': {
    candidates: [{ content: { role: 'model', parts: [{ text: 'hi' }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: INPUT,
      cachedContentTokenCount: CACHED,
      candidatesTokenCount: OUTPUT,
      totalTokenCount: INPUT + OUTPUT,
    },
    modelVersion: 'by-google',
  },
} as const;
const MODELS = Object.keys(ANSWERS) as readonly (keyof typeof ANSWERS)[];
const TYPES = { 'by-openai': 1, 'by-anthropic': 14, 'by-google': 24 } as const;

const CALLS = {
  chat: (model: string) => ['/v1/chat/completions', { model, messages: TURN }],
  Responses: (model: string) => ['/v1/responses', { model, input: 'hello' }],
  Messages: (model: string) => ['/v1/messages', { model, messages: TURN, max_tokens: 100 }],
  Gemini: (model: string) => [
    `/v1beta/models/${model}:generateContent`,
    { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
  ],
} as const;

interface Line {
  readonly request_id: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly other: string;
}

describe('tokens of a call in the log and in the sums of its model', () => {
  let app: TestApp;
  let root: ApiClient;
  let vendor: ScriptedVendor;
  let key: string;

  beforeAll(async () => {
    vendor = await ScriptedVendor.start();
    vendor.say = ({ path, body }) => {
      const named = JSON.stringify(body) + path;
      return { body: ANSWERS[MODELS.find((model) => named.includes(model)) ?? 'by-openai'] };
    };
    app = await startTestApp({ env: { ALLOWED_PRIVATE_HOSTS: '127.0.0.1' } });
    root = await setUpRoot(app);
    await root.expectSuccess('PUT', '/api/option/', [
      { key: 'ModelRatio', value: JSON.stringify(Object.fromEntries(MODELS.map((model) => [model, 1]))) },
    ]);
    for (const model of MODELS)
      await root.expectSuccess('POST', '/api/channel/', {
        type: TYPES[model],
        name: model,
        key: 'sk-up',
        models: model,
        base_url: vendor.url,
        group: 'default',
      });
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

  const lineOf = async (path: string, body: unknown): Promise<Line> => {
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, ...JSON_HEAD },
      body: JSON.stringify(body),
    });
    expect([response.status, response.ok ? '' : await response.text()]).toEqual([200, '']);
    let found: Line | undefined;
    await until(async () => {
      const { items } = await root.expectSuccess<{ items: Line[] }>('GET', '/api/log/?type=2&page_size=50');
      found = items.find(({ request_id: id }) => id === response.headers.get('x-request-id'));
      return found !== undefined;
    });
    return found as Line;
  };

  it.each(MODELS)('writes the same token counts for every client API, %s', async (model) => {
    const names = Object.keys(CALLS) as (keyof typeof CALLS)[];
    for (const name of names) {
      const [path, body] = CALLS[name](model) as [string, unknown];
      const line = await lineOf(path, body);
      expect([name, line.prompt_tokens, line.completion_tokens]).toEqual([name, INPUT, OUTPUT]);
      expect(JSON.parse(line.other)).toMatchObject({ cache_tokens: CACHED });
    }
    // Lines and sums are booked one after the other.
    let sum = 0;
    await until(async () => {
      const use = await root.expectSuccess<{ model_name: string; token_used: number }[]>(
        'GET',
        '/api/data/self?grain=day',
      );
      const own = use.filter(({ model_name: name }) => name === model);
      sum = own.reduce((all, { token_used: tokens }) => all + tokens, 0);
      return sum >= names.length * (INPUT + OUTPUT);
    });
    expect(sum).toBe(names.length * (INPUT + OUTPUT));
  });
});
