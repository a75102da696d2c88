/**
 * `npm run lint`: formatting, types, lint, import rules, text rules and the lock file, two at a time, and only what is wrong is
 * printed. Exit code 1 when anything is.
 * `npm run lint -- FILES...`: types of the whole program these files belong to (server or console), compared with what the last such run
 * left in node_modules/.cache; everything else of these files and folders only; circles between folders are left to the whole run.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { consoleTextFaults, readConsoleTexts } from './console-texts.mjs';
import { lockFaults } from './lock-rules.mjs';
import { textFaults } from './text-rules.mjs';

const root = join(import.meta.dirname, '..');
const bin = (path) => join(root, 'node_modules', path);
const SOURCES = ['server', 'test', 'console/src', 'bench', 'scripts'].filter((folder) =>
  existsSync(join(root, folder)),
);
const ENDINGS = 'ts,tsx,mjs,cjs';
/** Files that oxlint reads. */
const CODE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
/** Requested paths, relative to the repository; empty = everything. */
const asked = process.argv.slice(2).map((word) => relative(root, resolve(word)).replaceAll('\\', '/'));
const isWhole = asked.length === 0;
const sources = sourceFiles();
const code = isWhole ? [] : asked.filter((path) => CODE.test(path) || isFolder(path));
const imports = isWhole
  ? SOURCES.filter((folder) => folder !== 'scripts')
  : sources.filter((path) => /^(?:server|test|console|bench)\//.test(path));

const checks = [
  {
    name: 'types of the server and its tests',
    run: () => types('server', 'tsconfig.json'),
    isSkipped: !concerns(['server', 'test', 'bench', 'tsconfig']),
  },
  {
    name: 'types of the console',
    run: () => types('console', 'console/tsconfig.json'),
    isSkipped: !existsSync(join(root, 'console/tsconfig.json')) || !concerns(['console']),
  },
  {
    name: 'lint',
    run: () => tool(bin('oxlint/bin/oxlint'), ['--type-aware', '--quiet', '--format=unix', ...code]),
    isSkipped: !isWhole && code.length === 0,
  },
  {
    name: 'who may import whom',
    run: () =>
      tool(bin('dependency-cruiser/bin/dependency-cruiser.mjs'), [
        '--config',
        '.dependency-cruiser.cjs',
        '--output-type',
        'err',
        ...imports,
      ]),
    isSkipped: imports.length === 0,
  },
  {
    name: 'folders without circles',
    run: () =>
      tool(bin('dependency-cruiser/bin/dependency-cruiser.mjs'), [
        '--config',
        '.dependency-cruiser.folders.cjs',
        '--output-type',
        'err',
        'server',
      ]),
    isSkipped: !isWhole,
  },
  {
    name: 'formatting',
    run: () =>
      tool(bin('prettier/bin/prettier.cjs'), [
        '--check',
        '--ignore-unknown',
        '--no-error-on-unmatched-pattern',
        '--log-level',
        'warn',
        ...(isWhole ? ['.'] : asked),
      ]),
  },
  {
    name: 'text rules',
    run: async () => report(sources.flatMap((file) => textFaults(file, read(file)))),
  },
  {
    name: 'texts of the console',
    run: async () => report(consoleTextFaults(readConsoleTexts(root))),
    isSkipped: !concerns(['console/src/i18n']),
  },
  {
    name: 'lock file',
    run: async () => report(lockFaults(JSON.parse(read('package-lock.json')))),
    isSkipped: !isWhole && !asked.includes('package-lock.json'),
  },
].filter(({ isSkipped }) => isSkipped !== true);

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}

/** Returns true when the request covers any file of these folders. */
function concerns(folders) {
  return isWhole || asked.some((path) => path === '' || folders.some((folder) => path.startsWith(folder)));
}

function isFolder(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The requested sources. */
function sourceFiles() {
  return SOURCES.flatMap((folder) => globSync(`${folder}/**/*.{${ENDINGS}}`, { cwd: root }))
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => isWhole || asked.some((word) => path === word || path.startsWith(`${word}/`)));
}

/** A whole run trusts nothing that an earlier one left. */
function types(name, project) {
  const kept = join(root, `node_modules/.cache/lint/${name}.tsbuildinfo`);
  const words = ['-p', project, '--noEmit'];
  return tool(
    bin('typescript7/bin/tsc'),
    isWhole ? words : words.concat('--incremental', '--tsBuildInfoFile', kept),
  );
}

function report(faults) {
  return { isClean: faults.length === 0, said: faults.join('\n') };
}

function tool(script, words) {
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: '1' };
    const child = spawn(process.execPath, [script, ...words], {
      cwd: root,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (said += text));
    child.on('error', (error) => resolve({ isClean: false, said: error.message }));
    child.on('close', (code) => resolve({ isClean: code === 0, said: said.trim() }));
  });
}

const missing = asked.filter((path) => !existsSync(join(root, path)));
if (missing.length > 0) {
  process.stderr.write(`lint: there is no ${missing.join(', no ')}\n`);
  process.exit(1);
}

let failed = 0;
const queue = [...checks];

async function work() {
  for (let check = queue.shift(); check !== undefined; check = queue.shift()) {
    const started = performance.now();
    const { isClean, said } = await check.run();
    const time = `${((performance.now() - started) / 1000).toFixed(1)} s`;
    if (isClean) {
      process.stdout.write(`  ✓ ${check.name} (${time})\n`);
    } else {
      failed += 1;
      process.stdout.write(`  ✗ ${check.name} (${time})\n${said.replaceAll(/^/gm, '    ')}\n`);
    }
  }
}

await Promise.all([work(), work()]);
process.stdout.write(
  failed === 0 ? 'lint: clean\n' : `lint: ${failed} of ${checks.length} checks found something\n`,
);
if (failed > 0) process.exitCode = 1;
