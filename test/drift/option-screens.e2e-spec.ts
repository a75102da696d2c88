import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { OPTION_KEYS, optionRow } from '../../server/base/options/option-catalogue.js';

const screens = globSync('console/src/features/settings/*.{ts,tsx}')
  .filter((path) => !path.includes('.spec.'))
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n');

describe('the tab an option is listed under', () => {
  const hasScreen = (key: string) => screens.includes(`'${key}'`) || screens.includes(`\n  ${key}: '`);

  it.each(OPTION_KEYS)('%s is on a settings screen, or has the tab "none"', (key) => {
    expect([key, hasScreen(key)]).toEqual([key, optionRow(key).tab !== 'none']);
  });
});
