import { execFileSync } from 'node:child_process';
import { globSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { LONG } from '../support/long-first.cjs';
import { chooseFiles, filesByPart } from '../support/test-files.mjs';

const ROOT = join(import.meta.dirname, '../..');
const FILES = {
  unit: ['server/base/billing/hold.spec.ts', 'server/gateway/tokens/token-rules.spec.ts'],
  integration: ['test/e2e/base/billing/slices.e2e-spec.ts'],
  browser: ['test/browser/Tokens.spec.ts'],
};
const choose = (...patterns: string[]) => chooseFiles(patterns, FILES, '/repository');

describe('test files', () => {
  it('belongs to exactly one part, wherever it lies and whatever its ending', () => {
    const named = globSync('{server,console,test,bench,scripts}/**/*{.spec,.test,-spec}.ts{,x}', {
      cwd: ROOT,
    });
    const parts = filesByPart(ROOT);
    expect(Object.values(parts).flat().toSorted()).toEqual(
      named.map((path) => path.replaceAll('\\', '/')).toSorted(),
    );
    for (const files of Object.values(parts)) expect(files).not.toEqual([]);
  });

  it.each([
    ['unit', 'server'],
    ['integration', 'integration'],
    ['console', 'console'],
    ['clients', 'clients'],
  ] as const)('lists for Jest the files of the part %s and no others', (part, project) => {
    const jest = [
      '--experimental-vm-modules',
      'node_modules/jest/bin/jest.js',
      '--selectProjects',
      project,
      '--listTests',
      '--json',
    ];
    const listed = execFileSync(process.execPath, jest, {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const paths = (JSON.parse(listed) as string[]).map((path) => relative(ROOT, path).replaceAll('\\', '/'));
    expect(paths.toSorted()).toEqual(filesByPart(ROOT)[part]);
  });

  it('matches every name of the long ones', () => {
    const files = Object.values(filesByPart(ROOT)).flat();
    expect(LONG.filter((start) => !files.some((path) => path.startsWith(start)))).toEqual([]);
  });

  it('lies beside the code of every module', () => {
    const modules = ['base', 'gateway', 'console'].flatMap((wing) =>
      readdirSync(join(ROOT, 'server', wing), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => `${wing}/${name}`),
    );
    expect(
      modules.filter((name) => globSync(`server/${name}/**/*.spec.ts`, { cwd: ROOT }).length === 0),
    ).toEqual([]);
  });
});

describe('chooseFiles', () => {
  it('finds files of every part by a piece of their path, in any case', () => {
    expect(choose('billing').chosen).toEqual({ unit: [FILES.unit[0]], integration: FILES.integration });
    expect(choose('tokens').chosen).toEqual({ unit: [FILES.unit[1]], browser: FILES.browser });
  });

  it.each(['./server/gateway/tokens/token-rules.spec.ts', '/repository/server/gateway/tokens/token-rules'])(
    'reads the path %s from the repository',
    (pattern) => {
      expect(choose(pattern)).toEqual({ chosen: { unit: [FILES.unit[1]] }, unknown: [] });
    },
  );

  it('names the patterns that no path holds, beside those that one does', () => {
    expect(choose('slices', 'slizes', 'a*b').unknown).toEqual([
      { pattern: 'slizes', nearest: [FILES.integration[0]] },
      { pattern: 'a*b', nearest: [] },
    ]);
    expect(choose('server/token-ruls.spec.ts').unknown).toEqual([
      { pattern: 'server/token-ruls.spec.ts', nearest: [FILES.unit[1]] },
    ]);
  });

  it('takes a file alone by its whole name, unless a folder is called so too', () => {
    const files = {
      unit: ['server/form.spec.ts', 'server/form-fields.spec.ts', 'server/keys/ring.spec.ts'],
      browser: ['test/browser/form-of-keys.spec.ts', 'test/browser/keys.spec.ts'],
    };
    const chosen = (pattern: string) => chooseFiles([pattern], files, '/repository').chosen;
    expect(chosen('Form')).toEqual({ unit: ['server/form.spec.ts'] });
    expect(chosen('keys')).toEqual({ unit: ['server/keys/ring.spec.ts'], browser: files.browser });
    expect(chosen('form-')).toEqual({
      unit: ['server/form-fields.spec.ts'],
      browser: ['test/browser/form-of-keys.spec.ts'],
    });
  });
});
