import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { ID_FIELDS } from '../../../../server/relay-core/pipeline/reply/stored-ids.js';
import { StoredIdLedger } from '../../../../server/gateway/relay/stored-ids/stored-id-ledger.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { MEDIA_PRICES } from '../media/media.fixture.js';
import { say, ScriptedRealtime } from './scripted-realtime.js';

/** Ids that clients of a session may name of objects the vendor keeps. */
const MODEL = 'gpt-realtime';
const OPEN_MODEL = 'open-realtime';
const LAST = 'all.heard';

const session = (members: object): object => ({ type: 'session.update', session: members });
const response = (members: object): object => ({ type: 'response.create', response: members });
const item = (members: object): object => ({ type: 'conversation.item.create', item: members });

type Event = (id: string) => object | string;
/** OpenAI: https://platform.openai.com/docs/api-reference/realtime-client-events (read 2026-11-25). */
const SHAPES: Readonly<Record<string, Event>> = {
  'session.prompt.id': (id) => session({ prompt: { id, version: '1' } }),
  'a voice of the session': (id) => session({ audio: { output: { voice: { id } } } }),
  'a voice in earlier sessions': (id) => session({ voice: { id } }),
  'a container of a tool': (id) => session({ tools: [{ type: 'code_interpreter', container: id }] }),
  'a vector store of a tool': (id) => session({ tools: [{ type: 'file_search', vector_store_ids: [id] }] }),
  'a tunnel of a tool': (id) => session({ tools: [{ type: 'mcp', server_label: 's', tunnel_id: id }] }),
  'response.prompt.id': (id) => response({ prompt: { id } }),
  'response.conversation': (id) => response({ conversation: id }),
  'response.conversation.id': (id) => response({ conversation: { id } }),
  'a voice as a text': (id) => response({ audio: { output: { voice: id } } }),
  'a voice of a response': (id) => response({ audio: { output: { voice: { id } } } }),
  'a file in the input of a response': (id) =>
    response({ input: [{ type: 'message', role: 'user', content: [{ type: 'input_file', file_id: id }] }] }),
  'a picture of an item': (id) => item({ type: 'message', content: [{ type: 'input_image', file_id: id }] }),
  'a key with escapes': (id) => `{"type":"session.update","session":{"pr\\u006fmpt":{"id":"${id}"}}}`,
  'a value with escapes': (id) =>
    `{"type":"session.update","session":{"prompt":{"id":"\\u${hex(id)}${id.slice(1)}"}}}`,
  'a member given twice': (id) =>
    `{"type":"session.update","session":{"prompt":{"id":"${id}"},"prompt":{"version":"1"}}}`,
  'a type of its own': (id) => ({ type: 'made.up', deep: [[{ prompt: { id } }]] }),
  'a list of events': (id) => [session({ prompt: { id } })],
};
const hex = (id: string): string => id.charCodeAt(0).toString(16).padStart(4, '0');
const EVENTS: Readonly<Record<string, Event>> = {
  ...SHAPES,
  ...Object.fromEntries(
    Object.keys(ID_FIELDS).flatMap((member): [string, Event][] => [
      [`session: ${member}`, (id) => session({ tools: [{ a: { [member]: id } }] })],
      [`response: ${member}`, (id) => response({ input: { a: [{ [member]: [id] }] } })],
      [`item: ${member}`, (id) => item({ content: [{ [member]: id }] })],
    ]),
  ),
};
/** Some members hold only names of one form. */
const PREFIXES: readonly (readonly [RegExp, string])[] = [
  [/uri/i, 'files/'],
  [/skill/, 'skill_'],
  [/engine/, 'projects/'],
  [/voice as a text/, 'voice_'],
];
const idFor = (name: string, serial: number): string =>
  `${PREFIXES.find(([member]) => member.test(name))?.[1] ?? 'kept_'}${serial}`;
const CASES = Object.entries(EVENTS).flatMap(([name, event]) =>
  [false, true].map((binary) => ({ name, event, form: binary ? 'binary' : 'text', binary })),
);

let app: TestApp;
let vendor: ScriptedRealtime;
let key: string;
let account: number;
let channelId: number;
let serial = 0;

beforeAll(async () => {
  vendor = await ScriptedRealtime.start();
  vendor.script = (heard, frame) => {
    if (frame.type === LAST) say(heard, { type: LAST });
  };
  app = await startTestApp();
  const admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions({ ...MEDIA_PRICES, ModelRatio: { ...MEDIA_PRICES.ModelRatio, [OPEN_MODEL]: 1 } });
  channelId = await admin.addChannel({ base_url: vendor.url, models: [MODEL] });
  await admin.addChannel({
    base_url: vendor.url,
    models: [OPEN_MODEL],
    settings: '{"allow_foreign_ids":true}',
  });
  ({ key } = await admin.addToken());
  ({ id: account } = await admin.send<{ id: number }>('GET', '/api/user/self'));
});
afterAll(async () => {
  await app?.close();
  await vendor?.close();
});

interface Heard {
  /** Error events the client got. */
  readonly errors: readonly Readonly<Record<string, unknown>>[];
  readonly frames: readonly string[];
}

