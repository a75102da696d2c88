import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { RealtimeClient } from './realtime-client.js';
import { say, ScriptedRealtime, type VendorSession } from './scripted-realtime.js';

/** Attacks on the money of realtime sessions: a plain key on one side, any vendor on the other. */
const MODEL = 'gpt-realtime-mini';
const SCRIBE = 'gpt-4o-transcribe';
const UNPRICED = 'unpriced-transcribe';
const SECOND = 48_000;
const RATIO = 2;

let app: TestApp;
let vendor: ScriptedRealtime;
let admin: GatewayConsole;
let users = 0;

beforeAll(async () => {
  vendor = await ScriptedRealtime.start();
  app = await startTestApp();
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions({
    ModelRatio: { [MODEL]: RATIO, [SCRIBE]: 10 * RATIO },
    CompletionRatio: { [MODEL]: 4, [SCRIBE]: 4 },
    AudioRatio: { [MODEL]: 1, [SCRIBE]: 1 },
    AudioCompletionRatio: { [MODEL]: 1, [SCRIBE]: 1 },
  });
  await admin.addChannel({ base_url: vendor.url, models: [MODEL, SCRIBE, UNPRICED] });
});
afterAll(async () => {
  await app?.close();
  await vendor?.close();
});
beforeEach(() => {
  vendor.script = () => undefined;
});

interface Account {
  readonly console: GatewayConsole;
  readonly key: string;
  readonly quota: number;
}

async function account(quota = 100_000_000, token: Record<string, unknown> = {}): Promise<Account> {
  users += 1;
  const console = await admin.addUser(`caller${users}`, quota);
  return { console, key: (await console.addToken(token)).key, quota };
}

interface LogLine {
  readonly quota: number;
  readonly model_name: string;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly other: string;
}

/** The lines of an account's usage log, once there are so many. */
async function linesOf({ console }: Account, least = 1): Promise<readonly LogLine[]> {
  const { items } = await console.waitFor(
    () => console.send<{ items: LogLine[] }>('GET', '/api/log/self/?p=1&page_size=100&type=2'),
    (page) => page.items.length >= least,
  );
  return items;
}

async function leave(client: RealtimeClient): Promise<void> {
  client.socket.terminate();
  await vendor.until(() => vendor.last.closed !== undefined);
}

const words = (count: number): string => 'word '.repeat(count);
const sound = (bytes: number): string => Buffer.alloc(bytes).toString('base64');
const item = (...content: object[]): object => ({
  type: 'conversation.item.create',
  item: { type: 'message', role: 'user', content },
});
const text = (said: string): object => ({ type: 'input_text', text: said });
const append = (seconds: number): object => ({
  type: 'input_audio_buffer.append',
  audio: sound(SECOND * seconds),
});
const CREATE = { type: 'response.create' };

/** A response with these figures; the output is what came. */
function answer(session: VendorSession, id: string, usage: unknown, delta = 'Hello there.'): void {
  say(session, { type: 'response.created', response: { id } });
  if (delta !== '') say(session, { type: 'response.output_text.delta', response_id: id, delta });
  say(session, { type: 'response.done', response: { id, status: 'completed', output: [], usage } });
}

describe('a realtime session holds before the vendor begins to work', () => {
  it('refuses a response that the account cannot pay, and the session stays', async () => {
    const poor = await account(65_000);
    let responses = 0;
    vendor.script = (session, frame) => {
      if (frame.type !== 'response.create') return;
      responses += 1;
      answer(session, `resp_${responses}`, { input_tokens: 30_000, output_tokens: 3 });
    };
    const client = await RealtimeClient.open(app.url, MODEL, poor.key);
    client.send(item(text(words(30_000))));
    for (let asked = 0; asked < 100; asked += 1)
      client.send({ type: 'response.create', response: { conversation: 'none' } });
    client.send({ type: 'last' });
    await vendor.until(() => vendor.last.frames.at(-1)?.includes('"last"') === true);
    await client.until(() => client.of('response.done').length + client.errors.length >= 100);
    expect(client.closed).toBeUndefined();
    const delivered = client.of('response.done').length;
    await leave(client);
    if (delivered > 0) await linesOf(poor);
    expect(delivered * 30_000 * RATIO).toBeLessThanOrEqual(poor.quota);
    expect(client.errors.length).toBeGreaterThanOrEqual(98);
    expect(client.of('error')[0]).toMatchObject({ error: { code: 'insufficient_user_quota' } });
  });

  it('holds for every open response at once', async () => {
    const poor = await account(130_000);
    vendor.script = (session, frame) => {
      if (frame.type === 'response.create')
        say(session, { type: 'response.created', response: { id: `r${session.frames.length}` } });
    };
    const client = await RealtimeClient.open(app.url, MODEL, poor.key);
    client.send(item(text(words(15_000))));
    for (let asked = 0; asked < 10; asked += 1) client.send(CREATE);
    await client.until(() => client.of('response.created').length + client.errors.length >= 10);
    expect(client.of('response.created').length).toBeLessThanOrEqual(2);
    await leave(client);
  });
});

