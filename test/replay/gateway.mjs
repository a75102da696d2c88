import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../support/free-port.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const PASSWORD = 'replay-password-1';
const SECRET = 'replay-replay-replay-replay-replay-replay';

/** The built product as an operator runs it, on SQLite in a folder of its own, set up over its console API. */
export async function startGateway() {
  const folder = await mkdtemp(join(tmpdir(), 'replay-'));
  const port = await freePort();
  const child = spawn(process.execPath, [join(root, 'dist/server/main.js')], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      WORKERS: '1',
      SESSION_SECRET: SECRET,
      CRYPTO_SECRET: SECRET,
      DRAIN_DELAY_SECONDS: '0',
      DRAIN_TIMEOUT_SECONDS: '2',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said = (said + chunk).slice(-16_384);
    });
  const origin = `http://127.0.0.1:${port}`;
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 8_000);
      await gone;
      clearTimeout(timer);
    }
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilReady(origin, child, () => said);
    return { origin, stop, output: () => said, console: await openConsole(origin) };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

async function untilReady(origin, child, output) {
  const deadline = Date.now() + 60_000;
  for (;;) {
    if (child.exitCode !== null || Date.now() > deadline)
      throw new Error(`The gateway did not start:\n${output()}`);
    const ready = await fetch(`${origin}/readyz`).catch(() => undefined);
    if (ready?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function openConsole(origin) {
  let cookie = '';
  let userId = '';
  const ask = async (method, path, body) => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: {
        origin,
        ...(cookie === '' ? {} : { cookie }),
        ...(userId === '' ? {} : { 'new-api-user': userId }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) cookie = line.split(';', 1)[0];
    const text = await response.text();
    const envelope = JSON.parse(text);
    if (envelope.success !== true)
      throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`);
    return envelope.data;
  };
  const account = { username: 'root', password: PASSWORD };
  const setup = { SelfUseModeEnabled: true, DemoSiteEnabled: false };
  await ask('POST', '/api/setup', { ...account, confirmPassword: PASSWORD, ...setup });
  userId = String((await ask('POST', '/api/user/login', account)).id);
  // One try at one channel: failures must show, not be repaired.
  for (const [key, value] of [
    ['RetryTimes', '0'],
    ['AutomaticDisableChannelEnabled', 'false'],
  ])
    await ask('PUT', '/api/option/', { key, value });
  await ask('POST', '/api/token/', {
    name: 'replay',
    expired_time: -1,
    remain_quota: 0,
    unlimited_quota: true,
    model_limits_enabled: false,
    model_limits: '',
    allow_ips: '',
    group: '',
  });
  const page = await ask('GET', '/api/token/?size=10');
  const [token] = Array.isArray(page) ? page : page.items;
  return { ask, key: `sk-${token.key.replace(/^sk-/, '')}` };
}
