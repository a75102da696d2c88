import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess } from '../../../support/gateway-process.js';
import { MEDIA_PRICES } from '../media/media.fixture.js';
import { CHARGE, respond, say, ScriptedRealtime, USAGE } from './scripted-realtime.js';

/** Sessions of the built product that end with their process: nothing is lost, nothing is charged twice. */
const MODEL = 'gpt-realtime';
const SESSIONS = 10;

let vendor: ScriptedRealtime;
let gateway: GatewayProcess;
let admin: GatewayConsole;
let key: string;
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-realtime-'));

async function startGateway(): Promise<void> {
  gateway = await GatewayProcess.start({ dataDir });
  const isFresh = admin === undefined;
  admin = new GatewayConsole(gateway.url);
  await (isFresh ? admin.setUp() : admin.signIn());
}

/** Opens sessions and waits until each has had a response. */
async function openSessions(count: number): Promise<WebSocket[]> {
  const url = `${gateway.url.replace(/^http/, 'ws')}/v1/realtime?model=${MODEL}`;
  return Promise.all(
    Array.from({ length: count }, async () => {
      const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
      socket.on('error', () => undefined);
      const done = new Promise<void>((resolve) => {
        socket.on('message', (data: Buffer) => {
          const { type } = JSON.parse(data.toString('utf8')) as { type: string };
          if (type === 'session.created') socket.send('{"type":"response.create"}');
          if (type === 'response.done') resolve();
        });
      });
      await once(socket, 'open');
      await done;
      return socket;
    }),
  );
}

beforeAll(async () => {
  vendor = await ScriptedRealtime.start();
  vendor.script = (session, frame) => {
    if (frame.type === 'response.create') respond(session, USAGE);
    else say(session, { type: 'response.created', response: {} });
  };
  await startGateway();
  await admin.setOptions(MEDIA_PRICES);
  await admin.addChannel({ base_url: vendor.url, models: [MODEL] });
  ({ key } = await admin.addToken());
});

afterAll(async () => {
  await gateway?.stop();
  gateway?.removeData();
  await vendor?.close();
});

describe('sessions whose process dies', () => {
  it('charges those ended by SIGKILL for every response that ended, once', async () => {
    const before = await admin.balance();
    await openSessions(SESSIONS);
    await gateway.kill();
    await startGateway();
    const after = await admin.waitFor(
      () => admin.balance(),
      (balance) => before - balance === SESSIONS * CHARGE,
      60_000,
    );
    expect(before - after).toBe(SESSIONS * CHARGE);
    await gateway.stop({ keepData: true });
    await expect(gateway.checkMoney()).resolves.toMatchObject({ exitCode: 0 });
    await startGateway();
  });

  it('notifies and charges sessions once on an orderly end, and lets the process end', async () => {
    const before = await admin.balance();
    const sockets = await openSessions(SESSIONS);
    const closings = sockets.map(
      (socket) =>
        new Promise<{ code: number; last: string }>((resolve) => {
          let last = '';
          socket.on('message', (data: Buffer) => (last = data.toString('utf8')));
          socket.on('close', (code) => resolve({ code, last }));
        }),
    );
    expect(await gateway.stop({ keepData: true })).toBe(0);
    for (const { code, last } of await Promise.all(closings)) {
      expect(code).toBe(1008);
      expect(last).toContain('shutting down');
    }
    await expect(gateway.checkMoney()).resolves.toMatchObject({ exitCode: 0 });
    await startGateway();
    expect(before - (await admin.balance())).toBe(SESSIONS * CHARGE);
  });
});
