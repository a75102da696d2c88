import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { optionRow } from '../../server/modules/options/option-catalogue.js';

const ROOT = join(import.meta.dirname, '../..');
const TEXTS = [
  ['AlertRulesOff', 'alertRule'],
  ['AdministratorSections', 'administratorSection'],
] as const;

describe.each(['en', 'zh'])('words that options offer, in %s', (language) => {
  it.each(TEXTS)('gives each of %s a name in the console, and no other', async (key, texts) => {
    const file = join(ROOT, `console/src/i18n/${language}/settings.json`);
    const settings = JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, string>>;
    expect(Object.keys(settings[texts] ?? {}).sort()).toEqual([...(optionRow(key).choices ?? [])].sort());
  });
});
