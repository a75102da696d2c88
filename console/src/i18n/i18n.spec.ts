import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ATTEMPT_FAILURES } from '../shared/receipt/attempt-failures';
import { en } from './en';
import { LANGUAGES, type LanguageCode } from './languages';
import { PAGE_TEXTS } from './page-texts';
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
const WORDS: Readonly<Record<LanguageCode, Texts>> = { en, zh };
/** Every language but English, which all are compared with. */
const OTHERS = LANGUAGES.filter(({ code }) => code !== 'en').map(({ code }) => ({
  code,
  texts: flatten(WORDS[code]),
}));
const marks = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map((match) => match[1]).toSorted();

/** Names that are the same in every language. */
const NAMES = ['HTTP', 'Redis', 'GitHub', 'OIDC', 'Linux DO', 'Telegram'];

describe('texts', () => {
  it('has the same keys in every language', () => {
    for (const { code, texts } of OTHERS)
      expect({ code, keys: [...texts.keys()].toSorted() }).toEqual({
        code,
        keys: [...english.keys()].toSorted(),
      });
  });

  it('fills the same values into every language', () => {
    const different = OTHERS.flatMap(({ code, texts }) =>
      [...english]
        .filter(([key, text]) => marks(text).join() !== marks(texts.get(key) ?? '').join())
        .map(([key]) => `${code} ${key}`),
    );
    expect(different).toEqual([]);
  });

  it.each(LANGUAGES)(
    'names each failure of an attempt the same on channels and in the log in $code',
    ({ code }) => {
      const texts = flatten(WORDS[code]);
      const capital = (text = '') => text.charAt(0).toUpperCase() + text.slice(1);
      for (const failure of ATTEMPT_FAILURES)
        expect(texts.get(`channels.reason.${failure}`)).toBe(capital(texts.get(`logs.failure.${failure}`)));
    },
  );

  it('leaves no Chinese in the English texts', () => {
    expect([...english].filter(([, text]) => /[\u4e00-\u9fff]/.test(text))).toEqual([]);
  });

  it.each(OTHERS)('leaves no text untranslated in $code', ({ texts }) => {
    const untranslated = [...texts].filter(
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

/** A page and the texts the router loads with it: `['wallet', 'money'], async () => (await import('…/wallet-page'))`. */
const PAGES = /\[([^[\]]*)\],\s*async \(\) => (?:\{\s*return )?\(await import\('(\.\.\/features\/[^']+)'\)/g;

it('loads with each page the texts it shows, and no others', () => {
  const root = join(import.meta.dirname, '..');
  const router = join(root, 'app/router.tsx');
  const sources = [router, join(root, 'app/signed-in-routes.tsx')].map((file) => readFileSync(file, 'utf8'));
  const pages = [...sources.join('\n').matchAll(PAGES)];
  expect(pages.length).toBeGreaterThanOrEqual(30);
  for (const [, texts = '', path = ''] of pages) {
    const loaded = [...texts.matchAll(/\w+/g)].map(([part]) => part);
    expect({ path, texts: loaded.toSorted() }).toEqual({
      path,
      texts: textsOf(fileOf(router, path) ?? path),
    });
  }
});

it('shows on every page only texts of the start', () => {
  expect(textsOf(join(import.meta.dirname, '../main.tsx'))).toEqual([]);
});

/** A part that brings texts of its own: `import('./tab-body'), loadTexts('prices')`. */
const OWN_TEXTS = /import\('(\.[^']+)'\),\s*loadTexts\(([^)]*)\)/g;

/** Texts that are not of the start, and shown by this file or one it imports; the router's pages count for themselves. */
function textsOf(first: string): string[] {
  const key = new RegExp(`['"\`](${Object.keys(PAGE_TEXTS).join('|')})\\.[a-zA-Z$]`, 'g');
  const open = [first];
  const seen = new Set<string>();
  const shown = new Set<string>();
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const whole = readFileSync(file, 'utf8');
    for (const [, path = '', own = ''] of whole.matchAll(OWN_TEXTS))
      for (const part of textsOf(fileOf(file, path) ?? path)) if (!own.includes(`'${part}'`)) shown.add(part);
    const text = whole.replaceAll(OWN_TEXTS, '');
    for (const [, part = ''] of text.matchAll(key)) shown.add(part);
    const imports = /(?:router|signed-in-routes)\.tsx$/.test(file)
      ? /\bfrom '(\.[^']+)'/g
      : /\b(?:from|import\() ?'(\.[^']+)'/g;
    for (const [, path = ''] of text.matchAll(imports)) {
      const next = fileOf(file, path);
      if (next !== undefined && !next.includes('/i18n/')) open.push(next);
    }
  }
  expect(seen.size).toBeGreaterThan(1);
  return [...shown].toSorted();
}

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