/** Sends the frames in one go, and waits until what was sent last has come back. */
async function hear(frames: readonly string[], binary: boolean, model = MODEL): Promise<Heard> {
  const url = `${app.url.replace(/^http/, 'ws')}/v1/realtime?model=${model}`;
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
  const errors: Readonly<Record<string, unknown>>[] = [];
  const isDone = new Promise<void>((resolve, reject) => {
    socket.on('message', (data: Buffer) => {
      const event = JSON.parse(data.toString()) as { type: string; error: Record<string, unknown> };
      if (event.type === 'error') errors.push(event.error);
      if (event.type === LAST) resolve();
    });
    socket.on('close', () => reject(new Error('the session ended')));
  });
  await once(socket, 'message');
  for (const frame of [...frames, JSON.stringify({ type: LAST })]) socket.send(frame, { binary });
  await isDone;
  const seen = vendor.last.frames.slice(0, -1);
  socket.removeAllListeners('close');
  socket.terminate();
  return { errors, frames: seen };
}

const asText = (event: object | string): string =>
  typeof event === 'string' ? event : JSON.stringify(event);
const record = (id: string, at: number): Promise<void> =>
  app.app
    .get(StoredIdLedger, { strict: false })
    .record(account, [id], { channelId: at, channelType: 1, baseUrl: vendor.url, credential: `key ${at}` });
const DELTA = JSON.stringify({ type: 'input_audio_buffer.append', audio: 'AAAA' });

describe.each(CASES)('$name, as $form', ({ name, event, binary }) => {
  const next = (): string => idFor(name, (serial += 1));

  it('refuses an id that was never issued as not found, continues, and sends none of it to the vendor', async () => {
    const id = next();
    const { errors, frames } = await hear([DELTA, asText(event(id)), DELTA], binary);
    expect(errors).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/not found\./),
        type: 'invalid_request_error',
      }),
    ]);
    expect(frames).toEqual([DELTA, DELTA]);
  });

  it('passes it on for the account it was handed out to, in its turn, to where it is kept', async () => {
    const id = next();
    await record(id, channelId);
    const sent = [DELTA, asText(event(id)), DELTA, asText(event(id)), DELTA];
    expect(await hear(sent, binary)).toEqual({ errors: [], frames: sent });
  });

  it('refuses one that is kept elsewhere', async () => {
    const id = next();
    await record(id, channelId + 100);
    const { errors, frames } = await hear([asText(event(id))], binary);
    expect(errors).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/is kept at an upstream that is not available/),
      }),
    ]);
    expect(frames).toEqual([]);
  });

  it('passes it on where the operator allows it for the channel', async () => {
    const sent = [asText(event(next()))];
    expect(await hear(sent, binary, OPEN_MODEL)).toEqual({ errors: [], frames: sent });
  });
});

describe('what names nothing that is kept', () => {
  it.each<[string, object]>([
    ['items of the session', { type: 'conversation.item.retrieve', item_id: 'item_1' }],
    ['an item by its id', item({ id: 'item_1', type: 'message', role: 'user', content: [] })],
    ['references to items of the session', response({ input: [{ type: 'item_reference', id: 'item_1' }] })],
    ['the conversation of the session', response({ conversation: 'auto' })],
    ['no conversation', response({ conversation: 'none' })],
    ['voices by name', session({ voice: 'alloy', audio: { output: { voice: 'marin' } } })],
    ['arguments', item({ type: 'function_call', name: 'f', arguments: '{"file_id":"file-1"}' })],
    ['schemas', session({ tools: [{ type: 'function', name: 'f', parameters: { file_id: 'file-1' } }] })],
    ['what a transcription is told', session({ audio: { input: { transcription: { prompt: 'words' } } } })],
  ])('%s: passes', async (_name, event) => {
    const sent = [JSON.stringify(event)];
    expect(await hear(sent, false)).toEqual({ errors: [], frames: sent });
  });
});

it.each([false, true])(
  'an event that is not JSON is refused, as a lenient vendor may read more of it: binary %s',
  async (binary) => {
    const odd = '{"type":"session.update","session":{"temperature":NaN,"prompt":{"id":"pmpt_1"}}}';
    const { errors, frames } = await hear([odd, DELTA], binary);
    expect(errors).toHaveLength(1);
    expect(frames).toEqual([DELTA]);
  },
);

it('checks many of them one after the other, and sends the vendor the remaining ones in order', async () => {
  const sent: string[] = [];
  const passed: string[] = [];
  for (let number = 0; number < 100; number += 1) {
    const id = `ordered_${number}`;
    const isOwn = number % 3 !== 0;
    if (isOwn) await record(id, channelId);
    const event =
      number % 2 === 0 ? asText(session({ prompt: { id } })) : JSON.stringify({ type: 'x', number });
    sent.push(event);
    if (isOwn || number % 2 === 1) passed.push(event);
  }
  const { errors, frames } = await hear(sent, false);
  expect(frames).toEqual(passed);
  expect(errors).toHaveLength(sent.length - passed.length);
});
