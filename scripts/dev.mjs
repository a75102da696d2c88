/**
 * `npm run dev`: the server is compiled and restarted when a file of it changes; the console is served by Vite with hot
 * reload and forwards /api and /v1 to the server.
 */
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const SETTLE_MS = 200;

const children = new Set();
let server;
let isBuilding = false;
let isDirty = true;
let timer;

function start(words, cwd = root) {
  const child = spawn(process.execPath, words, { cwd, stdio: 'inherit' });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

function ended(child) {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve(child.exitCode);
    else child.once('exit', resolve);
  });
}

async function rebuild() {
  if (isBuilding) return;
  isBuilding = true;
  while (isDirty) {
    isDirty = false;
    const code = await ended(start([join(root, 'scripts/build.mjs'), '--server']));
    if (code !== 0 || isDirty) continue;
    if (server !== undefined) {
      server.kill('SIGTERM');
      await ended(server);
    }
    server = start(['--enable-source-maps', join(root, 'dist/server/main.js')]);
  }
  isBuilding = false;
}

watch(join(root, 'server'), { recursive: true }, (_event, name) => {
  if (name === null || name.endsWith('.spec.ts')) return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    isDirty = true;
    void rebuild();
  }, SETTLE_MS);
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const child of children) child.kill('SIGTERM');
    process.exit(0);
  });
}

start([join(root, 'node_modules/vite/bin/vite.js')], join(root, 'console'));
await rebuild();
