import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { check, resolveConfig } from 'prettier';
import { applyChange, readExamples } from '../support/worked-examples.js';

const root = join(import.meta.dirname, '../..');
const EXAMPLES = readExamples(readFileSync(join(root, 'docs/first-change.md'), 'utf8')).filter(
  ({ changes }) => changes.length > 0,
);
const CHANGES = EXAMPLES.flatMap(({ changes }) => changes);
const SPECS = [...new Set(EXAMPLES.flatMap(({ specs }) => specs))];
const COPIED = [
  'server',
  'console',
  'test',
  'bench',
  'scripts',
  'docs',
  'package.json',
  'tsconfig.json',
  'jest.config.mjs',
];
const LEFT_OUT = new Set(['node_modules', 'dist', 'screenshots']);
const PATIENCE_MS = 600_000;

/** Runs a program of the repository's packages in the copy. */
function run(
  folder: string,
  program: string,
  words: readonly string[],
): { code: number | null; said: string } {
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, join(folder, 'node_modules', program), ...words],
    { cwd: folder, encoding: 'utf8' },
  );
  return { code: status, said: stdout + stderr };
}

describe('docs/first-change.md', () => {
  let copy: string;

  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'first-change-'));
    for (const name of COPIED)
      cpSync(join(root, name), join(copy, name), {
        recursive: true,
        filter: (source) => !LEFT_OUT.has(basename(source)),
      });
    for (const folder of ['node_modules', 'console/node_modules'])
      symlinkSync(join(root, folder), join(copy, folder));
    CHANGES.forEach((change) => applyChange(copy, change));
  });

  afterAll(() => rmSync(copy, { recursive: true, force: true }));

  it('has two worked examples, each with tests', () => {
    expect(EXAMPLES.map(({ title, specs }) => [title, specs.length > 0])).toEqual([
      ["Add a provider that speaks OpenAI's format", true],
      ['Add a column to tokens', true],
    ]);
  });

  it.each(CHANGES.filter(({ path }) => !path.endsWith('.d.ts')).map(({ path }) => path))(
    'leaves %s formatted',
    async (path) => {
      const options = await resolveConfig(join(root, path), { editorconfig: true });
      expect(await check(readFileSync(join(copy, path), 'utf8'), { ...options, filepath: path })).toBe(true);
    },
  );

  it.each(['tsconfig.json', 'console/tsconfig.json'])(
    'leaves types right: %s',
    (project) => {
      expect(run(copy, 'typescript7/bin/tsc', ['--noEmit', '-p', project])).toEqual({ code: 0, said: '' });
    },
    PATIENCE_MS,
  );

  it(
    'passes the tests it names',
    () => {
      const { code, said } = run(copy, 'jest/bin/jest.js', [
        // The compilation of the copy is of no use afterwards.
        '--cacheDirectory',
        join(copy, '.jest-cache'),
        '--selectProjects',
        'server',
        'console',
        '--runTestsByPath',
        ...SPECS,
      ]);
      expect({ code, said: code === 0 ? '' : said }).toEqual({ code: 0, said: '' });
      expect(said).toMatch(new RegExp(`Test Suites: +${SPECS.length} passed, ${SPECS.length} total`));
    },
    PATIENCE_MS,
  );
});

describe('a diff of a page', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'worked-example-'));
    mkdirSync(join(folder, 'a'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const example = (diff: string) =>
    readExamples(`# A\n\n## B\n\n\`a/b.ts\`\n\n\`\`\`diff\n${diff}\`\`\`\n\nRun \`a/b.spec.ts\`.\n`)[0];

  it('finds its place by its lines, and changes nothing else', () => {
    writeFileSync(join(folder, 'a/b.ts'), 'one\ntwo\nthree\n');
    const read = example('-one\n+1\n@@\n two\n+2.5\n');
    read?.changes.forEach((change) => applyChange(folder, change));
    expect(readFileSync(join(folder, 'a/b.ts'), 'utf8')).toBe('1\ntwo\n2.5\nthree\n');
    expect(read?.specs).toEqual(['a/b.spec.ts']);
  });

  it.each([
    ['is not there', ' four\n+five\n'],
    ['is there twice', ' twice\n+five\n'],
    ['is not said', '+five\n'],
  ])('refuses a place that %s', (_what, diff) => {
    writeFileSync(join(folder, 'a/b.ts'), 'twice\ntwice\n');
    expect(() => example(diff)?.changes.forEach((change) => applyChange(folder, change))).toThrow('a/b.ts');
  });
});