describe('a realtime session charges for work that was cut', () => {
  it('charges transcripts whose end the client did not wait for', async () => {
    const caller = await account();
    vendor.script = (session, frame) => {
      if (frame.type !== 'input_audio_buffer.commit') return;
      const id = `item_${session.frames.length}`;
      say(session, { type: 'input_audio_buffer.committed', item_id: id });
      say(session, {
        type: 'conversation.item.input_audio_transcription.delta',
        item_id: id,
        delta: words(600),
      });
    };
    const client = await RealtimeClient.open(app.url, MODEL, caller.key);
    client.send({ type: 'session.update', session: { input_audio_transcription: { model: MODEL } } });
    for (let turn = 0; turn < 10; turn += 1) {
      client.send(append(60));
      client.send({ type: 'input_audio_buffer.commit' });
    }
    const delta = 'conversation.item.input_audio_transcription.delta';
    await client.until(() => client.of(delta).length === 10, 20_000);
    await leave(client);
    const [line] = await linesOf(caller);
    // 10 minutes at 1,000 tokens, and 6,000 words at 4 times the price.
    expect(line?.quota).toBe((10 * 1_000 + 6_000 * 4) * RATIO);
  });

  it('charges the input of a response that was cut before its first event', async () => {
    const caller = await account();
    const client = await RealtimeClient.open(app.url, MODEL, caller.key);
    client.send(item(text(words(1_000))));
    client.send(CREATE);
    await vendor.until(() => vendor.last.frames.length === 2);
    await leave(client);
    const [line] = await linesOf(caller);
    expect(line?.quota).toBe(1_000 * RATIO);
  });
});

describe('a realtime session believes reports within bounds', () => {
  const TRANSCRIBED = 'conversation.item.input_audio_transcription.completed';
  const transcript = (session: VendorSession, id: string, usage: object, said = 'a'): void =>
    say(session, { type: TRANSCRIBED, item_id: id, transcript: said, usage });
  const HUGE = { type: 'tokens', input_tokens: 100_000, output_tokens: 60_000 };

  it('charges transcripts without audio for their text alone', async () => {
    const caller = await account();
    vendor.script = (session) => {
      for (let number = 0; number < 5; number += 1) transcript(session, `i${number}`, HUGE);
    };
    const client = await RealtimeClient.open(app.url, MODEL, caller.key);
    client.send({ type: 'x' });
    await client.until(() => client.of(TRANSCRIBED).length === 5);
    await leave(client);
    const [line] = await linesOf(caller);
    expect(line?.quota).toBe(5 * 4 * RATIO);
  });

  it('charges an item that is reported five times once', async () => {
    const caller = await account();
    vendor.script = (session, frame) => {
      if (frame.type !== 'input_audio_buffer.commit') return;
      say(session, { type: 'input_audio_buffer.committed', item_id: 'i' });
      for (let number = 0; number < 5; number += 1)
        transcript(session, 'i', { type: 'tokens', input_tokens: 600, output_tokens: 10 }, words(10));
    };
    const client = await RealtimeClient.open(app.url, MODEL, caller.key);
    client.send({ type: 'session.update', session: { input_audio_transcription: { model: MODEL } } });
    client.send(append(60));
    client.send({ type: 'input_audio_buffer.commit' });
    await client.until(() => client.of(TRANSCRIBED).length === 5);
    await leave(client);
    const [line] = await linesOf(caller);
    expect(line?.quota).toBe((600 + 40) * RATIO);
  });

  it.each([
    [
      'a failed response without output',
      { status: 'failed', usage: { input_tokens: 1_000_000, output_tokens: 0 } },
    ],
    ['a response that says "a"', { status: 'completed', usage: { input_tokens: 5, output_tokens: 60_000 } }],
  ])('charges no more than the request allows for %s', async (_name, done) => {
    const caller = await account();
    vendor.script = (session, frame) => {
      if (frame.type !== 'response.create') return;
      say(session, { type: 'response.created', response: { id: 'r' } });
      if (done.status === 'completed')
        say(session, { type: 'response.output_text.delta', response_id: 'r', delta: 'a' });
      say(session, { type: 'response.done', response: { id: 'r', ...done } });
    };
    const client = await RealtimeClient.open(app.url, MODEL, caller.key);
    client.send(item(text(words(5))));
    client.send(CREATE);
    await client.until(() => client.of('response.done').length === 1);
    await leave(client);
    const [line] = await linesOf(caller);
    expect(line?.quota).toBe((5 + (done.status === 'completed' ? 4 : 0)) * RATIO);
  });

  it('charges responses without a request by their received output', async () => {
    const caller = await account();
    vendor.script = (session) => {
      for (let number = 0; number < 50; number += 1)
        answer(session, `r${number}`, { input_tokens: 16_000, output_tokens: 1_000 }, 'a');
    };
    const client = await RealtimeClient.open(app.url, MODEL, caller.key);
    client.send({ type: 'x' });
    await client.until(() => client.of('response.done').length === 50);
    await leave(client);
    const [line] = await linesOf(caller);
    expect(line?.quota).toBe(50 * 4 * RATIO);
  });
});

