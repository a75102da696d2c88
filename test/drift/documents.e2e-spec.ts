import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { environmentSchema } from '../../server/config/env.schema.js';
import { PROVIDERS } from '../../server/relay-core/providers/registry.js';

const root = join(import.meta.dirname, '../..');
const PAGES = [
  ...globSync('docs/{,operating/}*.md', { cwd: root }),
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
];
const FOLDERS = 'server|console|test|scripts|bench|docker|docs';

const DECISIONS = globSync('docs/decisions/*.md', { cwd: root });
const FOLDER_PAGES = globSync('{server,bench,docker,test}/**/README.md', { cwd: root });

/** Files that operators make. */
const MADE_BY_OPERATORS = new Set(['docker/.env']);

/** A diff and the line that names its file, which it may be the first to write; first-change.e2e-spec.ts applies them. */
const DIFF = /^`([^`]+)`[^\n]*\n\n```diff\n[\s\S]*?^```$/gm;

/** Files and folders of the repository that a page names in code marks, as they are written. */
function namedPaths(text: string): string[] {
  const words = [...text.replaceAll(DIFF, '').matchAll(/`([^`\s]+)`/g)].map(([, word = '']) => word);
  const written = new Set([...text.matchAll(DIFF)].map(([, path]) => path));
  return words.filter(
    (word) =>
      !written.has(word) &&
      (new RegExp(`^(?:${FOLDERS})/[\\w./*-]+$`).test(word) ||
        /^[\w./*-]+\/[\w.*-]+\.(?:ts|tsx|mjs|cjs)$/.test(word)),
  );
}

const exists = (path: string): boolean =>
  MADE_BY_OPERATORS.has(path) ||
  (path.includes('*') ? globSync(path, { cwd: root }).length > 0 : existsSync(join(root, path)));

/** Every file of code, from the root and with a slash before it. */
const CODE = globSync('{*,.*,{server,console,test,scripts,bench}/**/*}.{ts,tsx,mjs,cjs}', {
  cwd: root,
  exclude: ['**/node_modules/**'],
}).map((path) => `/${path}`);

/** Files of code that a page names by the end of their path, such as `usage.ts` or `pipeline/run-call.ts`, and that are not there. */
function deadEnds(text: string): string[] {
  const written = new Set([...text.matchAll(DIFF)].map(([, path]) => path));
  return [...text.replaceAll(DIFF, '').matchAll(/`([\w./-]+\.(?:ts|tsx|mjs|cjs))`/g)]
    .map(([, word = '']) => word)
    .filter((word) => !written.has(word) && !CODE.some((path) => path.endsWith(`/${word}`)));
}

const withoutBlocks = (text: string): string => text.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** Anchor of a heading, as hosts of repositories derive it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

function anchorsOf(text: string): Set<string> {
  const plain = withoutBlocks(text);
  return new Set([
    ...[...plain.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)),
    ...[...plain.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, id = '']) => id),
  ]);
}

/** Links of a page that lead nowhere. @param page  from the root */
function deadLinks(page: string, text: string): string[] {
  const links = [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? page : relative(root, join(root, dirname(page), file));
    if (file !== '' && !existsSync(join(root, target))) return true;
    if (anchor === undefined || !target.endsWith('.md')) return false;
    return !anchorsOf(target === page ? text : readFileSync(join(root, target), 'utf8')).has(anchor);
  });
}

describe('the documents', () => {
  it.each(PAGES)('%s names files that exist, from the root of the repository', (page) => {
    const text = readFileSync(join(root, page), 'utf8');
    expect(namedPaths(text).filter((path) => !exists(path))).toEqual([]);
  });

  it.each([...PAGES, ...DECISIONS, ...FOLDER_PAGES])('%s names files of code that exist', (page) => {
    expect(deadEnds(readFileSync(join(root, page), 'utf8'))).toEqual([]);
  });

  it.each([...PAGES, ...DECISIONS, ...FOLDER_PAGES])('%s links to what exists', (page) => {
    expect(deadLinks(page, readFileSync(join(root, page), 'utf8'))).toEqual([]);
  });

  it('notice a path, a link and a heading that are gone', () => {
    const text = 'In `server/gone.ts`, `pipeline/gone.ts` and `server/main.ts`; `server/*/gone.ts`.';
    expect(namedPaths(text).filter((path) => !exists(path))).toEqual([
      'server/gone.ts',
      'pipeline/gone.ts',
      'server/*/gone.ts',
    ]);
    expect(deadEnds('`gone.ts`, `pipeline/run-call.ts`, `main.ts`, `process/main.ts`')).toEqual([
      'gone.ts',
      'process/main.ts',
    ]);
    const links =
      '# A title, here\n[a](gone.md) [b](#a-title-here) [c](#gone) [d](README.md#gone) [e](https://example.com/x)';
    expect(deadLinks('docs/x.md', links)).toEqual(['gone.md', '#gone', 'README.md#gone']);
  });

  it('describe each environment variable that an operator may set', () => {
    const text = readFileSync(join(root, 'docs/configuration.md'), 'utf8');
    // Node's own variable, and the one a supervisor passes to its workers.
    const inner = new Set(['NODE_ENV', 'TOLLGATE_WORKER_INDEX']);
    const names = Object.keys(environmentSchema.shape).filter((name) => !inner.has(name));
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });

  it('README counts the providers that are served', () => {
    const text = readFileSync(join(root, 'README.md'), 'utf8');
    expect(/\*\*(\d+) providers behind/.exec(text)?.[1]).toBe(String(PROVIDERS.length));
  });

  it('names each in the reading order', () => {
    const index = readFileSync(join(root, 'docs/README.md'), 'utf8');
    const pages = globSync('*.md', { cwd: join(root, 'docs') }).filter((page) => page !== 'README.md');
    expect(pages.filter((page) => !index.includes(`](${page}`))).toEqual([]);
    const operating = readFileSync(join(root, 'docs/operating.md'), 'utf8');
    const tasks = globSync('operating/*.md', { cwd: join(root, 'docs') });
    expect(tasks.filter((page) => !operating.includes(`](${page})`))).toEqual([]);
  });

  it('testing.md names helpers of test/support', () => {
    const text = readFileSync(join(root, 'docs/testing.md'), 'utf8');
    const section = /^## Helpers$([\s\S]*?)^## /m.exec(text)?.[1] ?? '';
    const names = [...section.matchAll(/`(\w+)(?:\.\w+)?`/g)].map(([, name = '']) => name);
    const support = globSync('test/support/**/*.{ts,mjs}', { cwd: root })
      .map((path) => readFileSync(join(root, path), 'utf8'))
      .join('\n');
    expect(names.length).toBeGreaterThan(20);
    expect(
      names.filter((name) => !new RegExp(`^export (?:async )?\\w+ ${name}\\b`, 'm').test(support)),
    ).toEqual([]);
  });

  it('architecture.md stays a page that is read at once', () => {
    const lines = readFileSync(join(root, 'docs/architecture.md'), 'utf8').split('\n');
    expect(lines.length).toBeLessThanOrEqual(151);
  });
});
