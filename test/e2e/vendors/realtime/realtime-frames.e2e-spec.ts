import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WebSocket } from 'ws';
import { GatewayConsole } from '../../../support/gateway-console.js';
import { GatewayProcess, type GatewaySettings } from '../../../support/gateway-process.js';
import { createTestDatabase } from '../../../support/database.js';
import { testRedisUrl } from '../../../support/redis.js';
import { createTestFolder } from '../../../support/servers.js';
import { MEDIA_PRICES } from '../media/media.fixture.js';
import { randomFrame, type Random, seeded } from '../../../support/random-frames.js';
import { say, ScriptedRealtime, type VendorSession } from './scripted-realtime.js';

/** Sessions of the built product under malformed frames, by either side; on one worker and on two supervised ones. */
const MODEL = 'gpt-realtime';
const SEED = 20_261_125;
const SESSIONS = 20;
const FRAMES = 10_000;
/** Processor time of what one frame sets off, whatever else the machine does. */
const DEAREST_FRAME_MS = 50;
/** The first frames are handled by code that was not compiled yet. */
const FRAMES_TO_WARM_UP = 200;
const REPORTED = 'frames.all-sent';
/** Responses asked for in a round, all of them before the first begins. */
const RESPONSES = 3;

const text = (frame: unknown): string => JSON.stringify(frame);

/** Several responses whose pieces come in any order, each with the vendor's own figures. @returns the sum of the figures */
function answerAtRandom(session: VendorSession, random: Random, round: number): number {
  const waiting: string[][] = [];
  let sum = 0;
  for (let number = 0; number < RESPONSES; number += 1) {
    const id = `resp_${round}_${number}`;
    const usage = { input_tokens: random.below(5_000), output_tokens: 1 + random.below(1_000) };
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

/** Loaded into every process of the gateway: notes the dearest frame, in a file for each. */
const METER = `
import { EventEmitter } from 'node:events';
import { writeFileSync } from 'node:fs';
const { emit } = EventEmitter.prototype;
let frames = 0;
let dearestMs = 0;
EventEmitter.prototype.emit = function (...told) {
  // Signature of a frame event of \`ws\`.
  const isFrame = told[0] === 'message' && told[1] instanceof Buffer && typeof told[2] === 'boolean';
  if (!isFrame) return emit.apply(this, told);
  const before = process.threadCpuUsage();
  try {
    return emit.apply(this, told);
  } finally {
    const { user, system } = process.threadCpuUsage(before);
    frames += 1;
    if (frames > ${FRAMES_TO_WARM_UP} && (user + system) / 1_000 > dearestMs) {
      dearestMs = (user + system) / 1_000;
      writeFileSync(process.env.DEAREST_FRAME + '-' + process.pid, String(dearestMs));
    }
  }
};
`;

const SET_UPS = {
  'one worker': async () => ({ settings: {}, leave: async () => undefined }),
  'two supervised workers': async () => {
    const database = await createTestDatabase('mariadb');
    const env = { WORKERS: '2', SUPERVISOR: 'true' };
    return {
      settings: { databaseUrl: database.url, redisUrl: testRedisUrl(), env },
      leave: () => database.drop(),
    };
  },
};

describe.each(Object.entries(SET_UPS))('frames at random, on %s', (_setUp, build) => {
  let vendor: ScriptedRealtime;
  let gateway: GatewayProcess;
  let admin: GatewayConsole;
  let key: string;
  let folder: string;
  let leave: () => Promise<void>;

  beforeAll(async () => {
    vendor = await ScriptedRealtime.start();
    folder = createTestFolder('frames');
    const fixture: { settings: GatewaySettings; leave: () => Promise<void> } = await build();
    ({ leave } = fixture);
    const meter = join(folder, 'meter.mjs');
    writeFileSync(meter, METER);
    gateway = await GatewayProcess.start({
      ...fixture.settings,
      env: { ...fixture.settings.env, DEAREST_FRAME: join(folder, 'dearest') },
      flags: ['--import', meter],
    });
    admin = new GatewayConsole(gateway.url);
    await admin.setUp();
    await admin.setOptions({ ...MEDIA_PRICES, CheckSensitiveEnabled: true, SensitiveWords: 'forbidden' });
    await admin.addChannel({ base_url: vendor.url, models: [MODEL] });
    ({ key } = await admin.addToken());
  });

  afterAll(async () => {
    await gateway?.stop();
    await vendor?.close();
    await leave?.();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Longest time per process, ms. */
  const dearestFrames = (): number[] =>
    readdirSync(folder)
      .filter((name) => name.startsWith('dearest-'))
      .map((name) => Number(readFileSync(join(folder, name), 'utf8')));

  async function open(): Promise<WebSocket> {
    const url = `${gateway.url.replace(/^http/, 'ws')}/v1/realtime?model=${MODEL}`;
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${key}` } });
    socket.on('error', () => undefined);
    await once(socket, 'message');
    return socket;
  }

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

  it('handles 10,000 of them without ending a process or blocking an event loop, and charges the vendor’s reported delivery', async () => {
    const random = seeded(SEED);
    const before = await admin.balance();
    let expected = 0;
    let round = 0;
    const askedOf = new WeakMap<VendorSession, number>();
    vendor.script = (session, frame) => {
      if ((frame as { type: string } | null)?.type !== 'response.create') return;
      const asked = (askedOf.get(session) ?? 0) + 1;
      askedOf.set(session, asked);
      if (asked % RESPONSES !== 0) return;
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
          for (let asked = 0; asked < RESPONSES; asked += 1)
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
    const dearest = dearestFrames();
    expect(dearest.length).toBeGreaterThan(0);
    expect(Math.max(...dearest)).toBeLessThan(DEAREST_FRAME_MS);
    await gateway.stop({ keepData: true });
    await expect(gateway.checkMoney()).resolves.toMatchObject({ exitCode: 0 });
    gateway.removeData();
  });
});
