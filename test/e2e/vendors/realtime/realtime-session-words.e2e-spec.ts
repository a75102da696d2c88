import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { startTestApp, type TestApp } from '../../../support/build-test-app.js';
import { FX_PRICES, GatewayConsole } from '../../../support/gateway-console.js';
import { respond, say, ScriptedRealtime, USAGE, type VendorSession } from './scripted-realtime.js';

const KEY = 'sk-channel-0123456789abcdef';
const SAID = 'Account 4711 cannot';
const SENTENCE = `${SAID} (key ${KEY})`;
const SHOWN = `The provider said: ${SAID} (key ***)`;

interface Way {
  /** Behaviour of the vendor in the middle of a session. */
  readonly play: (session: VendorSession) => void;
  /** It ends the session. */
  readonly ends: boolean;
}
const failed = (session: VendorSession, code: string | null, message = SENTENCE): void =>
  say(session, { type: 'error', error: { type: 'x', code, message } });
const failedResponse = (session: VendorSession, code: string | null): void => {
  say(session, { type: 'response.created', response: { id: 'resp_2' } });
  say(session, {
    type: 'response.done',
    response: {
      id: 'resp_2',
      status: 'failed',
      output: [],
      status_details: { type: 'failed', error: { type: 'x', code, message: SENTENCE } },
    },
  });
};
const WAYS: Readonly<Record<string, Way>> = {
  'an error event about the account': {
    play: (session) => failed(session, 'insufficient_quota'),
    ends: true,
  },
  'an error event about the key': { play: (session) => failed(session, 'invalid_api_key'), ends: true },
  'an error event that quotes the key': { play: (session) => failed(session, 'server_error'), ends: true },
  'a failed response about the account': {
    play: (session) => failedResponse(session, 'insufficient_quota'),
    ends: true,
  },
  'a failed response that quotes the key': { play: (session) => failedResponse(session, null), ends: true },
  'a reason to close': { play: (session) => session.socket.close(4001, SENTENCE), ends: true },
  'an error event, and then a close without a reason': {
    play: (session) => {
      failed(session, 'server_error', SAID);
      session.socket.close(1011, '');
    },
    ends: true,
  },
  'an error event after which the session goes on': {
    play: (session) => failed(session, 'server_error', SAID),
    ends: false,
  },
};
const NAMES = Object.keys(WAYS);

describe("an upstream's words in the middle of a realtime session", () => {
  let app: TestApp;
  let vendor: ScriptedRealtime;
  let admin: GatewayConsole;
  let token: string;
  const modelOf = (name: string, hasUse: boolean) =>
    `gpt-realtime-${NAMES.indexOf(name)}${hasUse ? 'u' : ''}`;

  beforeAll(async () => {
    vendor = await ScriptedRealtime.start();
    app = await startTestApp();
    admin = new GatewayConsole(app.url);
    await admin.setUp();
    await admin.setOptions(FX_PRICES(NAMES.flatMap((name) => [modelOf(name, true), modelOf(name, false)])));
    token = (await admin.addToken()).key;
  });
  afterAll(async () => {
    await app?.close();
    await vendor?.close();
  });

  it.each(NAMES.flatMap((name) => [[name, true] as const, [name, false] as const]))(
    '%s: the operator reads them, the caller does not read how the account stands (something was used: %s)',
    async (name, hasUse) => {
      const { play, ends } = WAYS[name] as Way;
      const model = modelOf(name, hasUse);
      await admin.addChannel({ base_url: vendor.url, key: KEY, models: [model] });
      vendor.script = (session) => {
        if (hasUse) respond(session, USAGE);
        play(session);
      };
      const socket = new WebSocket(`${app.url.replace('http', 'ws')}/v1/realtime?model=${model}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const read: string[] = [];
      socket.on('message', (frame: Buffer) => {
        read.push(frame.toString('utf8'));
        if (!ends && read.at(-1)?.includes('"error"') === true) socket.close(1000);
      });
      const closed = once(socket, 'close') as Promise<[number, Buffer]>;
      await once(socket, 'open');
      socket.send(JSON.stringify({ type: 'response.create' }));
      const [, reason] = await closed;
      const shown = `${read.join('\n')} ${reason.toString('utf8')}`;
      expect(shown).not.toContain(KEY);
      expect(read.at(-1)).toContain('"type":"error"');
      if (name.includes('about')) expect(shown).not.toContain('Account 4711');
      if (!hasUse && !ends) return;

      const type = hasUse ? 2 : 5;
      const lines = (path: string) => () =>
        admin.send<{ items: { other: string }[] }>('GET', `${path}?type=${type}&model_name=${model}`);
      const { items } = await admin.waitFor(lines('/api/log/'), (page) => page.items.length > 0);
      const other = JSON.parse(items[0]?.other ?? '') as { admin_info: { upstream_error: string } };
      const words = name.includes('key') || name.includes('account') || name.includes('reason to');
      expect(other.admin_info.upstream_error).toBe(words ? SHOWN : `The provider said: ${SAID}`);
      expect((await lines('/api/log/self/')()).items[0]?.other).not.toContain('Account 4711');
    },
  );
});
