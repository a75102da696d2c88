import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import V8_FLAGS from '../../server/process/v8-flags.json' with { type: 'json' };
import { freePort } from '../../test/support/free-port.mjs';
import { untilReady } from './processes.mjs';

const PASSWORD = 'correct horse battery';

/**
 * The built server for questions of the console: no limit on its API.
 * @param server  folder of the built server
 * @param folder  its data folder
 */
export async function startConsoleGateway(server, databaseUrl, folder) {
  const port = await freePort();
  const child = spawn(process.execPath, [...V8_FLAGS, join(resolve(server), 'main.js')], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      DATABASE_URL: databaseUrl,
      WORKERS: '1',
      LOG_LEVEL: 'error',
      SESSION_SECRET: 's'.repeat(32),
      CRYPTO_SECRET: 'c'.repeat(32),
      GLOBAL_API_RATE_LIMIT: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  child.programName = 'Tollgate';
  child.output = () => said;
  const base = `http://127.0.0.1:${port}`;
  await untilReady(child, async () => (await fetch(`${base}/readyz`)).status === 200, 60_000);
  return { child, base };
}

/** Sets the gateway up. @returns headers of its signed-in root */
export async function signInRoot(base) {
  const send = (path, body) =>
    fetch(base + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await send('/api/setup', { username: 'root', password: PASSWORD, confirmPassword: PASSWORD });
  const reply = await send('/api/user/login', { username: 'root', password: PASSWORD });
  const cookie = reply.headers
    .getSetCookie()
    .map((text) => text.split(';', 1)[0])
    .join('; ');
  const { data } = await reply.json();
  return { cookie, 'New-Api-User': String(data.id) };
}
