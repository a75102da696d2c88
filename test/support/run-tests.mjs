/**
 * `npm test`: everything, in order of speed, on real servers. Prints what runs and how long it took; what failed in full; at its
 * end the slowest tests and once more what failed; and as its last line `N passed, M failed` (`, K skipped` only when something
 * was, and above it why). Exit code 0 only when tests ran and all passed.
 *
 * `npm test -- unit integration` runs only the named parts: lint, unit, integration, console, browser, clients. The last, packages of
 * Go, Java and Rust, runs only when it is named.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { installMissing, ProgramMissingError } from './programs.ts';
import { quickFolder } from './quick-folder.ts';
import {
  failuresOf,
  leftOutOf,
  slowestOf,
  testsOfJest,
  testsOfPlaywright,
  unsteadyOfPlaywright,
} from './read-reports.mjs';
import { filesToLookAtAgain, withSecondLook } from './second-look.mjs';

const root = join(import.meta.dirname, '../..');
/** Everything a run writes beside its caches. */
const temporary = quickFolder();
const folder = mkdtempSync(join(temporary, 'report-'));
const started = performance.now();
const NAMED_SLOW = 15;
const running = new Set();
/** Every test that ran: {name, ms, failure?}. */
const tests = [];
/** What failed at first and passed alone. */
const unsteady = [];
/** Titles of what was left out, with the reason. */
const leftOut = [];

const NEEDED = {
  integration: ['mariadbd', 'mariadb-install-db', 'postgres', 'initdb', 'redis-server', 'nginx', 'pgbouncer'],
  browser: ['chromium', 'redis-server'],
};

/**
 * Lint and unit tests wait for nothing but the processor, and neither fills two cores to its end: they run side by side. Browser tests
 * wait for pages and programs a third of their time, which is enough for one worker with component tests.
 */
const PARTS = [
  { name: 'lint', title: 'formatting, types, lint, import rules', run: runLint, isBesideNext: true },
  { name: 'unit', title: 'unit tests', run: () => runJest('server') },
  { name: 'integration', title: 'integration tests on real servers', run: () => runJest('integration', 4) },
  {
    name: 'console',
    title: 'console component tests',
    run: ({ isAlone }) => runJest('console', isAlone ? 2 : 1),
    isBesideNext: true,
  },
  {
    name: 'clients',
    title: 'clients in Go, Java and Rust',
    run: () => runJest('clients', 1),
    isOnRequest: true,
  },
  { name: 'browser', title: 'browser tests', run: runPlaywright, isThere: () => existsSync(browserConfig()) },
];

const browserConfig = () => join(root, 'test/browser/playwright.config.ts');
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

/** @param workers  on two cores; tests that wait for servers and programs leave room for two more */
async function runJest(project, workers = 2) {
  const first = await askJest(project, workers);
  if (first.result === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const { code, result } = await lookAgain(project, first);
  tests.push(...testsOfJest(result, root));
  leftOut.push(...leftOutOf(result));
  const counts = {
    passed: result.numPassedTests,
    // A file that cannot even be loaded is one failure.
    failed: result.numFailedTests + result.numRuntimeErrorTestSuites,
    skipped: result.numPendingTests + result.numTodoTests,
  };
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

async function askJest(project, workers, files = []) {
  const report = join(folder, `${project}${files.length > 0 ? '-again' : ''}.json`);
  const code = await run([
    '--disable-warning=ExperimentalWarning',
    join(root, 'node_modules/jest/bin/jest.js'),
    '--selectProjects',
    project,
    `--maxWorkers=${workers}`,
    '--reporters',
    join(root, 'test/support/brief-reporter.cjs'),
    '--json',
    `--outputFile=${report}`,
    '--testLocationInResults=false',
    '--passWithNoTests',
    ...(files.length > 0 ? ['--runTestsByPath', ...files] : []),
  ]);
  return { code, result: existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : undefined };
}

/** What failed beside a dozen programs runs once more by itself; what passes then is named at the end, and is to be mended too. */
async function lookAgain(project, first) {
  const files = filesToLookAtAgain(first.result);
  if (files.length === 0) return first;
  say(`── once more, alone: ${files.map((file) => relative(root, file)).join(', ')}`);
  const again = await askJest(project, 1, files);
  if (again.result === undefined) return first;
  const { result, unsteady: passing } = withSecondLook(first.result, again.result);
  unsteady.push(...passing);
  return { code: again.code, result };
}

async function runPlaywright() {
  const report = join(folder, 'browser.json');
  const cli = join(root, 'node_modules/@playwright/test/cli.js');
  const code = await run([cli, 'test', '--config', browserConfig(), '--reporter=line,json', '--retries=1'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 };
  const result = JSON.parse(readFileSync(report, 'utf8'));
  tests.push(...testsOfPlaywright(result));
  const { stats } = result;
  unsteady.push(...unsteadyOfPlaywright(result));
  const counts = { passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped };
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

function wantedParts() {
  const names = process.argv.slice(2).filter((word) => !word.startsWith('-'));
  const unknown = names.filter((name) => !PARTS.some((part) => part.name === name));
  if (unknown.length > 0) {
    throw new ProgramMissingError(
      `There is no part called ${unknown.join(', ')}. Parts: ${PARTS.map(({ name }) => name).join(', ')}.`,
    );
  }
  return names.length === 0
    ? PARTS.filter(({ isOnRequest }) => isOnRequest !== true)
    : PARTS.filter(({ name }) => names.includes(name));
}

async function main() {
  const parts = wantedParts();
  const programs = [...new Set(parts.flatMap(({ name }) => NEEDED[name] ?? []))];
  installMissing(programs, (line) => say(`tests: ${line}`));
  const total = { passed: 0, failed: 0, skipped: 0 };
  const there = parts.filter(({ isThere }) => isThere?.() ?? true);
  while (there.length > 0) {
    const together = there.splice(0, there[0].isBesideNext === true ? 2 : 1);
    say(`\n── ${together.map(({ title }) => title).join('; beside it ')}`);
    for (const counts of await Promise.all(together.map((part) => runPart(part, together.length === 1))))
      for (const key of Object.keys(total)) total[key] += counts[key];
  }
  return total;
}

async function runPart(part, isAlone) {
  const from = performance.now();
  const counts = await part.run({ isAlone });
  say(`── ${part.title}: ${counts.passed} passed, ${counts.failed} failed (${seconds(from)})`);
  return counts;
}

function summary({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function finish(total) {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  if (tests.length > 0) say(`\nslowest tests\n${slowestOf(tests, NAMED_SLOW).join('\n')}`);
  if (unsteady.length > 0) say(`\nunsteady: failed at first, passed alone\n  ${unsteady.join('\n  ')}`);
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

main().then(finish, (error) => {
  say(`\n${error instanceof ProgramMissingError ? error.message : error.stack}`);
  finish({ passed: 0, failed: 1, skipped: 0 });
});
