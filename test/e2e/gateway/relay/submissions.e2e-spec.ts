import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { RelayClient, type RelayAnswer } from '../../../support/relay-client.js';
import { TaskVendor } from '../../../support/task-vendor.js';

/** Dollars per call, and the quota they are at 500,000 a dollar. */
const PRICES = {
  mj_imagine: 0.1,
  mj_shorten: 0.1,
  mj_upscale: 0.05,
  mj_modal: 0,
  mj_reroll: 0.1,
  suno_music: 0.2,
};
const IMAGINE_QUOTA = 50_000;
const UPSCALE_QUOTA = 25_000;
const MUSIC_QUOTA = 100_000;
const MIDJOURNEY = 2;
const SUNO = 36;

interface Drawing {
  readonly mj_id: string;
  readonly action: string;
  readonly status: string;
  readonly quota: number;
  readonly channel_id: number;
  readonly prompt: string;
  readonly code: number;
}

let gateway: GatewayProcess;
let admin: GatewayConsole;
let first: TaskVendor;
let second: TaskVendor;
let songs: TaskVendor;
let client: RelayClient;
let key: string;
let firstId: number;
let secondId: number;
let lastTask = 0;

const nextTask = (): string => `task-${(lastTask += 1)}`;
const accepted = (result: string, code = 1) => ({ code, description: 'ok', result, properties: {} });
const submit = (path: string, body: unknown, headers?: Record<string, string>): Promise<RelayAnswer> =>
  client.ask({ path, body, ...(headers === undefined ? {} : { headers }) });
const bodyOf = (answer: RelayAnswer) => JSON.parse(answer.text) as Record<string, unknown>;
const usedQuota = async (): Promise<number> =>
  (await admin.send<{ used_quota: number }>('GET', '/api/user/self')).used_quota;

/** The record of a task, as soon as its charge is booked. */
async function drawing(id: string): Promise<Drawing> {
  const rows = await admin.waitFor(
    () => admin.send<Drawing[]>('GET', `/api/mj/?p=0&mj_id=${id}`),
    (found) => found.length > 0,
  );
  return rows[0] as Drawing;
}

/** The record of a song, as soon as its charge is booked. */
const song = (id: string): Promise<object[]> =>
  admin.waitFor(
    () => admin.send<object[]>('GET', `/api/task/?p=0&task_id=${id}`),
    (found) => found.length > 0,
  );

beforeAll(async () => {
  [first, second, songs] = await Promise.all([TaskVendor.start(), TaskVendor.start(), TaskVendor.start()]);
  gateway = await GatewayProcess.start({ env: { UPDATE_TASK: 'false' } });
  admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions({ ModelPrice: PRICES, RetryTimes: 1 });
  ({ key } = await admin.addToken());
  client = new RelayClient(gateway.url, key);
  const models = Object.keys(PRICES).filter((model) => model !== 'suno_music');
  firstId = await admin.addChannel({
    type: MIDJOURNEY,
    base_url: first.url,
    models,
    priority: 10,
    key: 'key-1',
  });
  secondId = await admin.addChannel({ type: 5, base_url: second.url, models, priority: 1, key: 'key-2' });
  await admin.addChannel({ type: SUNO, base_url: songs.url, models: ['suno_music'], key: 'key-3' });
});

beforeEach(() => {
  for (const vendor of [first, second, songs]) vendor.asked.length = 0;
  first.answer = () => accepted(nextTask());
  second.answer = () => accepted(nextTask());
});

afterAll(async () => {
  client?.close();
  await gateway?.stop();
  await Promise.all([first, second, songs].map((vendor) => vendor?.close()));
});

