import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { GatewayConsole } from '../../support/gateway-console.js';
import { GatewayProcess } from '../../support/gateway-process.js';
import { freePort } from '../../support/real-servers.js';
import { MEDIA_PRICES } from '../media/media-house.js';
import { randomFrame, type Random, seeded } from '../../support/random-frames.js';
import { say, ScriptedRealtime, type VendorSession } from './scripted-realtime.js';

/** Sessions of the built product under frames nobody should send, by either side. */
const MODEL = 'gpt-realtime';
const SEED = 20_261_125;
const SESSIONS = 20;
const FRAMES = 10_000;
/** Of the event loop, on a machine that runs other tests beside; what one frame may cost is held in realtime-flood.spec.ts. */
const LONGEST_TURN_SECONDS = 1;
const REPORTED = 'frames.all-sent';

let vendor: ScriptedRealtime;
let gateway: GatewayProcess;
let admin: GatewayConsole;
let key: string;
let metricsPort: number;

beforeAll(async () => {
  vendor = await ScriptedRealtime.start();
  metricsPort = await freePort();
  gateway = await GatewayProcess.start({ env: { METRICS_PORT: String(metricsPort) } });
  admin = new GatewayConsole(gateway.url);
  await admin.setUp();
  await admin.setOptions({ ...MEDIA_PRICES, CheckSensitiveEnabled: true, SensitiveWords: 'forbidden' });
  await admin.addChannel({ base_url: vendor.url, models: [MODEL] });
  ({ key } = await admin.addToken());
});

afterAll(async () => {
  await gateway?.stop();
  await vendor?.close();
});

async function open(): Promise<WebSocket> {
  const url = `${gateway.url.replace(/^http/, 'ws')}/v1/realtime?model=${MODEL}`;
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
  socket.on('error', () => undefined);
  await once(socket, 'message');
  return socket;
}

const text = (frame: unknown): string => JSON.stringify(frame);

/** Several responses whose pieces come in any order, each with the vendor's own figures. @returns the sum of the figures */
function answerAtRandom(session: VendorSession, random: Random, round: number): number {
  const waiting: string[][] = [];
  let sum = 0;
  for (let number = 0; number < 1 + random.below(3); number += 1) {
    const id = `resp_${round}_${number}`;
    const usage = { input_tokens: random.below(5_000), output_tokens: 1 + random.below(5_000) };
    sum += usage.input_tokens + 4 * usage.output_tokens;
    waiting.push([
      text({ type: 'response.created', response: { id } }),
      ...Array.from({ length: random.below(4) }, () =>
        text({
          type: 'response.output_text.delta',
          response_id: id,
          delta: 'word '.repeat(random.below(50)),
        }),
      ),
      text({ type: 'response.done', response: { id, status: 'completed', usage } }),
    ]);
  }
  while (waiting.length > 0) {
    const at = random.below(waiting.length);
    const frame = waiting[at]?.shift();
    if (frame === undefined) waiting.splice(at, 1);
    else session.socket.send(frame, { binary: random.below(2) === 0 });
    if (random.below(8) === 0) session.socket.send(randomFrame(random), { binary: random.below(2) === 0 });
  }
  return sum;
}

describe('frames at random', () => {
  it('one of 6,000 brackets ends its session with a reason, and nothing else', async () => {
    for (const binary of [false, true]) {
      const [victim, bystander] = await Promise.all([open(), open()]);
      victim.send(`${'['.repeat(6_000)}${']'.repeat(6_000)}`, { binary });
      const [said] = (await once(victim, 'message')) as [Buffer];
      expect(JSON.parse(said.toString())).toMatchObject({
        type: 'error',
        error: { type: 'invalid_request_error' },
      });
      expect(bystander.readyState).toBe(WebSocket.OPEN);
      bystander.terminate();
    }
    expect(gateway.isRunning).toBe(true);
  });

  it('10,000 of them end no process, stop no event loop, and cost what the vendor says was delivered', async () => {
    const random = seeded(SEED);
    const before = await admin.balance();
    let expected = 0;
    let round = 0;
    vendor.script = (session, frame) => {
      if ((frame as { type: string } | null)?.type !== 'response.create') return;
      round += 1;
      expected += answerAtRandom(session, random, round);
      say(session, { type: REPORTED });
    };
    const play = async (): Promise<void> => {
      const socket = await open();
      for (let sent = 0; sent < FRAMES / SESSIONS; sent += 1) {
        if (sent % 50 === 0) {
          const answered = new Promise<void>((resolve) => {
            socket.on('message', (data: Buffer) => data.includes(REPORTED) && resolve());
          });
          socket.send('{"type":"response.create"}', { binary: random.below(2) === 0 });
          await answered;
        }
        socket.send(randomFrame(random), { binary: random.below(2) === 0 });
      }
      // The last word is beyond every limit, or none at all.
      if (random.below(2) === 0) socket.send(`[${'{},'.repeat(100_001)}{}]`);
      else socket.terminate();
      if (socket.readyState !== WebSocket.CLOSED) await once(socket, 'close');
    };
    await Promise.all(Array.from({ length: SESSIONS }, play));
    const charged = await admin.waitFor(
      async () => before - (await admin.balance()),
      (sum) => sum === expected,
      60_000,
    );
    expect(charged).toBe(expected);
    expect(gateway.isRunning).toBe(true);
    expect(gateway.log).not.toContain('Bug');
    expect(await longestTurnSeconds()).toBeLessThan(LONGEST_TURN_SECONDS);
    await gateway.stop({ keepData: true });
    await expect(gateway.checkMoney()).resolves.toMatchObject({ exitCode: 0 });
    gateway.removeData();
  });
});

async function longestTurnSeconds(): Promise<number> {
  const reply = await fetch(`http://127.0.0.1:${metricsPort}/metrics`);
  const line = /^tollgate_event_loop_delay_max_seconds(?:\{[^}]*\})? (\S+)/m.exec(await reply.text());
  return Number(line?.[1]);
}
