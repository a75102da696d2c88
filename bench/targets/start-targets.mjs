import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rssBytes } from '../lib/proc.mjs';
import { freePort } from '../../test/support/free-port.mjs';
import { GATEWAY_CORE, OTHER_CORE, startProgram, untilReady } from '../lib/processes.mjs';
import { chatBody } from '../models.mjs';
import { provision } from './provision.mjs';
import V8_FLAGS from '../../server/process/v8-flags.json' with { type: 'json' };

const root = fileURLToPath(new URL('../..', import.meta.url));
const CHAT_PATH = '/v1/chat/completions';

/**
 * A target for chat calls.
 * @typedef {object} Target
 * @property {string} key
 * @property {string} label
 * @property {number} port
 * @property {() => number[]} pids processes whose CPU and memory count as the gateway's; empty for the mock itself
 * @property {number} freshRssBytes resident memory when it was ready, before the first request
 * @property {(wish: {model: string, stream?: boolean, promptBytes?: number, maxTokens?: number}) => {path: string, headers: object,
 * body: string}[]} calls
 */

export const callsWith = (headersOfCallers) => (wish) =>
  headersOfCallers.map((headers) => ({ path: CHAT_PATH, headers, body: chatBody(wish).toString() }));

async function forkNode(name, core, script, args) {
  const child = startProgram({
    name,
    core,
    command: process.execPath,
    args: [join(root, script), ...args],
    ipc: true,
  });
  const outcome = await Promise.race([once(child, 'message'), once(child, 'exit')]);
  if (typeof outcome[0] !== 'object' || outcome[0] === null)
    throw new Error(`${name} did not start:\n${child.output()}`);
  return { child, message: outcome[0] };
}

export async function startMock() {
  const { child, message } = await forkNode(
    'the mock upstream',
    OTHER_CORE,
    'bench/targets/mock-upstream.mjs',
    [],
  );
  return {
    key: 'direct',
    label: 'direct (the mock itself)',
    child,
    port: message.port,
    pids: () => [],
    calls: callsWith([{ authorization: 'Bearer bench' }]),
    counters: async () => (await fetch(`http://127.0.0.1:${message.port}/counters`)).json(),
    forget: async () => {
      await fetch(`http://127.0.0.1:${message.port}/counters`, { method: 'DELETE' });
    },
  };
}

export async function startGenerator() {
  const { child } = await forkNode('the load generator', OTHER_CORE, 'bench/load/generator.mjs', []);
  let serial = 0;
  const waiting = new Map();
  child.on('message', ({ id, answer, error, line }) => {
    if (line !== undefined) {
      process.stderr.write(`${line}\n`);
      return;
    }
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) resolve(answer);
    else reject(new Error(error));
  });
  child.once('exit', () => {
    for (const { reject } of waiting.values())
      reject(new Error(`the load generator ended:\n${child.output()}`));
  });
  return {
    child,
    /** @param {'closedLoop' | 'openLoop' | 'fastStreams' | 'manyStreams' | 'longStreams'} kind */
    run: (kind, order) =>
      new Promise((resolve, reject) => {
        const id = (serial += 1);
        waiting.set(id, { resolve, reject });
        child.send({ id, kind, order });
      }),
  };
}

/** @returns {Promise<Target>} */
export async function startBare(mockPort) {
  const { child, message } = await forkNode('bare', GATEWAY_CORE, 'bench/targets/bare.mjs', [
    `http://127.0.0.1:${mockPort}`,
  ]);
  return {
    key: 'bare',
    label: 'bare (Fastify + undici dispatch)',
    child,
    port: message.port,
    pids: () => [child.pid],
    freshRssBytes: rssBytes([child.pid]),
    calls: callsWith([{ authorization: 'Bearer bench' }]),
  };
}

/** @returns {Promise<Target>} */
export async function startPortkey(mockPort) {
  const script = join(root, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (!existsSync(script)) throw new Error('@portkey-ai/gateway is not installed: run npm ci');
  const port = await freePort();
  const child = startProgram({
    name: 'Portkey',
    core: GATEWAY_CORE,
    command: process.execPath,
    args: [script, '--headless', `--port=${port}`],
    env: { ...process.env, NODE_ENV: 'production', TRUSTED_CUSTOM_HOSTS: '127.0.0.1,localhost' },
  });
  await untilReady(child, async () => (await fetch(`http://127.0.0.1:${port}/`)).status < 500);
  return {
    key: 'portkey',
    label: '@portkey-ai/gateway (meters nothing)',
    child,
    port,
    pids: () => [child.pid],
    calls: callsWith([
      {
        authorization: 'Bearer bench',
        'x-portkey-provider': 'openai',
        'x-portkey-custom-host': `http://127.0.0.1:${mockPort}/v1`,
      },
    ]),
  };
}

/** The process and everything it started. */
function processTree(pid) {
  const parents = new Map();
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    try {
      const status = readFileSync(`/proc/${entry}/status`, 'latin1');
      parents.set(Number(entry), Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]));
    } catch {
      // It ended while we looked.
    }
  }
  const tree = [pid];
  for (const known of tree) for (const [child, parent] of parents) if (parent === known) tree.push(child);
  return tree;
}

const SECRET = 'bench-bench-bench-bench-bench-bench-bench';

/**
 * The product as an operator runs it: a real process, set up over HTTP as the console does it, with rate windows, holds,
 * settlement and the usage log on.
 * @param {{key: string, label: string, folder: string, mockPort: number, server: string, databaseUrl?: string, redisUrl?: string, node?: string, nodeArgs?: string[], cwd?: string, workers?: number, hasSlices?: boolean}} wish
 */
export async function startTollgate({
  key,
  label,
  folder,
  mockPort,
  server,
  databaseUrl,
  redisUrl,
  node = process.execPath,
  nodeArgs = V8_FLAGS,
  cwd = root,
  workers = 1,
  hasSlices = false,
}) {
  const main = join(server, 'main.js');
  if (!existsSync(main)) throw new Error(`${main} is missing: run npm run build`);
  const dataDir = join(folder, key);
  await mkdir(dataDir, { recursive: true });
  const port = await freePort();
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATA_DIR: dataDir,
    WORKERS: String(workers),
    QUOTA_SLICES: String(hasSlices),
    SESSION_SECRET: SECRET,
    CRYPTO_SECRET: SECRET,
    DRAIN_DELAY_SECONDS: '0',
    DRAIN_TIMEOUT_SECONDS: '5',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...(redisUrl === undefined ? {} : { REDIS_URL: redisUrl }),
  };
  const child = startProgram({
    name: label,
    core: GATEWAY_CORE,
    command: node,
    args: [...nodeArgs, main],
    env,
    cwd,
  });
  const base = `http://127.0.0.1:${port}`;
  await untilReady(child, async () => (await fetch(`${base}/readyz`)).status === 200);
  const tree = processTree(child.pid);
  const freshRssBytes = rssBytes(tree);
  // A window costs a trip to the store for every call: set-ups with slices have none.
  const callers = await provision(base, `http://127.0.0.1:${mockPort}`, { hasWindows: !hasSlices });
  return {
    key,
    label,
    child,
    port,
    env,
    databaseUrl: databaseUrl ?? `sqlite:${join(dataDir, 'tollgate.db')}`,
    pids: () => tree,
    freshRssBytes,
    calls: callsWith(callers.map(({ key: tokenKey }) => ({ authorization: `Bearer sk-${tokenKey}` }))),
  };
}
