/**
 * `npm run build`: the server's modules into dist/modules by the TypeScript compiler and from there into the programs of
 * dist/server, the console into dist/console by Vite, both at once. The server is built beside the old one and swapped in
 * whole, so that a start never sees half a build.
 */
import { spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { bundleServer } from './bundle-server.mjs';
import { compressAssets, overBudget, pageLoads } from './console-assets.mjs';
import { writePages } from './console-pages.mjs';
import { sourceStamp } from './source-stamp.mjs';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

function say(line) {
  process.stderr.write(`  ${line}\n`);
}

function run(name, words, cwd = root) {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, NO_COLOR: '1' };
    const child = spawn(process.execPath, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (said += text));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`${name} failed:\n${said.trim()}`));
    });
  });
}

async function buildServer() {
  const started = performance.now();
  const modules = join(dist, 'modules');
  const next = join(dist, '.server-next');
  for (const folder of [modules, next]) rmSync(folder, { recursive: true, force: true });
  const compiler = join(root, 'node_modules/typescript7/bin/tsc');
  await run('The TypeScript compiler', [compiler, '-p', 'tsconfig.build.json', '--outDir', modules]);
  await bundleServer(modules, next);
  rmSync(join(dist, 'server'), { recursive: true, force: true });
  renameSync(next, join(dist, 'server'));
  say(`server built (${seconds(started)} s)`);
}

/** Copies the logos of brands.ts from their package: MIT for the files, trademarks of their owners. */
function copyLogos(folder) {
  const source = readFileSync(join(root, 'console/src/shared/brand/brands.ts'), 'utf8');
  const icons = join(root, 'node_modules/@lobehub/icons-static-svg/icons');
  mkdirSync(join(folder, 'logos'), { recursive: true });
  for (const [, logo] of source.matchAll(/logo: '([\w-]+)'/g))
    copyFileSync(join(icons, `${logo}.svg`), join(folder, `logos/${logo}.svg`));
}

async function buildConsole() {
  if (!existsSync(join(root, 'console/index.html'))) {
    say('console not built: console/index.html is missing');
    return;
  }
  const started = performance.now();
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  await run('Vite', [vite, 'build', '--logLevel', 'warn'], join(root, 'console'));
  const folder = join(dist, 'console');
  const loads = pageLoads(folder);
  const faults = overBudget(loads);
  if (faults.length > 0) throw new Error(`The console is over its budget:\n${faults.join('\n')}`);
  writePages(folder);
  cpSync(join(root, 'console/guides'), join(folder, '.guides'), { recursive: true });
  copyLogos(folder);
  await compressAssets(folder);
  const most = loads.toSorted((a, b) => b.bytes - a.bytes)[0];
  say(`console: ${loads.length} pages, the largest loads ${Math.round(most.bytes / 1000)} KB (${most.page})`);
  say(`console built (${seconds(started)} s)`);
}

function seconds(started) {
  return ((performance.now() - started) / 1000).toFixed(1);
}

// Read before compiling: a file saved meanwhile makes the next build.
const stamp = sourceStamp(root);
const isServerOnly = process.argv.includes('--server');
rmSync(join(dist, '.stamp'), { force: true });
mkdirSync(dist, { recursive: true });
const results = await Promise.allSettled(isServerOnly ? [buildServer()] : [buildServer(), buildConsole()]);
const faults = results.filter(({ status }) => status === 'rejected');
for (const { reason } of faults) process.stderr.write(`\n${reason.message}\n`);
if (faults.length > 0) process.exitCode = 1;
else if (!isServerOnly) writeFileSync(join(dist, '.stamp'), `${stamp}\n`);
