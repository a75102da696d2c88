import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ERROR_CATALOGUE } from './error-catalogue.js';

const folder = join(import.meta.dirname, 'catalogue');
const areas = (await Promise.all(
  readdirSync(folder).map((file) => import(join(folder, file)) as Promise<Record<string, object>>),
)) as readonly Record<string, object>[];

describe('the catalogue of refusals', () => {
  it('has every code of every area, and in one area only: a second one would hide the first', () => {
    const codes = areas.flatMap((area) => Object.values(area)).flatMap((rows) => Object.keys(rows));
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
    expect(Object.keys(ERROR_CATALOGUE).sort()).toEqual(codes.sort());
  });

  it('fills the same marks in both languages', () => {
    const marks = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
    const differing = Object.entries(ERROR_CATALOGUE)
      .filter(([, row]) => JSON.stringify(marks(row.en)) !== JSON.stringify(marks(row.zh)))
      .map(([code]) => code);
    expect(differing).toEqual([]);
  });
});
