import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConcurrencyLimits } from '../../../../server/gateway/relay/concurrency-limits.js';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { RealtimeClient } from './realtime-client.js';
import { say, ScriptedRealtime } from './scripted-realtime.js';

/** Limits of memory, of words and of what reaches the client, under frames meant to pass them. */
const MODEL = 'gpt-realtime';
const KEY = 'sk-channel-0123456789abcdef';
const MEGABYTE = 1024 * 1024;
const ROOM_BYTES = 512 * MEGABYTE;
/** Bytes that may have come since memory was held last. */
const UNHELD_BYTES = 64 * 1024;
const SOUND = 'A'.repeat(64);

let app: TestApp;
let vendor: ScriptedRealtime;
let admin: GatewayConsole;
let key: string;
let limits: ConcurrencyLimits;

beforeAll(async () => {
  vendor = await ScriptedRealtime.start();
  app = await startTestApp();
  admin = new GatewayConsole(app.url);
  await admin.setUp();
  await admin.setOptions(FX_PRICES([MODEL]));
  await admin.addChannel({ base_url: vendor.url, key: KEY, models: [MODEL] });
  ({ key } = await admin.addToken());
  limits = app.app.get(ConcurrencyLimits, { strict: false });
});
afterAll(async () => {
  await app?.close();
  await vendor?.close();
});
beforeEach(() => {
  vendor.script = () => undefined;
});

const open = (): Promise<RealtimeClient> => RealtimeClient.open(app.url, MODEL, key);

describe('a frame that is not whole', () => {
  const begun = Buffer.alloc(4 * MEGABYTE, 'x');

  it.each(['client', 'vendor'])(
    'holds memory while the %s sends it, and gives it back after the cut',
    async (side) => {
      const client = await open();
      const sender = side === 'client' ? client.socket : vendor.last.socket;
      sender.send(begun, { fin: false });
      await admin.waitFor(
        async () => limits.hasRoomFor(ROOM_BYTES - 4 * MEGABYTE + UNHELD_BYTES + 1),
        (hasRoom) => !hasRoom,
      );
      client.socket.terminate();
      await admin.waitFor(
        async () => limits.hasRoomFor(ROOM_BYTES),
        (hasRoom) => hasRoom,
      );
    },
  );

  it.each(['client', 'vendor'])('ends the session when the %s sends it and memory is full', async (side) => {
    const client = await open();
    const bystander = await open();
    limits.holdBytes(ROOM_BYTES - MEGABYTE);
    try {
      const { socket } = side === 'client' ? client : { socket: vendor.sessions.at(-2)?.socket };
      socket?.send(begun, { fin: false });
      await client.until(() => client.closed !== undefined);
      expect(client.errors.at(-1)).toMatch(/gateway is at its limit/);
      expect(bystander.closed).toBeUndefined();
    } finally {
      limits.holdBytes(MEGABYTE - ROOM_BYTES);
    }
    bystander.socket.terminate();
    await admin.waitFor(
      async () => limits.hasRoomFor(ROOM_BYTES),
      (hasRoom) => hasRoom,
    );
  });
});

describe('the word filter of a session', () => {
  beforeAll(() => admin.setOptions({ CheckSensitiveEnabled: true, SensitiveWords: 'forbidden' }));
  afterAll(() => admin.setOptions({ CheckSensitiveEnabled: false }));
  const item = (...content: object[]): object => ({ type: 'conversation.item.create', item: { content } });
  const base64 = Buffer.from('a forbidden word').toString('base64');

  it.each([
    [
      'in a member called audio of a text',
      item({ type: 'input_text', text: 'x', audio: `${SOUND}forbidden` }),
    ],
    [
      'in the audio of a variable',
      { type: 'session.update', session: { prompt: { variables: { audio: 'forbidden' } } } },
    ],
    [
      'in an audio member that is no base64',
      item({ type: 'input_audio', audio: 'a forbidden word '.repeat(10) }),
    ],
    ['in a data address', item({ type: 'input_image', image_url: 'data:text/plain,a%20forbid%64en' })],
    [
      'in a data address as base64',
      item({ type: 'input_image', image_url: `data:text/plain;base64,${base64}` }),
    ],
    ['over two parts', item({ type: 'input_text', text: 'forb' }, { type: 'input_text', text: 'idden' })],
    [
      'in the name of a member of a tool',
      { type: 'session.update', session: { tools: [{ parameters: { properties: { forbidden: {} } } }] } },
    ],
  ])('ends the session for a word %s', async (_place, event) => {
    const client = await open();
    client.send(event);
    await client.until(() => client.closed !== undefined);
    expect(client.errors.at(-1)).toMatch(/words that are not allowed/);
    expect(vendor.last.frames).toEqual([]);
  });

  it('passes audio and images', async () => {
    const client = await open();
    const sent = [
      item({ type: 'input_audio', audio: `${SOUND}forbidden` }),
      item({ type: 'input_image', image_url: `data:image/png;base64,${SOUND}` }),
    ].map((event) => JSON.stringify(event));
    for (const event of sent) client.send(event);
    await vendor.until(() => vendor.last.frames.length === 2);
    expect(vendor.last.frames).toEqual(sent);
    client.socket.terminate();
  });
});

describe("the channel's key in a frame of the vendor", () => {
  const escaped = [...KEY]
    .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

  it.each([
    ['in an event that is no error', JSON.stringify({ type: 'session.updated', session: { note: KEY } })],
    ['written with escapes', `{"type":"session.updated","session":{"note":"${escaped}"}}`],
    ['in an error, written with escapes', `{"type":"error","error":{"message":"bad key ${escaped}"}}`],
    ['in a text in a text', JSON.stringify({ type: 'x', body: `{"key":"${escaped}"}` })],
    ['in a text of an answer', JSON.stringify({ type: 'response.output_text.delta', delta: KEY })],
    ['in what is no JSON', `key=${KEY}`],
  ])('ends the session %s, and does not reach the client', async (_place, frame) => {
    vendor.script = (session) => session.socket.send(frame);
    const client = await open();
    client.send({ type: 'x' });
    await client.until(() => client.closed !== undefined);
    expect(client.events.map(({ type }) => type)).toEqual(['session.created', 'error']);
    expect(JSON.stringify(client.events)).not.toContain(KEY);
  });

  it('passes frames with escapes that hold no key', async () => {
    const client = await open();
    vendor.script = (session) => say(session, { type: 'y', text: 'a "b" \\ c\n' });
    client.send({ type: 'x' });
    await client.until(() => client.of('y').length === 1);
    expect(client.of('y')[0]).toMatchObject({ text: 'a "b" \\ c\n' });
    client.socket.terminate();
  });
});
