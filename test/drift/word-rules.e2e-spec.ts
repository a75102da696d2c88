import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { subjectFault } from '../../scripts/commit-subject.mjs';
import {
  COMMENT_RULES,
  privateNames,
  SOURCE_FILES,
  wordFaults,
  wordReport,
} from '../../scripts/word-rules.mjs';

const root = join(import.meta.dirname, '../..');

const PLANTED: readonly (readonly [rule: string, path: string, text: string])[] = [
  ['comment-begins-plainly', 'server/x.ts', '/** Who gets the end of a call. */'],
  ['comment-begins-plainly', 'server/x.ts', ' * What the header says.'],
  ['comment-begins-plainly', 'console/src/x.tsx', '  {/* Whether it is open. */}'],
  ['comment-names-its-subject', 'server/x.ts', '// Of clients, at once.'],
  ['comment-names-its-subject', 'server/x.ts', '/** As `readEnv`, with a file. */'],
  ['comment-names-the-actor', 'server/x.ts', 'const a = 1; // nobody reads it'],
  ['comment-names-the-actor', 'test/x.ts', '/** A key of a stranger. */'],
  ['comment-names-the-actor', 'server/x.ts', '// The operator and his key.'],
  ['code-does-not-speak', 'server/x.ts', '/** The server tells the client. */'],
  ['code-does-not-speak', 'server/x.ts', '// A provider is asked again.'],
  ['standard-term', 'server/x.ts', '/** Size of a picture. */'],
  ['standard-term', 'bench/x.mjs', '// Calls that are under way.'],
  ['title-in-plain-words', 'server/x.spec.ts', "it('tells the client of a refusal', run);"],
  ['title-in-plain-words', 'test/e2e/x.e2e-spec.ts', "it.each(ROWS)('refuses whoever comes as %s', run);"],
];

const ALLOWED: readonly (readonly [path: string, text: string])[] = [
  ['server/x.ts', '// What does a client expect here? The first answer.'],
  ['server/x.ts', "const url = 'https://pictures.example'; // a public address"],
  ['server/x.ts', "const text = '// nobody reads this';"],
  ['server/x.ts', '/** As of 2026 the vendor rejects it. */'],
  ['server/x.ts', '/** By default off. */'],
  ['server/x.ts', '/** Returns the drive letter. */'],
  ['server/x.spec.ts', "it('returns what the vendor sent', run);"],
  ['docs/x.md', 'Nobody reads it.'],
];

const SUBJECTS: readonly (readonly [subject: string, isRight: boolean])[] = [
  ['fix(channels): apply a change before answering the request', true],
  ['feat!: remove the old routes', true],
  ['Merge branch main', true],
  ['Revert "fix: a"', true],
  [`docs: ${'x'.repeat(66)}`, true],
  [`docs: ${'x'.repeat(67)}`, false],
  ['fix(channels): the change is applied', false],
  ['fix: apply a change; add a test', false],
  ['apply a change', false],
  ['fix(Channels): apply a change', false],
  ['fix:', false],
];

describe('the word rules', () => {
  it('finds no private name among the declarations of the server and the console', () => {
    const files = globSync(SOURCE_FILES, { cwd: root });
    const names = files.flatMap((path) =>
      privateNames(path, readFileSync(join(root, path), 'utf8')).map(
        ({ line, name }) => `${path}:${line} ${name}`,
      ),
    );
    expect(files.length).toBeGreaterThan(100);
    expect(names).toEqual([]);
  });

  it.each([
    ['a function', 'function tellClient() {}'],
    ['a variable', 'const isTold = true;'],
    ['a parameter', 'const call = (onStranger: number) => onStranger;'],
    ['a member', 'interface A { saidWords: string }'],
  ])('finds a private name of %s', (_kind, text) => {
    expect(privateNames('server/x.ts', `\n${text}`)).toEqual([expect.objectContaining({ line: 2 })]);
    expect(privateNames('test/x.ts', text)).toEqual([]);
  });

  it.each(PLANTED)('%s finds it in %s: %s', (rule, path, text) => {
    expect(wordFaults(path, `\n${text}\n`)).toEqual([expect.objectContaining({ line: 2, rule })]);
  });

  it.each(ALLOWED)('leaves %s alone: %s', (path, text) => {
    expect(wordFaults(path, text)).toEqual([]);
  });

  it('has a planted fault for every rule', () => {
    const tested = new Set(PLANTED.map(([rule]) => rule));
    expect(COMMENT_RULES.map(({ name }) => name).filter((name) => !tested.has(name))).toEqual([]);
  });

  it('reports each fault with its place and advice', () => {
    expect(wordReport('server/new.ts', '// Who calls.\n// The client calls.\n// Who answers.\n')).toEqual([
      expect.stringMatching(/^server\/new\.ts:1: comment-begins-plainly: ./),
      expect.stringMatching(/^server\/new\.ts:3: comment-begins-plainly: ./),
    ]);
  });
});

describe('the subject of a commit', () => {
  it.each(SUBJECTS)('checks "%s": %s', (subject, isRight) => {
    expect(subjectFault(`${subject}\n\nbody`) === undefined).toBe(isRight);
  });

  it.each([
    ['docs: add a page', 0],
    ['docs: the page', 1],
  ])('passes through the hook: "%s" ends with %i', (subject, code) => {
    const folder = mkdtempSync(join(tmpdir(), 'subject-'));
    try {
      const file = join(folder, 'COMMIT_EDITMSG');
      writeFileSync(file, `${subject}\n`);
      const { status } = spawnSync(join(root, 'scripts/hooks/commit-msg'), [file], { encoding: 'utf8' });
      expect(status).toBe(code);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the changelog', () => {
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m).slice(1);

  it('begins with the version of the package', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    expect(sections[0]?.split('\n', 1)).toEqual([version]);
  });

  it('has only entries of one line, at most 120 characters, under the four headings', () => {
    for (const section of sections) {
      const lines = section
        .split('\n')
        .slice(1)
        .filter((line) => line !== '');
      const headings = lines.filter((line) => line.startsWith('### ')).map((line) => line.slice(4));
      expect(headings).toEqual(
        ['Added', 'Changed', 'Fixed', 'Security'].filter((each) => headings.includes(each)),
      );
      expect(lines.filter((line) => !/^### |^- .{1,118}$/u.test(line))).toEqual([]);
    }
  });
});
