/**
 * Counts the source files that one warmed chat call runs through in the serving process (V8's precise coverage), by folder.
 * `npm run call:files` prints the count; with `-- --list` the files too, with `-- --stream` for a streamed answer.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FakeUpstream } from '../test/support/fake-upstream.ts';
import { freePort } from '../test/support/free-port.mjs';
import { FX_PRICES, GatewayConsole } from '../test/support/gateway-console.ts';

const ROOT = join(import.meta.dirname, '..');
/** A model of the fake upstream that answers 50 tokens at once. */
const MODEL = 'fx-quick';
const WARMING_CALLS = 20;
const COUNTED_CALLS = 7;

interface FunctionCoverage {
  readonly functionName: string;
  readonly ranges: readonly { readonly count: number }[];
}
interface Coverage {
  readonly result: readonly { readonly url: string; readonly functions: readonly FunctionCoverage[] }[];
}

/** A message of the DevTools protocol; events have no id. */
interface Reply {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Sends a command of the DevTools protocol and returns its result. Fails when the process refuses it. */
type Send = <T>(method: string, params?: object) => Promise<T>;

async function openInspector(address: string): Promise<{ send: Send; close: () => void }> {
  const socket = new WebSocket(address);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', reject, { once: true });
  });
  let lastId = 0;
  const waiting = new Map<number, (message: Reply) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Reply;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  const send: Send = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (error === undefined) resolve(result as never);
        else reject(new Error(`${method}: ${error.message}`));
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  return { send, close: () => socket.close() };
}

/** Starts the server from its sources; resolves with the inspector's address once /readyz answers 200. */
async function startFromSources(port: number, dataDir: string) {
  const child = spawn(
    process.execPath,
    ['--inspect=127.0.0.1:0', '--import', './test/support/register-typescript.mjs', 'server/main.ts'],
    {
      cwd: ROOT,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'test',
        PORT: String(port),
        HOST: '127.0.0.1',
        DATA_DIR: dataDir,
        LOG_LEVEL: 'error',
        WORKERS: '1',
        GLOBAL_API_RATE_LIMIT: '0',
        DRAIN_DELAY_SECONDS: '0',
        SESSION_SECRET: 's'.repeat(40),
        CRYPTO_SECRET: 'c'.repeat(40),
      },
    },
  );
  let output = '';
  child.stderr.on('data', (bytes: Buffer) => (output += bytes.toString()));
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the server ended: ${output}`);
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (answer?.status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const address = /ws:\/\/\S+/.exec(output)?.[0];
  if (address === undefined) throw new Error(`no inspector: ${output}`);
  return { child, address };
}

/** Paths of our source files with a function that ran since the last reading. */
const filesThatRan = ({ result }: Coverage): readonly string[] =>
  result
    .filter(({ url }) => url.startsWith('file:') && !url.includes('/node_modules/'))
    .filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
    .map(({ url }) => fileURLToPath(url).slice(ROOT.length + 1))
    .filter((path) => path.startsWith('server/'));

const isStream = process.argv.includes('--stream');
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-call-files-'));
const upstream = await FakeUpstream.start();
const port = await freePort();
const { child, address } = await startFromSources(port, dataDir);
// A process with an open inspector does not end.
let closeInspector = (): void => undefined;
try {
  const gateway = new GatewayConsole(`http://127.0.0.1:${port}`);
  await gateway.setUp();
  await gateway.setOptions(FX_PRICES([MODEL]));
  await gateway.addChannel({ base_url: upstream.url, models: [MODEL] });
  const { key } = await gateway.addToken();
  const call = async (): Promise<void> => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: MODEL,
        messages: [{ role: 'user', content: 'Hello' }],
        max_tokens: 20,
        ...(isStream ? { stream: true } : {}),
      }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
  };
  const { send, close } = await openInspector(address);
  closeInspector = close;
  await send('Profiler.enable');
  for (let count = 0; count < WARMING_CALLS; count += 1) await call();
  await send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // Each reading resets the counts. Jobs run beside some of the calls: the files of all calls are the call's own.
  await send('Profiler.takePreciseCoverage');
  let common: readonly string[] | undefined;
  for (let count = 0; count < COUNTED_CALLS; count += 1) {
    await call();
    const ran = new Set(filesThatRan(await send<Coverage>('Profiler.takePreciseCoverage')));
    common = common === undefined ? [...ran] : common.filter((path) => ran.has(path));
  }
  const files = (common ?? []).toSorted();
  const byFolder = new Map<string, number>();
  for (const path of files) {
    const folder = path.split('/').slice(0, 3).join('/');
    byFolder.set(folder, (byFolder.get(folder) ?? 0) + 1);
  }
  for (const [folder, count] of [...byFolder].toSorted(([, one], [, two]) => two - one))
    process.stdout.write(`${String(count).padStart(5)}  ${folder}\n`);
  if (process.argv.includes('--list')) process.stdout.write(`${files.join('\n')}\n`);
  process.stdout.write(`${files.length} files run for one ${isStream ? 'streamed' : 'whole'} chat call\n`);
} finally {
  closeInspector();
  child.kill('SIGTERM');
  await new Promise((resolve) => child.once('exit', resolve));
  await upstream.close();
  rmSync(dataDir, { recursive: true, force: true });
}
