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

it('sends the bodies of callers as they are where the operator says so for all channels', async () => {
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