describe('drawings', () => {
  it('a submission is charged once, at the price of its action, and has a record', async () => {
    const before = await usedQuota();
    const id = nextTask();
    first.answer = () => accepted(id);
    const answer = await submit('/mj/submit/imagine', { prompt: 'a cat', state: 'mine' });
    expect(answer.status).toBe(200);
    expect(bodyOf(answer)).toEqual(accepted(id));
    expect(first.asked).toMatchObject([
      { path: '/mj/submit/imagine', body: { prompt: 'a cat', state: 'mine' } },
    ]);
    expect(first.asked[0]?.headers).toMatchObject({ 'mj-api-secret': 'key-1' });
    expect(first.asked[0]?.headers['authorization']).toBeUndefined();
    expect(await drawing(id)).toMatchObject({
      action: 'IMAGINE',
      status: 'SUBMITTED',
      quota: IMAGINE_QUOTA,
      channel_id: firstId,
      prompt: 'a cat',
      code: 1,
      state: 'mine',
      progress: '0%',
      image_url: '',
    });
    expect((await usedQuota()) - before).toBe(IMAGINE_QUOTA);
    const logs = await admin.send<{ items: { content: string; quota: number }[] }>(
      'GET',
      `/api/log/?type=2&model_name=mj_imagine&p=1&page_size=10`,
    );
    expect(logs.items[0]).toMatchObject({
      quota: IMAGINE_QUOTA,
      content: expect.stringContaining(`task ${id}`),
    });
  });

  it('serves the same address behind a mode; takes the key in a header of its own', async () => {
    const other = new RelayClient(gateway.url, 'midjourney-proxy');
    const answer = await other.ask({
      path: '/mj-fast/mj/submit/imagine',
      body: { prompt: 'a dog --fast' },
      headers: { 'mj-api-secret': key },
    });
    other.close();
    expect(answer.status).toBe(200);
    expect(first.asked[0]).toMatchObject({ path: '/mj/submit/imagine', body: { prompt: 'a dog --fast' } });
  });

  it('follows the operator’s switches in requests to the vendor', async () => {
    const body = { prompt: 'a cat --turbo now --fast', notifyHook: 'https://me.example/', accountFilter: {} };
    await submit('/mj/submit/imagine', body);
    expect(first.asked[0]?.body).toEqual({ prompt: 'a cat --turbo now --fast' });
    await admin.setOptions({ MjModeClearEnabled: true, MjNotifyEnabled: true, MjAccountFilterEnabled: true });
    await submit('/mj/submit/imagine', body);
    expect(first.asked[1]?.body).toEqual({ ...body, prompt: 'a cat now' });
    await admin.setOptions({
      MjModeClearEnabled: false,
      MjNotifyEnabled: false,
      MjAccountFilterEnabled: false,
    });
  });

  it('reports a queued task as accepted, and charges it', async () => {
    const id = nextTask();
    first.answer = () => accepted(id, 22);
    expect(bodyOf(await submit('/mj/submit/imagine', { prompt: 'x' }))).toMatchObject({
      code: 1,
      result: id,
    });
    expect(await drawing(id)).toMatchObject({ code: 22, quota: IMAGINE_QUOTA });
  });

  it.each([
    [24, 400, 1, 0],
    [4, 400, 1, 0],
    [23, 400, 1, 1],
    [30, 429, 1, 1],
    // With a model of its own: a busy channel is left alone for a while.
  ])('code %d is answered with %d and costs nothing', async (code, status, asked, askedElsewhere) => {
    const before = await usedQuota();
    for (const vendor of [first, second]) vendor.answer = () => ({ code, description: `no, ${vendor.url}` });
    const answer = await submit('/mj/submit/shorten', { prompt: 'x' });
    expect(answer.status).toBe(status);
    expect(bodyOf(answer)).toMatchObject({ code, type: 'upstream_error', description: expect.any(String) });
    expect(answer.text).not.toContain('127.0.0.1');
    expect([first.asked.length, second.asked.length]).toEqual([asked, askedElsewhere]);
    expect(await usedQuota()).toBe(before);
  });

  it('continues only with the account that drew it, whatever is preferred', async () => {
    first.answer = () => ({ status: 500 });
    const id = nextTask();
    second.answer = () => accepted(id);
    expect((await submit('/mj/submit/imagine', { prompt: 'x' })).status).toBe(200);
    expect(await drawing(id)).toMatchObject({ channel_id: secondId });
    await admin.setOptions({ MjActionCheckSuccessEnabled: false });
    first.answer = () => accepted(nextTask());
    const next = nextTask();
    second.answer = () => accepted(next);
    const answer = await submit('/mj/submit/change', { taskId: id, action: 'UPSCALE', index: 2 });
    expect(bodyOf(answer)).toMatchObject({ code: 1, result: next });
    expect(second.asked.at(-1)).toMatchObject({
      path: '/mj/submit/change',
      body: { taskId: id, action: 'UPSCALE', index: 2 },
    });
    expect(await drawing(next)).toMatchObject({
      channel_id: secondId,
      action: 'UPSCALE',
      quota: UPSCALE_QUOTA,
    });
    await admin.setOptions({ MjActionCheckSuccessEnabled: true });
  });

  it('an unfinished drawing is not gone on from; a window is', async () => {
    const id = nextTask();
    first.answer = () => accepted(id);
    await submit('/mj/submit/imagine', { prompt: 'x' });
    const refused = await submit('/mj/submit/change', { taskId: id, action: 'REROLL', index: 1 });
    expect(refused.status).toBe(400);
    expect(bodyOf(refused)).toMatchObject({ code: 4, description: expect.any(String) });
    expect((await submit('/mj/submit/modal', { taskId: id, prompt: 'y' })).status).toBe(200);
  });

  it('continues no drawing of another account', async () => {
    const id = nextTask();
    first.answer = () => accepted(id);
    await submit('/mj/submit/imagine', { prompt: 'x' });
    await drawing(id);
    await admin.send('POST', '/api/user/', { username: 'stranger', password: 'correct horse battery' });
    const stranger = new GatewayConsole(gateway.url);
    await stranger.signIn('stranger');
    const theirs = new RelayClient(gateway.url, (await stranger.addToken()).key);
    const answer = await theirs.ask({ path: '/mj/submit/modal', body: { taskId: id, prompt: 'y' } });
    theirs.close();
    expect(answer.status).toBe(400);
    expect(first.asked).toHaveLength(1);
  });

  it('charges a caller that left before the answer for the begun work, and keeps its record', async () => {
    const id = nextTask();
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    first.answer = () => held.then(() => accepted(id));
    const asked = first.next();
    const { request } = client.open({ path: '/mj/submit/imagine', body: { prompt: 'x' } });
    request.on('error', () => undefined);
    await asked;
    request.destroy();
    release();
    expect(await drawing(id)).toMatchObject({ quota: IMAGINE_QUOTA });
  });

  it('refuses a body that names nothing to draw before any request', async () => {
    const answer = await submit('/mj/submit/imagine', { prompt: '' });
    expect(answer.status).toBe(400);
    expect(bodyOf(answer)).toMatchObject({ code: 4, description: expect.stringContaining("'prompt'") });
    expect(first.asked).toHaveLength(0);
  });
});