describe('a realtime session prices transcription by the model that transcribes', () => {
  const update = (model: string): object => ({
    type: 'session.update',
    session: { audio: { input: { transcription: { model } } } },
  });
  const TRANSCRIBED = 'conversation.item.input_audio_transcription.completed';

  it('charges it by its own name, in a line of its own', async () => {
    const caller = await account();
    vendor.script = (session, frame) => {
      if (frame.type !== 'input_audio_buffer.commit') return;
      say(session, { type: 'input_audio_buffer.committed', item_id: 'i' });
      say(session, {
        type: TRANSCRIBED,
        item_id: 'i',
        transcript: words(100),
        usage: { type: 'tokens', input_tokens: 125, output_tokens: 100 },
      });
    };
    const client = await RealtimeClient.open(app.url, MODEL, caller.key);
    client.send(update(SCRIBE));
    client.send(append(10));
    client.send({ type: 'input_audio_buffer.commit' });
    await client.until(() => client.of(TRANSCRIBED).length === 1);
    await leave(client);
    const [line] = await linesOf(caller);
    expect(line).toMatchObject({ model_name: SCRIBE, quota: (125 + 400) * 10 * RATIO });
  });

  it.each([
    ['without a price', UNPRICED, {}, /price of model unpriced-transcribe is not set/],
    [
      'that the key may not call',
      SCRIBE,
      { model_limits_enabled: true, model_limits: MODEL },
      /may not use model/,
    ],
    ['that no channel serves', 'unknown-transcribe', {}, /No available channel/],
  ])('refuses a model %s, and the session stays', async (_name, model, token, message) => {
    const caller = await account(undefined, token);
    const client = await RealtimeClient.open(app.url, MODEL, caller.key);
    client.send(update(model));
    client.send({ type: 'x' });
    await vendor.until(() => vendor.last.frames.length === 1);
    expect(vendor.last.frames[0]).toContain('"x"');
    await client.until(() => client.errors.length === 1);
    expect(client.errors[0]).toMatch(message);
    expect(client.closed).toBeUndefined();
    await leave(client);
  });
});

describe('a realtime session counts its responses and transcripts as requests', () => {
  it('refuses a response above the limit, and the session stays', async () => {
    const caller = await account();
    await admin.setOptions({
      ModelRequestRateLimitEnabled: true,
      ModelRequestRateLimitDurationMinutes: 1,
      ModelRequestRateLimitCount: 10,
      ModelRequestRateLimitSuccessCount: 1_000,
    });
    try {
      vendor.script = (session, frame) => {
        if (frame.type === 'response.create')
          answer(session, `r${session.frames.length}`, { input_tokens: 1, output_tokens: 3 });
      };
      const client = await RealtimeClient.open(app.url, MODEL, caller.key);
      for (let asked = 0; asked < 60; asked += 1) client.send(CREATE);
      await client.until(() => client.of('response.done').length + client.errors.length === 60);
      // The session itself was one.
      expect(client.of('response.done')).toHaveLength(9);
      expect(client.errors[0]).toMatch(/10 requests in 1 minute/);
      expect(client.closed).toBeUndefined();
      await leave(client);
    } finally {
      await admin.setOptions({ ModelRequestRateLimitEnabled: false });
    }
  });
});
