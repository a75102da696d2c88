import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

export type Language = 'en' | 'zh';

type Texts = { readonly [key: string]: string | Texts };

const FOLDER = join(import.meta.dirname, '../../../console/src/i18n');

/** The console's own sentences, so that one journey is walked in both languages: `say('users.confirm.disable', { name })`. */
export function textsOf(language: Language): (key: string, values?: Record<string, string>) => string {
  const texts: Texts = Object.fromEntries(
    readdirSync(join(FOLDER, language))
      .filter((file) => file.endsWith('.json'))
      .map((file) => [
        camelCase(basename(file, '.json')),
        JSON.parse(readFileSync(join(FOLDER, language, file), 'utf8')) as Texts,
      ]),
  );
  return (key, values = {}) => {
    const found = key
      .split('.')
      .reduce<string | Texts | undefined>(
        (level, part) => (typeof level === 'object' ? level[part] : undefined),
        texts,
      );
    if (typeof found !== 'string') throw new Error(`no text ${key} in ${language}`);
    return found.replaceAll(/\{\{(\w+)\}\}/g, (_mark, name: string) => values[name] ?? '');
  };
}

const camelCase = (text: string): string =>
  text.replaceAll(/-(\w)/g, (_match, letter: string) => letter.toUpperCase());

/** A label or title that may have something behind it, such as "required". */
export function startsWith(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);
}
