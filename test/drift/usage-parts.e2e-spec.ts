import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { MODEL_FIGURE_KEYS } from '../../server/base/pricing/price-table.js';
import { splitUsage, USAGE_PARTS } from '../../server/base/pricing/usage-parts.js';
import { Dice, randomUsage } from '../e2e/console/pricing/random-calls.ts';

const CONSOLE = join(import.meta.dirname, '../../console/src');
const read = (path: string): string => readFileSync(join(CONSOLE, path), 'utf8');

/** Texts in the list that a constant of a console file is. */
function listed(path: string, name: string): string[] {
  const [, list = ''] = new RegExp(`const ${name} = \\[([^\\]]*)\\]`).exec(read(path)) ?? [];
  return [...list.matchAll(/'(\w+)'/g)].map(([, text = '']) => text);
}

describe('a part of a usage', () => {
  it.each(['en', 'zh'])('has a word in the console, in %s', (language) => {
    const { part } = JSON.parse(read(`i18n/${language}/logs.json`)) as { part: Record<string, string> };
    expect(Object.keys(part)).toEqual(expect.arrayContaining([...USAGE_PARTS]));
  });

  it('stands in the explanation of a charge', () => {
    expect(listed('shared/receipt/charge-reason.tsx', 'PARTS')).toEqual([...USAGE_PARTS, 'call', 'tool']);
  });

  it('occurs in the random calls that charges are checked with', () => {
    const dice = new Dice(1);
    const calls = Array.from({ length: 200 }, () => splitUsage(randomUsage(dice), true));
    expect(USAGE_PARTS.filter((part) => calls.every((parts) => parts[part] === 0))).toEqual([]);
  });

  it('has a price that is edited in the price dialog', () => {
    const plain = ['ModelRatio', 'CompletionRatio', 'ModelPrice'];
    const factors = MODEL_FIGURE_KEYS.filter((key) => !plain.includes(key));
    expect(listed('features/settings/price-documents.ts', 'FACTOR_KEYS')).toEqual(factors);
  });
});
