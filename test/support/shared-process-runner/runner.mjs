import { fork } from 'node:child_process';
import { join } from 'node:path';
import { formatResultsErrors } from 'jest-message-util';

/**
 * Runs test files by plain `import` in a few processes that stay, so that the server's three thousand modules are loaded and warmed up
 * once for all files instead of once for each. Jest still finds, orders, counts and reports; circus still runs the tests.
 * What a file leaves behind in module state is there for the next one, as in a server: nothing of ours may depend on a fresh one.
 */
export default class SharedProcessRunner {
  isSerial = false;

  constructor(globalConfig) {
    this.globalConfig = globalConfig;
  }

  async runTests(tests, watcher, onStart, onResult, onFailure) {
    // A process serves one project: their set-up differs.
    const waiting = tests.toSorted((one, other) => projectOf(one).localeCompare(projectOf(other)));
    const workAsLongAsThereIsSome = async (_, index) => {
      let worker;
      for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
        if (watcher.isInterrupted()) break;
        if (worker !== undefined && worker.project !== projectOf(test)) {
          await worker.end();
          worker = undefined;
        }
        worker ??= new Worker(projectOf(test), index + 1, this.globalConfig);
        await onStart(test);
        try {
          const answer = await worker.run(test);
          const [fault] = answer.unhandledErrors;
          if (answer.tests.length === 0 && fault !== undefined) {
            await onFailure(test, { message: fault, stack: `${fault}\n${answer.printed}` });
            continue;
          }
          await onResult(test, resultOf(test, answer, this.globalConfig));
          if (!answer.isFull) continue;
        } catch (error) {
          await onFailure(test, error);
        }
        // It has grown, or is gone: the next file gets a fresh one.
        await worker.end();
        worker = undefined;
      }
      await worker?.end();
    };
    await Promise.all(Array.from({ length: this.globalConfig.maxWorkers }, workAsLongAsThereIsSome));
  }
}

const projectOf = (test) => test.context.config.id;

/** What a process has to say when it is told to leave, it says within this time. */
const LEAVE_MS = 5_000;

class Worker {
  output = [];

  constructor(project, number, { testNamePattern }) {
    this.project = project;
    this.child = fork(join(import.meta.dirname, 'worker.mjs'), {
      execArgv: ['--import', join(import.meta.dirname, '../register-typescript.mjs'), '--enable-source-maps'],
      env: {
        ...process.env,
        JEST_WORKER_ID: String(number),
        ...(testNamePattern ? { TEST_NAME_PATTERN: testNamePattern } : {}),
      },
      silent: true,
    });
    // What is printed is of interest when something failed.
    for (const stream of [this.child.stdout, this.child.stderr])
      stream.on('data', (piece) => this.output.push(piece));
  }

  /** Fails when the process ends before the file does. */
  run(test) {
    const { child } = this;
    this.output = [];
    return new Promise((resolve, reject) => {
      const onExit = (code, signal) => {
        reject(new Error(`the process of the tests ended with ${signal ?? code}\n${this.printed()}`));
      };
      child.once('exit', onExit);
      child.once('message', (answer) => {
        child.off('exit', onExit);
        resolve({ ...answer, printed: this.printed() });
      });
      const { setupFiles, setupFilesAfterEnv } = test.context.config;
      child.send({ path: test.path, setupFiles, setupFilesAfterEnv });
    });
  }

  printed() {
    return Buffer.concat(this.output).toString('utf8').trim();
  }

  async end() {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const isGone = new Promise((resolve) => child.once('exit', resolve));
    // It exits by itself, and keeps what Node compiled for the next one.
    child.disconnect();
    const deadline = setTimeout(() => child.kill('SIGKILL'), LEAVE_MS);
    await isGone;
    clearTimeout(deadline);
  }
}

/** @returns {import('@jest/test-result').TestResult} what jest's own runner makes of a file */
function resultOf(test, { tests, unhandledErrors, printed, startedMs, endedMs }, globalConfig) {
  const { path, context } = test;
  const testResults = tests.map(assertionOf);
  const count = (...wanted) => testResults.filter(({ status }) => wanted.includes(status)).length;
  const fault = unhandledErrors.length === 0 ? undefined : { message: '', stack: unhandledErrors.join('\n') };
  const failures = [
    formatResultsErrors(testResults, context.config, globalConfig, path) ?? '',
    ...unhandledErrors,
  ].filter((text) => text !== '');
  return {
    leaks: false,
    openHandles: [],
    skipped: false,
    sourceMaps: {},
    console: undefined,
    coverage: undefined,
    snapshot: {
      added: 0,
      matched: 0,
      unmatched: 0,
      updated: 0,
      unchecked: 0,
      uncheckedKeys: [],
      fileDeleted: false,
    },
    displayName: context.config.displayName,
    failureMessage: failures.length === 0 ? null : [...failures, printed].join('\n'),
    numFailingTests: count('failed'),
    numPassingTests: count('passed'),
    numPendingTests: count('pending'),
    numTodoTests: count('todo'),
    perfStats: {
      start: startedMs,
      end: endedMs,
      runtime: endedMs - startedMs,
      loadTestEnvironmentStart: startedMs,
      loadTestEnvironmentEnd: startedMs,
      setupFilesStart: startedMs,
      setupFilesEnd: startedMs,
      slow: false,
    },
    testExecError: fault,
    testFilePath: path,
    testResults,
  };
}

const STATUS = { skip: 'pending', todo: 'todo', done: 'passed' };

function assertionOf(result) {
  const [, ...titles] = result.testPath;
  const title = titles.pop();
  return {
    ancestorTitles: titles,
    title,
    fullName: [...titles, title].join(' '),
    status: result.errors.length > 0 ? 'failed' : STATUS[result.status],
    duration: result.duration,
    failureMessages: result.errors,
    failureDetails: [],
    invocations: result.invocations,
    location: null,
    numPassingAsserts: result.numPassingAsserts,
    retryReasons: [],
  };
}
