/**
 * Runs before the commands of package.json: installs packages when the lock file and node_modules differ, and with --build
 * compiles what is older than its sources. It is the one script that has to run on a machine's own Node 20 with nothing
 * installed, so: built-in modules and plain ES2022 only.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceStamp } from './source-stamp.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const installStampPath = join(root, 'node_modules/.stamp');
const buildStampPath = join(root, 'dist/.stamp');
const HEARTBEAT_MS = 10_000;

class Failure extends Error {}

/** Only what decides which packages are needed: a new script is no reason to install everything again. */
function installStamp() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of ['package.json', 'console/package.json']) {
    const content = JSON.parse(readFileSync(join(root, file), 'utf8'));
    for (const key of [
      'dependencies',
      'devDependencies',
      'optionalDependencies',
      'overrides',
      'workspaces',
    ]) {
      hash.update(JSON.stringify([file, key, content[key] ?? null]));
    }
  }
  const lock = join(root, 'package-lock.json');
  if (existsSync(lock)) hash.update(readFileSync(lock));
  return hash.digest('hex');
}

function say(line) {
  process.stderr.write(`tollgate: ${line}\n`);
}

function readStamp(path) {
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
}

/** Runs a program; prints a sign of life while it is quiet, and its output when it fails. */
function run(program, words, options) {
  return new Promise((resolve, reject) => {
    const started = Date.now();
    const heartbeat = setInterval(() => {
      say(`… still ${options.doing} (${Math.round((Date.now() - started) / 1000)} s)`);
    }, HEARTBEAT_MS);
    const child = spawn(program, words, {
      cwd: root,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => {
        said = (said + text).slice(-20_000);
        if (options.isShown) process.stderr.write(text);
      });
    }
    child.on('error', (error) => {
      clearInterval(heartbeat);
      reject(new Failure(`${program} could not be started: ${error.message}`));
    });
    child.on('close', (code) => {
      clearInterval(heartbeat);
      if (code === 0) resolve();
      else reject(new Failure(options.isShown ? options.sentence : `${said.trim()}\n\n${options.sentence}`));
    });
  });
}

async function install(stamp) {
  const hasLock = existsSync(join(root, 'package-lock.json'));
  const command = hasLock ? 'ci' : 'install';
  say('installing packages (the first time this takes about a minute)');
  const started = Date.now();
  // The npm that started us, on the Node it runs on itself: the Node inside node_modules is about to be replaced.
  const npm = process.env.npm_execpath;
  const node = process.env.npm_node_execpath ?? process.execPath;
  const flags = [
    command,
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
    '--include=dev',
    '--include=optional',
  ];
  const [program, words] = npm === undefined ? ['npm', flags] : [node, [npm, ...flags]];
  const sentence = `The packages could not be installed. Check that the package registry can be reached, then run: npm ${command}`;
  await run(program, words, { doing: 'installing', sentence, isShown: false });
  mkdirSync(dirname(installStampPath), { recursive: true });
  writeFileSync(installStampPath, `${stamp}\n`);
  say(`packages installed (${Math.round((Date.now() - started) / 1000)} s)`);
}

async function build() {
  say('building');
  const started = Date.now();
  const sentence = 'The build failed; the messages above say where. After mending it, run: npm run build';
  await run(runtime(), [join(root, 'scripts/build.mjs')], { doing: 'building', sentence, isShown: true });
  say(`built (${Math.round((Date.now() - started) / 1000)} s)`);
}

/** The Node that came with the packages. */
function runtime() {
  const path = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  if (!existsSync(path)) {
    throw new Failure(
      `There is no Node runtime for ${process.platform} ${process.arch} among the packages. ` +
        'Supported: Linux x64 and arm64, macOS x64 and arm64, Windows x64.',
    );
  }
  return path;
}

function checkNodeVersion() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  throw new Failure(`Node ${process.versions.node} is too old to start from. Install Node 20.19 or newer.`);
}

async function main() {
  checkNodeVersion();
  const wanted = installStamp();
  if (readStamp(installStampPath) !== wanted) await install(wanted);
  if (process.argv.includes('--build') && readStamp(buildStampPath) !== sourceStamp(root)) await build();
}

main().catch((error) => {
  process.stderr.write(`\n${error instanceof Failure ? error.message : error.stack}\n`);
  process.exitCode = 1;
});
