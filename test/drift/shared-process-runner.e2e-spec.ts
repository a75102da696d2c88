import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numRuntimeErrorTestSuites: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const root = join(import.meta.dirname, '../..');
const IMPORTS = "import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';\n";

/** What can be wrong with a test file, each in one of its own; the one that is well runs last, in a process the others have used. */
const FILES: Readonly<Record<string, string>> = {
  'a-fails': `it('says two', () => { console.log('printed by a-fails'); expect(1 + 1).toBe(3); }); it('is well', () => undefined);`,
  'b-throws': `throw new Error('not even loaded');`,
  'c-syntax': `it('has no end', () => {`,
  'd-exits': `it('leaves', () => process.exit(0));`,
  'e-hook': `beforeAll(() => { throw new Error('no beginning'); }); it('one', () => undefined); it('two', () => undefined);`,
  'f-late': `it('is too slow', () => new Promise(() => undefined), 50);`,
  'g-rejects': `it('forgets a promise', async () => { void Promise.reject(new Error('nobody listens')); await new Promise((resolve) => setTimeout(resolve, 20)); });`,
  'h-after': `it('is well', () => undefined); afterAll(() => { throw new Error('no end'); });`,
  'i-changes': `process.env['LEFT_BEHIND'] = 'yes'; jest.spyOn(Math, 'random').mockReturnValue(7); it('is well', () => expect(Math.random()).toBe(7));`,
  'j-well': `describe('a group', () => { it.each([1, 2])('of %i', (value) => expect(value).toBeGreaterThan(0)); it.skip('left out', () => undefined); });
    it('finds nothing left behind', () => { expect(process.env['LEFT_BEHIND']).toBeUndefined(); expect(Math.random()).toBeLessThan(1); });`,
};

let folder: string;
let report: Report;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-runner-'));
  for (const [name, text] of Object.entries(FILES))
    writeFileSync(join(folder, `${name}.spec.ts`), IMPORTS + text);
  const config = {
    rootDir: folder,
    runner: join(root, 'test/support/shared-process-runner/runner.mjs'),
    testSequencer: join(folder, 'by-name.cjs'),
    transform: {},
    testMatch: ['**/*.spec.ts'],
    moduleFileExtensions: ['ts', 'js'],
  };
  writeFileSync(
    config.testSequencer,
    `const Base = require(${JSON.stringify(join(root, 'node_modules/@jest/test-sequencer'))}).default;
    module.exports = class extends Base { sort(tests) { return tests.toSorted((a, b) => a.path.localeCompare(b.path)); } };`,
  );
  const words = [join(root, 'node_modules/jest/bin/jest.js'), '--config', JSON.stringify(config), '--json'];
  const printed = await new Promise<string>((resolve) => {
    const options = { cwd: root, maxBuffer: 16 * 1024 * 1024 };
    execFile(process.execPath, [...words, '--maxWorkers=1', '--no-cache'], options, (_error, stdout) =>
      resolve(stdout),
    );
  });
  report = JSON.parse(printed) as Report;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const fileOf = (name: string) => {
  const found = report.testResults.find((file) => file.name.endsWith(`${name}.spec.ts`));
  if (found === undefined) throw new Error(`${name} is not in the report`);
  return found;
};
const endsOf = (name: string): Record<string, string> =>
  Object.fromEntries(fileOf(name).assertionResults.map(({ fullName, status }) => [fullName, status]));

describe('the runner of the tests', () => {
  it('tells a failure with its line, and what was printed', () => {
    expect(endsOf('a-fails')).toEqual({ 'says two': 'failed', 'is well': 'passed' });
    expect(fileOf('a-fails').message).toMatch(/Expected: 3[^]*a-fails\.spec\.ts:2:[^]*printed by a-fails/);
  });

  it.each([
    ['b-throws', 'not even loaded'],
    ['c-syntax', 'Expected'],
    ['d-exits', 'the process of the tests ended with 0'],
  ])('fails a file that does not get as far as its tests: %s', (name, sentence) => {
    expect(fileOf(name)).toMatchObject({ status: 'failed', message: expect.stringContaining(sentence) });
  });

  it('fails every test behind a beginning that failed', () => {
    expect(endsOf('e-hook')).toEqual({ one: 'failed', two: 'failed' });
  });

  it('knows time limits, promises nobody listens to, and ends that fail', () => {
    expect(endsOf('f-late')).toEqual({ 'is too slow': 'failed' });
    expect(endsOf('g-rejects')).toEqual({ 'forgets a promise': 'failed' });
    expect(fileOf('h-after')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('no end'),
    });
  });

  it('names tests by their groups, counts those left out, and leaves nothing behind for the next file', () => {
    expect(endsOf('i-changes')).toEqual({ 'is well': 'passed' });
    expect(endsOf('j-well')).toEqual({
      'a group of 1': 'passed',
      'a group of 2': 'passed',
      'a group left out': 'pending',
      'finds nothing left behind': 'passed',
    });
  });

  it('counts what failed', () => {
    expect(report).toMatchObject({ numFailedTests: 5, numPendingTests: 1 });
    // Three that did not get as far, and the one whose end failed.
    expect(report.numRuntimeErrorTestSuites).toBe(4);
  });
});
