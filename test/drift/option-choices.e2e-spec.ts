import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OPTION_CATALOGUE, optionRow } from '../../server/base/options/option-catalogue.js';

const ROOT = join(import.meta.dirname, '../..');
const TEXTS = [
  ['AlertRulesOff', 'alertRule'],
  ['AdministratorSections', 'administratorSection'],
  ['AlertLanguage', 'language'],
  ['DataExportDefaultTime', 'grain'],
] as const;

it('finds the texts of every option of a screen with named choices', () => {
  const offering = Object.entries(OPTION_CATALOGUE).filter(
    ([, row]) => row.choices !== undefined && row.tab !== 'none',
  );
  expect(offering.map(([key]) => key).sort()).toEqual(TEXTS.map(([key]) => key).sort());
});

describe.each(['en', 'zh'])('words that options offer, in %s', (language) => {
  it.each(TEXTS)('gives each of %s a name in the console, and no other', async (key, texts) => {
    const file = join(ROOT, `console/src/i18n/${language}/settings.json`);
    const settings = JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, string>>;
    expect(Object.keys(settings[texts] ?? {}).sort()).toEqual([...(optionRow(key).choices ?? [])].sort());
  });
});
