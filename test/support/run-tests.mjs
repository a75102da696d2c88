/**
 * `npm test`: everything, in order of speed, on real servers. Prints what runs and how long it took; what failed in full; at its
 * end the slowest tests and once more what failed; and as its last line `N passed, M failed` (`, K skipped` only when something
 * was, and above it why). Exit code 0 only when tests ran and all passed.
 *
 * `npm test -- unit integration` runs only the named parts: lint, unit, integration, console, browser, clients. The last, packages of
 * Go, Java and Rust, runs only when it or one of its files is named.
 * `npm test -- PATTERN...` runs the files whose path holds a pattern, of whatever part; a pattern that is the whole name of a file, and of no
 * folder, means that file alone. `-t NAME` runs only the tests whose title matches.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installMissing, ProgramMissingError } from './programs.ts';
import { quickFolder } from './quick-folder.ts';
import { failuresOf, leftOutOf, slowestOf, testsOfJest, testsOfPlaywright } from './read-reports.mjs';
import { chooseFiles, filesByPart } from './test-files.mjs';

const root = join(import.meta.dirname, '../..');
/** Everything a run writes beside its caches. */
const temporary = quickFolder();
const folder = mkdtempSync(join(temporary, 'report-'));
const started = performance.now();
const NAMED_SLOW = 15;
const running = new Set();
/** Every test that ran: {name, ms, failure?}. */
const tests = [];
/** Titles of what was left out, with the reason. */
const leftOut = [];

const NEEDED = {
  integration: ['mariadbd', 'mariadb-install-db', 'postgres', 'initdb', 'redis-server', 'nginx', 'pgbouncer'],
  browser: ['chromium', 'redis-server'],
};

/** Their tests start the built product. */
const NEEDS_BUILD = ['integration', 'clients', 'browser'];

class WrongWordError extends Error {}

/**
 * Lint and unit tests wait for nothing but the processor, and neither fills two cores to its end: they run side by side. Browser tests
 * wait for pages and programs a third of their time, which is enough for one worker with component tests.
 */
const PARTS = [
  { name: 'lint', title: 'formatting, types, lint, import rules', run: runLint, isBesideNext: true },
  { name: 'unit', title: 'unit tests', run: ({ files }) => runJest('server', 2, files) },
  {
    name: 'integration',
    title: 'integration tests on real servers',
    run: ({ files }) => runJest('integration', 4, files),
  },
  {
    name: 'console',
    title: 'console component tests',
    run: ({ isAlone, files }) => runJest('console', isAlone ? 2 : 1, files),
    isBesideNext: true,
  },
  {
    name: 'clients',
    title: 'clients in Go, Java and Rust',
    run: ({ files }) => runJest('clients', 1, files),
    isOnRequest: true,
  },
  { name: 'browser', title: 'browser tests', run: ({ files }) => runPlaywright(files) },
];

const asked = readArguments();
const seconds = (from) => `${((performance.now() - from) / 1000).toFixed(1)} s`;
const say = (line) => process.stdout.write(`${line}\n`);

