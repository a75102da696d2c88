// One process of the tests: runs the files it is told of, one after the other.
import { enableCompileCache, registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { getState, resetState, run } from 'jest-circus';
import { jestExpect } from '@jest/expect';
import { putBack } from './globals.mjs';

/** Jest replaces a worker that has grown beyond this as well. */
const FULL_BYTES = 1_500_000_000;
const TIMEOUT = Symbol.for('TEST_TIMEOUT_SYMBOL');
const GLOBALS = pathToFileURL(join(import.meta.dirname, 'globals.mjs')).href;
const { TEST_NAME_PATTERN: pattern } = process.env;

enableCompileCache(join(import.meta.dirname, '../../../node_modules/.cache/node-compile'));
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: GLOBALS, shortCircuit: true } : next(specifier, context),
});

const blame = (error) => {
  const { currentlyRunningTest, unhandledErrors } = getState();
  (currentlyRunningTest?.errors ?? unhandledErrors).push(error);
};
process.on('uncaughtException', blame);
process.on('unhandledRejection', blame);

process.on('disconnect', () => process.exit());
let load = Promise.resolve();
process.on('message', (request) => {
  load = load.then(async () => process.send(await runFile(request)));
});

async function runFile({ path, setupFilesAfterEnv }) {
  const startedMs = Date.now();
  resetState();
  delete globalThis[TIMEOUT];
  if (pattern !== undefined) getState().testNamePattern = new RegExp(pattern, 'i');
  jestExpect.setState({ testPath: path, suppressedErrors: [], assertionCalls: 0 });
  const folder = process.cwd();
  const environment = { ...process.env };
  let ended = { testResults: [], unhandledErrors: [] };
  try {
    // A file of its own address each time: it is what sets the time limit.
    for (const setup of setupFilesAfterEnv)
      await import(`${pathToFileURL(setup).href}?for=${encodeURIComponent(path)}`);
    await import(pathToFileURL(path).href);
    ended = await run();
  } catch (error) {
    ended.unhandledErrors.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  putBack();
  process.chdir(folder);
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
  Object.assign(process.env, environment);
  resetState();
  return {
    ...{ startedMs, endedMs: Date.now(), isFull: process.memoryUsage.rss() > FULL_BYTES },
    tests: ended.testResults,
    unhandledErrors: ended.unhandledErrors,
  };
}
