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

async function runFile({ path, setupFiles, setupFilesAfterEnv }) {
  const startedMs = Date.now();
  resetState();
  delete globalThis[TIMEOUT];
  if (pattern !== undefined) getState().testNamePattern = new RegExp(pattern, 'i');
  jestExpect.setState({ testPath: path, suppressedErrors: [], assertionCalls: 0 });
  const folder = process.cwd();
  const environment = { ...process.env };
  let ended = { testResults: [], unhandledErrors: [] };
  try {
    // Once for all files.
    for (const setup of setupFiles) await import(pathToFileURL(setup).href);
    // An address of their own for each file: what they set up is set up again.
    const query = `?for=${encodeURIComponent(path)}`;
    for (const file of [...setupFilesAfterEnv, path]) await import(pathToFileURL(file).href + query);
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
    startedMs,
    endedMs: Date.now(),
    isFull: process.memoryUsage.rss() > FULL_BYTES,
    tests: ended.testResults,
    unhandledErrors: ended.unhandledErrors,
  };
}
