import { describe, expect, it } from '@jest/globals';
import { existsSync, globSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { en } from './en';
import { consoleTexts } from './en/console';
import { settingsTexts } from './en/settings';
import { zh } from './zh';

type Texts = { readonly [key: string]: string | Texts };

function flatten(texts: Texts, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string' ? [[prefix + key, value]] : [...flatten(value, `${prefix}${key}.`)],
    ),
  );
}

const english = flatten(en);
const chinese = flatten(zh);
const marks = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).toSorted();

/** Names that are the same in every language. */
const NAMES = ['HTTP', 'Redis', 'GitHub', 'OIDC', 'Linux DO', 'Telegram'];

describe('texts', () => {
  it('has the same keys in both languages', () => {
    expect([...chinese.keys()].toSorted()).toEqual([...english.keys()].toSorted());
  });

  it('fills the same values into both languages', () => {
    const different = [...english].filter(
      ([key, text]) => marks(text).join() !== marks(chinese.get(key) ?? '').join(),
    );
    expect(different).toEqual([]);
  });

  it('leaves no Chinese in the English texts and no text untranslated', () => {
    expect([...english].filter(([, text]) => /[\u4e00-\u9fff]/.test(text))).toEqual([]);
    const untranslated = [...chinese].filter(
      ([key, text]) =>
        text === english.get(key) &&
        !NAMES.some((name) => text.startsWith(name)) &&
        /[A-Za-z]{4}/.test(text.replace(/\{\{\w+\}\}/g, '')),
    );
    expect(untranslated.map(([key]) => key)).toEqual([]);
  });

  it('uses every key somewhere in the console', () => {
    const source = sourceOf(join(import.meta.dirname, '..'));
    const unused = [...english.keys()].filter((key) => {
      const plain = key.replace(/_(one|other)$/, '');
      if (source.includes(plain)) return false;
      // Keys put together from a code ("channels.status.${word}") are found by their parent.
      const parts = plain.split('.');
      // And those of a part that several screens share, which gets the first word of its keys (`texts: 'tokens'`).
      const [screen, ...rest] = parts;
      if (source.includes(`texts: '${screen}'`) && source.includes(`\${texts}.${rest.join('.')}\``))
        return false;
      return !parts.some(
        (_part, index) => index > 0 && source.includes(`${parts.slice(0, index).join('.')}.\${`),
      );
    });
    expect(unused).toEqual([]);
  });
});

/** Pages that are shown with the texts of the start alone: app/router.tsx calls them by `startPage`. */
const START_PAGES = /startPage\('[^']+', async \(\) => (?:\{\s*return )?\(await import\('([^']+)'\)/g;

it('shows texts of the settings on the pages alone that load them', () => {
  const sources = join(import.meta.dirname, '..');
  const shown = globSync('**/*.{ts,tsx}', { cwd: sources }).filter(
    (path) =>
      !/\.spec\.|i18n|testing/.test(path) &&
      /['"`]settings\./.test(readFileSync(join(sources, path), 'utf8')),
  );
  expect(shown.length).toBeGreaterThan(20);
  const router = readFileSync(join(sources, 'app/router.tsx'), 'utf8');
  const features = new Set(shown.map((path) => /^features\/([^/]+)\//.exec(path)?.[1] ?? path));
  const loading = [...router.matchAll(/settingsPage\([^)]*\) => \(await import\('\.\.\/features\/([^/]+)/g)];
  expect([...features].toSorted()).toEqual(loading.map(([, feature]) => feature).toSorted());
});

it('shows no page of the start a text that is loaded later', () => {
  const root = join(import.meta.dirname, '..');
  const router = join(root, 'app/router.tsx');
  const pages = [...readFileSync(router, 'utf8').matchAll(START_PAGES)].map(([, path]) => path ?? '');
  expect(pages.length).toBeGreaterThanOrEqual(7);
  const home = '../features/home/home-page';
  const open = [join(root, 'main.tsx'), ...[home, ...pages].map((path) => fileOf(router, path) ?? path)];
  const seen = new Set<string>();
  const late: string[] = [];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(file, 'utf8');
    for (const [, group = ''] of text.matchAll(/\bt\(\s*['`]([A-Za-z]+)\./g))
      if (group in consoleTexts || group in settingsTexts) late.push(`${file.slice(root.length)}: ${group}`);
    const imports = file === router ? /\bfrom '(\.[^']+)'/g : /\b(?:from|import\() ?'(\.[^']+)'/g;
    for (const [, path = ''] of text.matchAll(imports)) {
      const next = fileOf(file, path);
      if (next !== undefined && !next.includes('/i18n/')) open.push(next);
    }
  }
  expect(seen.size).toBeGreaterThan(80);
  expect(late).toEqual([]);
});

function fileOf(from: string, path: string): string | undefined {
  const file = join(dirname(from), path);
  return [`${file}.tsx`, `${file}.ts`].find((name) => existsSync(name));
}

function sourceOf(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\./.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}
