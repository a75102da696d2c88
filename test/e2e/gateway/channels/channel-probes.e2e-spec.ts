import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../../../support/api-client.js';
import { ChannelCircuitBreaker } from '../../../../server/gateway/channels/state/channel-circuit-breaker.js';
import { setUpRoot, signUp, startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { FakeUpstream } from '../../../support/fake-upstream.js';
import { sendJson } from '../../../support/fake-upstream-behaviours.js';
import { until } from '../../../support/until.js';

interface Progress {
  readonly running: boolean;
  readonly done: number;
  readonly total: number;
  readonly failed: number;
}

interface Channel {
  readonly id: number;
  readonly status: number;
  readonly other_info: string;
  readonly response_time: number;
  readonly test_time: number;
  readonly balance: number;
  readonly balance_updated_time: number;
}

describe('questions to upstreams', () => {
  let app: TestApp;
  let root: ApiClient;
  let admin: ApiClient;
  let upstream: FakeUpstream;

  beforeAll(async () => {
    upstream = await FakeUpstream.start();
    app = await startTestApp();
    root = await setUpRoot(app);
    admin = await signUp(root, { username: 'admin', role: 'admin' });
  });

  afterAll(async () => {
    await app.close();
    await upstream.close();
  });

  beforeEach(async () => {
    const { data } = (await admin.get('/api/channel/?page_size=100')).body as { data: Channel[] };
    if (data.length > 0)
      await admin.expectSuccess('POST', '/api/channel/batch', { ids: data.map((one) => one.id) });
    upstream.journal.length = 0;
  });

  const create = async (part: Record<string, unknown> = {}): Promise<number> => {
    const { ids } = await admin.expectSuccess<{ ids: number[] }>('POST', '/api/channel/', {
      type: 1,
      name: 'one',
      key: 'sk-probe',
      models: 'fx-quick',
      base_url: upstream.url,
      ...part,
    });
    return ids[0] ?? 0;
  };
  const get = (id: number): Promise<Channel> => admin.expectSuccess<Channel>('GET', `/api/channel/${id}`);

  /** Asks until the job has ended. */
  const finished = async (name: string): Promise<Progress> => {
    let progress: Progress | undefined;
    await until(async () => {
      progress = await admin.expectSuccess<Progress>('GET', `/api/channel/job/${name}`);
      return !progress.running && progress.total > 0;
    });
    return progress as Progress;
  };

  it('tests one channel, plain and streamed, shows its answer and time, and moves no money', async () => {
    const id = await create();
    const before = await root.expectSuccess<{ quota: number }>('GET', '/api/user/self');
    for (const stream of ['false', 'true']) {
      const { body } = await admin.get(`/api/channel/test/${id}?stream=${stream}`);
      expect(body).toMatchObject({ success: true, message: '', model: 'fx-quick', time: expect.any(Number) });
      expect(body['first_token_ms']).toEqual(expect.any(Number));
      expect(String(body['answer']).length).toBeGreaterThan(0);
    }
    expect(await get(id)).toMatchObject({ response_time: expect.any(Number), test_time: expect.any(Number) });
    expect((await get(id)).response_time).toBeGreaterThan(0);
    expect(upstream.entriesOf('fx-quick').map((entry) => entry.headers.authorization)).toEqual([
      'Bearer sk-probe',
      'Bearer sk-probe',
    ]);
    expect((await root.expectSuccess<{ quota: number }>('GET', '/api/user/self')).quota).toBe(before.quota);
  });

  it('reports the reason of a failed test, with its time and without the key', async () => {
    const id = await create({ models: 'fx-error-401,fx-echo-key' });
    for (const model of ['', 'fx-echo-key']) {
      const { status, body } = await admin.get(`/api/channel/test/${id}/?model=${model}`);
      expect(status).toBe(200);
      expect(body).toMatchObject({ success: false, time: expect.any(Number) });
      expect(String(body.message).length).toBeGreaterThan(0);
      expect(JSON.stringify(body)).not.toContain('sk-probe');
    }
    expect((await admin.get('/api/channel/test/999999')).body).toMatchObject({
      success: false,
      code: 'not_found',
    });
  });

  it('closes the circuit of the tested model when an administrator’s test succeeds, and of no other model', async () => {
    const id = await create({ models: 'fx-quick,fx-error-401,fx-embed' });
    const circuits = app.app.get(ChannelCircuitBreaker, { strict: false });
    const resting = () =>
      circuits
        .listOpen()
        .filter(({ channelId }) => channelId === id)
        .map(({ model }) => model);
    for (const model of ['fx-quick', 'fx-error-401', 'fx-embed']) circuits.openNow({ channelId: id, model });
    await admin.expectSuccess('GET', '/api/channel/test');
    expect(await finished('test')).toMatchObject({ failed: 0 });
    await admin.get(`/api/channel/test/${id}?model=fx-error-401`);
    expect(resting()).toEqual(['fx-quick', 'fx-error-401', 'fx-embed']);
    await admin.expectSuccess('GET', `/api/channel/test/${id}?model=fx-quick`);
    expect(resting()).toEqual(['fx-error-401', 'fx-embed']);
    circuits.openNow({ channelId: id, model: '' });
    await admin.expectSuccess('GET', `/api/channel/test/${id}?model=fx-quick`);
    expect(resting()).toEqual(['fx-error-401', 'fx-embed']);
  });

  it('tests every channel that is not disabled by hand, and switches as the options allow [CHAN-117]', async () => {
    await root.expectSuccess('PUT', '/api/option/', { key: 'AutomaticDisableChannelEnabled', value: true });
    await root.expectSuccess('PUT', '/api/option/', { key: 'AutomaticEnableChannelEnabled', value: true });
    const good = await create({ name: 'good' });
    const bad = await create({ name: 'bad', models: 'fx-error-401' });
    const kept = await create({ name: 'kept', models: 'fx-error-401', auto_ban: 0 });
    const byHand = await create({ name: 'by hand', models: 'fx-error-401', status: 2 });
    await admin.expectSuccess('GET', '/api/channel/test');
    expect(await finished('test')).toMatchObject({ total: 3, done: 3, failed: 2 });
    expect((await get(good)).status).toBe(1);
    const disabled = await get(bad);
    expect(disabled.status).toBe(3);
    expect(JSON.parse(disabled.other_info)).toMatchObject({ status_reason: expect.stringContaining('401') });
    expect((await get(kept)).status).toBe(1);
    expect((await get(byHand)).status).toBe(2);

    // The provider has forgiven it: the next test run brings it back.
    await admin.expectSuccess('PUT', '/api/channel/', { id: bad, models: 'fx-quick' });
    await admin.expectSuccess('GET', '/api/channel/test/');
    await finished('test');
    expect(await get(bad)).toMatchObject({ status: 1, other_info: '' });
  });

  it('runs one test of all channels at a time [CHAN-114]', async () => {
    await create();
    const release = upstream.holdAnswers();
    await admin.expectSuccess('GET', '/api/channel/test');
    expect((await admin.get('/api/channel/test')).body).toMatchObject({
      success: false,
      code: 'channel_test_running',
    });
    release();
    await finished('test');
    await admin.expectSuccess('GET', '/api/channel/test');
    await finished('test');
  });

  it('fetches model lists of stored channels for administrators, and of typed ones, to addresses that a stored one could have [CHAN-102]', async () => {
    upstream.models = ['m-1', 'm-2'];
    const id = await create();
    expect(await admin.expectSuccess('GET', `/api/channel/fetch_models/${id}/`)).toEqual(['m-1', 'm-2']);
    const typed = { base_url: `${upstream.url}/`, type: 1, key: 'sk-typed\nsk-second' };
    for (const client of [admin, root])
      expect(await client.expectSuccess('POST', '/api/channel/fetch_models', typed)).toEqual(['m-1', 'm-2']);
    expect(upstream.journal.at(-1)?.headers.authorization).toBe('Bearer sk-typed');
    for (const part of [
      { type: 999 },
      { base_url: 'http://127.0.0.1:6379' },
      { base_url: 'http://169.254.169.254' },
      { base_url: 'file:///etc/passwd' },
    ]) {
      for (const client of [admin, root])
        expect((await client.post('/api/channel/fetch_models', { ...typed, ...part })).body.success).toBe(
          false,
        );
    }
    expect((await admin.get('/api/channel/fetch_models/999999')).body).toMatchObject({ code: 'not_found' });
  });

  it('reads balances, one at once and all in the background; an empty one switches off when that is allowed', async () => {
    const limits = new Map([
      ['Bearer sk-rich', 100],
      ['Bearer sk-poor', 1],
    ]);
    upstream.on('', (exchange) => {
      const isUsage = exchange.entry.path.includes('/usage');
      const limit = limits.get(exchange.entry.headers.authorization ?? '');
      sendJson(
        exchange,
        limit === undefined ? 401 : 200,
        limit === undefined
          ? { error: { message: 'Account 4711 is closed (key sk-refused)' } }
          : isUsage
            ? { total_usage: 250 }
            : { hard_limit_usd: limit },
      );
    });
    await root.expectSuccess('PUT', '/api/option/', { key: 'AutomaticDisableChannelEnabled', value: true });
    const rich = await create({ key: 'sk-rich', base_url: `${upstream.url}/v1` });
    const poor = await create({ key: 'sk-poor' });
    const refused = await create({ key: 'sk-refused' });
    const reply = await admin.get(`/api/channel/update_balance/${rich}/`);
    expect(reply.body).toMatchObject({ success: true, balance: 97.5 }); // 100 − 250 ÷ 100
    expect(await get(rich)).toMatchObject({ balance: 97.5, balance_updated_time: expect.any(Number) });
    expect((await admin.get(`/api/channel/update_balance/${refused}`)).body).toMatchObject({
      code: 'channel_balance_refused',
      message:
        'The provider did not answer with a balance: The provider answered 401: Account 4711 is closed (key ***)',
    });
    const other = await create({ type: 31, base_url: '' });
    expect((await admin.get(`/api/channel/update_balance/${other}`)).body).toMatchObject({
      code: 'channel_balance_unsupported',
    });
    await admin.expectSuccess('GET', '/api/channel/update_balance');
    expect(await finished('balance')).toMatchObject({ total: 3, failed: 1 });
    expect(await get(poor)).toMatchObject({ status: 3, balance: -1.5 });
    const { items } = await root.expectSuccess<{ items: { target_id: string; detail: string }[] }>(
      'GET',
      '/api/audit?action=channel.auto-off',
    );
    const told = items.filter(({ target_id }) => target_id === String(poor)).map(({ detail }) => detail);
    expect(told).toEqual([expect.stringContaining('it says -1.50 US dollars')]);
    expect((await get(rich)).status).toBe(1);
  });
});
