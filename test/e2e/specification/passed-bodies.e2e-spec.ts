import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ApiClient } from '../../support/api-client.ts';
import { setUpRoot, startTestApp, type TestApp } from '../../support/build-test-app.ts';
import { FakeUpstream } from '../../support/fake-upstream.ts';

let app: TestApp;
let upstream: FakeUpstream;
let root: ApiClient;

beforeAll(async () => {
  upstream = await FakeUpstream.start();
  app = await startTestApp();
  root = await setUpRoot(app);
});
afterAll(async () => {
  await app?.close();
  await upstream?.close();
});

const set = (key: string, value: unknown) => root.expectSuccess('PUT', '/api/option/', { key, value });

it('sends the bodies of callers unchanged when the option is on for all channels', async () => {
  await set('SelfUseModeEnabled', true);
  await root.expectSuccess('POST', '/api/channel/', {
    type: 1,
    name: 'one',
    key: 'sk-a',
    base_url: upstream.url,
    models: 'fx-json',
    group: 'default',
    param_override: '{"temperature":0}',
  });
  const token = { name: 'one', expired_time: -1, unlimited_quota: true };
  await root.expectSuccess('POST', '/api/token/', token);
  const [{ key }] = await root.expectSuccess<[{ key: string }]>('GET', '/api/token/?p=0&size=10');
  const temperatures: unknown[] = [];
  for (const isPassed of [false, true]) {
    await set('global.pass_through_request_enabled', isPassed);
    const response = await fetch(`${app.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'fx-json',
        temperature: 0.5,
        messages: [{ role: 'user', content: 'hello' }],
      }),
    });
    expect(response.status).toBe(200);
    temperatures.push(upstream.entriesOf('fx-json').at(-1)?.body['temperature']);
  }
  expect(temperatures).toEqual([0, 0.5]);
});

it('sends the key of type 22 whole, as it was typed', async () => {
  await set('SelfUseModeEnabled', true);
  const typed = 'fastgpt-3Yx-64f1c0ffee';
  await root.expectSuccess('POST', '/api/channel/', {
    type: 22,
    name: 'knowledge',
    key: typed,
    base_url: upstream.url,
    models: 'fx-model-fastgpt',
    group: 'default',
  });
  await root.expectSuccess('POST', '/api/token/', { name: 'two', expired_time: -1, unlimited_quota: true });
  const [{ key }] = await root.expectSuccess<[{ key: string }]>('GET', '/api/token/?p=0&size=10');
  await fetch(`${app.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'fx-model-fastgpt', messages: [{ role: 'user', content: 'hello' }] }),
  });
  const [asked] = upstream.entriesOf('fx-model-fastgpt');
  expect(asked?.headers['authorization']).toBe(`Bearer ${typed}`);
});