/** Runs a script with our Node; its output goes through as it comes. */
function run(words, environment = {}) {
  return new Promise((resolve) => {
    const env = { ...process.env, TMPDIR: temporary, NODE_ENV: 'test', FORCE_COLOR: '0', ...environment };
    const child = spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
    running.add(child);
    child.once('error', (error) => {
      say(error.message);
      resolve(1);
    });
    child.once('close', (code) => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}

/** The whole check counts as one test per clean check, so that a lint fault can never hide behind green tests. */
async function runLint() {
  const from = performance.now();
  const code = await run([join(root, 'scripts/lint.mjs')]);
  if (code !== 0)
    tests.push({ name: 'npm run lint', ms: performance.now() - from, failure: 'see its output above' });
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 };
}

/**
 * @param workers  on two cores; tests that wait for servers and programs leave room for two more
 * @param files  only these, unless undefined
 */
async function runJest(project, workers, files) {
  const report = join(folder, `${project}.json`);
  const words = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
    '--selectProjects',
    project,
    `--maxWorkers=${Math.min(workers, files?.length ?? workers)}`,
    '--reporters',
    join(root, 'test/support/brief-reporter.cjs'),
    '--testLocationInResults=false',
    '--passWithNoTests',
    ...(asked.title === undefined ? [] : ['--testNamePattern', asked.title]),
    ...(files === undefined ? [] : ['--runTestsByPath', ...files]),
  ];
  const code = await run(words, { BRIEF_REPORT_FILE: report });
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const result = JSON.parse(readFileSync(report, 'utf8'));
  tests.push(...testsOfJest(result, root));
  leftOut.push(...leftOutOf(result));
  return withExit(code, {
    passed: result.numPassedTests,
    // A file that cannot even be loaded is one failure.
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    // Those that a title leaves out are not of interest.
    skipped: asked.title === undefined ? result.numPendingTests + result.numTodoTests : 0,
  });
}

async function runPlaywright(files = []) {
  const report = join(folder, 'browser.json');
  const code = await run(
    [
      join(root, 'node_modules/@playwright/test/cli.js'),
      'test',
      '--config',
      join(root, 'test/browser/playwright.config.ts'),
      '--reporter=line,json',
      '--pass-with-no-tests',
      ...(asked.title === undefined ? [] : ['--grep', asked.title]),
      // Playwright reads them as regular expressions.
      ...files.map((file) => `${file.replaceAll('.', String.raw`\.`)}$`),
    ],
    { PLAYWRIGHT_JSON_OUTPUT_FILE: report, PLAYWRIGHT_JSON_OUTPUT_NAME: report },
  );
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const result = JSON.parse(readFileSync(report, 'utf8'));
  tests.push(...testsOfPlaywright(result));
  const { expected, unexpected, flaky, skipped } = result.stats;
  return withExit(code, { passed: expected, failed: unexpected + flaky, skipped });
}

/** A run that ends badly has failed, whatever it counted. */
function withExit(code, counts) {
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function readArguments() {
  try {
    const options = { title: { type: 'string', short: 't' } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    return { ...values, positionals };
  } catch (error) {
    return { positionals: [], fault: error.message };
  }
}

/** @returns {{ name: string, files?: string[] }[]} the parts to run, and of which of them only some files */
function wantedParts() {
  if (asked.fault !== undefined) throw new WrongWordError(`${asked.fault}\nKnown: -t TITLE.`);
  const isPart = (word) => PARTS.some(({ name }) => name === word);
  const named = asked.positionals.filter(isPart);
  const patterns = asked.positionals.filter((word) => !isPart(word));
  if (patterns.length === 0)
    return PARTS.filter(({ name, isOnRequest }) =>
      named.length === 0 ? isOnRequest !== true : named.includes(name),
    );
  const files = Object.entries(filesByPart(root)).filter(
    ([name]) => named.length === 0 || named.includes(name),
  );
  const { chosen, unknown } = chooseFiles(patterns, Object.fromEntries(files), root);
  if (unknown.length > 0)
    throw new WrongWordError(
      [
        `No ${named.length === 0 ? '' : `${named.join(' or ')} `}test file has ` +
          `${unknown.map(({ pattern }) => pattern).join(' or ')} in its path, and no part is called so. ` +
          `Parts: ${PARTS.map(({ name }) => name).join(', ')}.`,
        ...unknown
          .filter(({ nearest }) => nearest.length > 0)
          .map(({ pattern, nearest }) => `Nearest to ${pattern}: ${nearest.join(', ')}.`),
      ].join('\n'),
    );
  const parts = PARTS.filter(({ name }) => name in chosen);
  const usual = parts.filter(({ name, isOnRequest }) => isOnRequest !== true || named.includes(name));
  return (usual.length === 0 ? parts : usual).map((part) => ({ ...part, files: chosen[part.name] }));
}

async function main() {
  const parts = wantedParts();
  for (const { title, files } of parts.filter((part) => part.files !== undefined))
    say(`${title}: ${files.length === 1 ? files[0] : `${files.length} files`}`);
  const programs = [...new Set(parts.flatMap(({ name }) => NEEDED[name] ?? []))];
  installMissing(programs, (line) => say(`tests: ${line}`));
  const isBuilt =
    !parts.some(({ name }) => NEEDS_BUILD.includes(name)) ||
    (await run([join(root, 'scripts/ensure.mjs'), '--build'], { NODE_ENV: process.env.NODE_ENV })) === 0;
  if (!isBuilt) return { passed: 0, failed: 1, skipped: 0 };
  const total = { passed: 0, failed: 0, skipped: 0 };
  while (parts.length > 0) {
    const together = parts.splice(0, parts[0].isBesideNext === true ? 2 : 1);
    say(`\n── ${together.map(({ title }) => title).join('; beside it ')}`);
    for (const counts of await Promise.all(together.map((part) => runPart(part, together.length === 1))))
      for (const key of Object.keys(total)) total[key] += counts[key];
  }
  return total;
}

async function runPart(part, isAlone) {
  const from = performance.now();
  const counts = await part.run({ isAlone, files: part.files });
  say(`── ${part.title}: ${counts.passed} passed, ${counts.failed} failed (${seconds(from)})`);
  return counts;
}

function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function finish(total) {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  const slowest = slowestOf(tests, NAMED_SLOW);
  if (slowest.length > 0) say(`\nslowest tests\n${slowest.join('\n')}`);
  const failures = failuresOf(tests);
  if (failures.length > 0) say(`\nwhat failed\n${failures.join('\n')}`);
  if (leftOut.length > 0) say(`\nleft out\n  ${leftOut.join('\n  ')}`);
  say(`\nall parts: ${seconds(started)}`);
  say(summary(total));
  process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const child of running) child.kill('SIGTERM');
    rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
    process.exit(130);
  });
}

const isForReaders = (error) => error instanceof ProgramMissingError || error instanceof WrongWordError;

main().then(finish, (error) => {
  say(`\n${isForReaders(error) ? error.message : error.stack}`);
  finish({ passed: 0, failed: 1, skipped: 0 });
});