describe('what a key may not do it may not do here either', () => {
  const ask = async (credential: string, prompt = 'x') => {
    const other = new RelayClient(gateway.url, credential);
    const answer = await other.ask({ path: '/mj/submit/imagine', body: { prompt } });
    other.close();
    return { status: answer.status, description: bodyOf(answer)['description'], asked: first.asked.length };
  };

  it('another model than the key allows [TOK-04]', async () => {
    const narrow = await admin.addToken({ model_limits_enabled: true, model_limits: 'mj_upscale' });
    expect(await ask(narrow.key)).toEqual({
      status: 403,
      asked: 0,
      description: expect.stringContaining('mj_imagine'),
    });
  });

  it('refuses another address than the key allows [TOK-05]', async () => {
    const far = await admin.addToken({ allow_ips: '203.0.113.0/24' });
    expect(await ask(far.key)).toMatchObject({ status: 403, asked: 0 });
  });

  it('a limited token pays from its own quota, and not beyond it', async () => {
    const limited = await admin.addToken({ unlimited_quota: false, remain_quota: IMAGINE_QUOTA + 1 });
    expect(await ask(limited.key)).toMatchObject({ status: 200, asked: 1 });
    expect(await ask(limited.key)).toMatchObject({ status: 403, asked: 1 });
  });

  it('refuses forbidden words [RLY-06]', async () => {
    await admin.setOptions({
      CheckSensitiveEnabled: true,
      CheckSensitiveOnPromptEnabled: true,
      SensitiveWords: 'unspeakable',
    });
    expect(await ask(key, 'an unspeakable cat')).toMatchObject({ status: 400, asked: 0 });
    await admin.setOptions({ SensitiveWords: '' });
  });

  it('no key at all', async () => {
    const answer = await fetch(`${gateway.url}/mj/submit/imagine`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"prompt":"x"}',
    });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 4, description: expect.any(String) });
  });
});

describe('channels of tasks', () => {
  it('tests none of them, by hand or in rounds: a test would be drawn, and paid', async () => {
    const answer = await admin.sendRaw('GET', `/api/channel/test/${firstId}`);
    expect(answer).toMatchObject({ success: false, message: expect.stringContaining('cannot be tested') });
    await admin.send('GET', '/api/channel/test');
    await admin.waitFor(
      () => admin.send<{ running: boolean }>('GET', '/api/channel/job/test'),
      ({ running }) => !running,
    );
    expect(first.asked).toHaveLength(0);
    expect(await admin.send('GET', `/api/channel/${firstId}`)).toMatchObject({ status: 1 });
  });
});

describe('songs', () => {
  it('submits them with the usual voice, charges them, and goes on with the account they began with', async () => {
    songs.answer = () => ({ code: 'success', message: '', data: 'song-1' });
    const answer = await submit('/suno/submit/MUSIC', { gpt_description_prompt: 'rain' });
    expect(answer.status).toBe(200);
    expect(bodyOf(answer)).toEqual({ code: 'success', message: '', data: 'song-1' });
    expect(songs.asked[0]).toMatchObject({
      path: '/suno/submit/MUSIC',
      body: { gpt_description_prompt: 'rain', mv: 'chirp-v3-0' },
      headers: { authorization: 'Bearer key-3' },
    });
    const rows = await song('song-1');
    expect(rows[0]).toMatchObject({
      platform: 'suno',
      action: 'MUSIC',
      status: 'SUBMITTED',
      quota: MUSIC_QUOTA,
      properties: { input: 'rain' },
    });
    songs.answer = () => ({ code: 'success', message: '', data: 'song-2' });
    const next = await submit('/suno/submit/MUSIC', {
      task_id: 'song-1',
      continue_clip_id: 'c',
      continue_at: 9,
    });
    expect(bodyOf(next)).toMatchObject({ data: 'song-2' });
    expect(await song('song-2')).toHaveLength(1);
  });

  it('charges nothing for a refusal, and reports it in the words of this protocol', async () => {
    const before = await usedQuota();
    songs.answer = () => ({ code: 'fail', message: 'too long' });
    const answer = await submit('/suno/submit/MUSIC', { prompt: 'x' });
    expect(answer.status).toBe(400);
    expect(bodyOf(answer)).toMatchObject({ message: expect.stringContaining('too long'), data: null });
    expect(await usedQuota()).toBe(before);
  });

  it('an unknown task is refused', async () => {
    expect((await submit('/suno/submit/DANCE', { prompt: 'x' })).status).toBe(404);
  });
});
