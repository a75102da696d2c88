import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const NODE_IN_PACKAGES = `node_modules/node-${process.platform}-${process.arch}/bin/node`;

/**
 * A built server and how its own version starts it.
 * @typedef {object} Build
 * @property {string} commit short hash of the commit, with "+" when the work tree differs from it
 * @property {string} folder root of its checkout
 * @property {string} node Node's binary that its lock file names
 * @property {string[]} nodeArgs the options of its own `npm start`
 */

const git = (...words) => execFileSync('git', ['-C', root, ...words], { encoding: 'utf8' }).trim();

/** Reads the start command of a checkout. Fails when `npm start` does not run Node on dist/server/main.js. */
function startOf(folder) {
  const { start } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).scripts;
  const [program, ...words] = start.split(' ');
  const main = words.pop();
  if (program !== 'node' || main !== 'dist/server/main.js')
    throw new Error(`${folder}: npm start is "${start}", not node … dist/server/main.js`);
  const own = join(folder, NODE_IN_PACKAGES);
  return { folder, node: existsSync(own) ? own : process.execPath, nodeArgs: words };
}

/** @returns {Build} the build of this checkout, which `npm run bench` has just brought up to date */
export function thisBuild() {
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
  return { commit: git('rev-parse', '--short=8', 'HEAD') + (isChanged ? '+' : ''), ...startOf(root) };
}

async function run(folder, program, words, log) {
  const child = spawn(program, words, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const keep = (chunk) => (output = (output + chunk).slice(-8_192));
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ${words.join(' ')} failed in ${folder}:\n${output}`);
  log(`  ${program} ${words.join(' ')}`);
}

/**
 * Checks a commit out beside this one, installs the packages of its own lock file and builds it. A finished build is kept
 * under the user's cache folder and used again.
 * @param {string} ref any name git knows
 * @param {(line: string) => void} log
 * @returns {Promise<Build>}
 */
export async function buildCommit(ref, log) {
  const hash = git('rev-parse', '--verify', `${ref}^{commit}`);
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tollgate-bench');
  const folder = join(cache, hash.slice(0, 12));
  const marker = join(folder, '.git/bench-built');
  if (!existsSync(marker)) {
    log(`building ${ref} (${hash.slice(0, 8)})`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    await run(cache, 'git', ['clone', '--quiet', '--no-checkout', root, folder], log);
    await run(folder, 'git', ['checkout', '--quiet', '--detach', hash], log);
    await run(folder, 'npm', ['ci', '--no-audit', '--no-fund'], log);
    await run(folder, 'npm', ['run', 'build'], log);
    writeFileSync(marker, '');
  }
  return { commit: hash.slice(0, 8), ...startOf(folder) };
}
