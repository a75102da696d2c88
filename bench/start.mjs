/**
 * Duration of a start, and the memory after it: the built server on a fresh SQLite, one process, several times.
 *
 *     node bench/start.mjs [--rounds 5] [--server dist/server]
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '../test/support/free-port.mjs';
import V8_FLAGS from '../server/process/v8-flags.json' with { type: 'json' };
import { cpuNs, rssBytes } from './lib/proc.mjs';
import { GATEWAY_CORE, startProgram, stopProgram, untilReady } from './lib/processes.mjs';

/** Memory is given back a moment after the start. */
const SETTLED_MS = 5_000;
const MEBIBYTE = 1024 * 1024;

async function start(server) {
  const folder = await mkdtemp(join(tmpdir(), 'tollgate-start-'));
  const port = await freePort();
  const startedMs = performance.now();
  const child = startProgram({
    name: 'Tollgate',
    core: GATEWAY_CORE,
    command: process.execPath,
    args: [...V8_FLAGS, join(server, 'main.js')],
    env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: folder },
  });
  try {
    await untilReady(child, async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200);
    const readyMs = performance.now() - startedMs;
    const cpuMs = cpuNs(child.pid) / 1e6;
    const rssMb = rssBytes([child.pid]) / MEBIBYTE;
    await new Promise((done) => setTimeout(done, SETTLED_MS));
    return { readyMs, cpuMs, rssMb, settledMb: rssBytes([child.pid]) / MEBIBYTE };
  } finally {
    await stopProgram(child);
    await rm(folder, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    server: { type: 'string', default: join(import.meta.dirname, '../dist/server') },
  },
});
const rounds = [];
for (let round = 0; round < Number(values.rounds); round += 1)
  rounds.push(await start(resolve(values.server)));
const line = (name, key, unit) => {
  const sorted = rounds.map((round) => Math.round(round[key])).toSorted((a, b) => a - b);
  process.stdout.write(`${name}: ${sorted.join(', ')} ${unit}\n`);
};
line('until /readyz', 'readyMs', 'ms');
line('CPU until then', 'cpuMs', 'ms');
line('memory when ready', 'rssMb', 'MB');
line('five seconds later', 'settledMb', 'MB');
