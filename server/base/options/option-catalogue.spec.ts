import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { OPTION_KEYS, optionRow } from './option-catalogue.js';

const folder = join(import.meta.dirname, 'catalogue');
const areas = (await Promise.all(
  readdirSync(folder).map((file) => import(join(folder, file)) as Promise<Record<string, object>>),
)) as readonly Record<string, object>[];

describe('the catalogue of options', () => {
  it('has every key of every area, and in one area only: a second one would hide the first', () => {
    const keys = areas.flatMap((area) => Object.values(area)).flatMap((rows) => Object.keys(rows));
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    expect([...OPTION_KEYS].sort()).toEqual(keys.sort());
  });

  it('names the caller of every address, or leaves it to browsers', () => {
    const opened = OPTION_KEYS.filter((key) => {
      const { kind, calls } = optionRow(key);
      return kind === 'address' && calls === undefined;
    });
    expect(opened.sort()).toEqual([
      'CustomCallbackAddress',
      'ServerAddress',
      'TopUpLink',
      'WeChatAccountQRCodeImageURL',
      'general_setting.docs_link',
      'oidc.authorization_endpoint',
    ]);
  });

  it('accepts every default, and reads back its stored form', () => {
    const changed = OPTION_KEYS.filter((key) => {
      const row = optionRow(key);
      const stored = row.format(row.parse(row.format(row.fallback)));
      return row.format(row.parse(stored)) !== stored;
    });
    expect(changed).toEqual([]);
  });
});
