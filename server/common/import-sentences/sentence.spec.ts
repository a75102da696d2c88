import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { renderSentence, sentence, type Sentence, SENTENCES } from './sentence.js';

const folder = join(import.meta.dirname, 'catalogue');
const areas = (await Promise.all(
  readdirSync(folder).map((file) => import(join(folder, file)) as Promise<Record<string, object>>),
)) as readonly Record<string, object>[];

describe('sentences of imports', () => {
  it('has every code of every area, and in one area only', () => {
    const codes = areas.flatMap((area) => Object.values(area)).flatMap((rows) => Object.keys(rows));
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
    expect(Object.keys(SENTENCES).sort()).toEqual(codes.sort());
  });

  it('fills the same marks in both languages', () => {
    const marks = (text: string) =>
      [...new Set([...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))].sort();
    const differing = Object.entries(SENTENCES)
      .filter(([, row]) => JSON.stringify(marks(row.en)) !== JSON.stringify(marks(row.zh)))
      .map(([code]) => code);
    expect(differing).toEqual([]);
  });

  it('writes sentences and refusals inside of sentences in the same language', () => {
    const inner = sentence('row_left_out', { fault: sentence('value_no_json', { column: 'other' }) });
    expect(renderSentence(inner, 'en')).toBe('other is not JSON; the row is left out');
    expect(renderSentence(inner, 'zh')).toBe('other 不是 JSON；该行未导入');
    const refused = sentence('channel_part_refused', {
      part: 'proxy',
      refusal: { refusal: 'import_not_running', values: {} },
    });
    expect(renderSentence(refused, 'zh')).toBe('无法保留 proxy：当前没有正在运行的导入');
  });

  it('shows a code of another version as it is', () => {
    const stored = JSON.parse('{"code":"of_later","values":{"a":1}}') as Sentence;
    expect(renderSentence(stored, 'zh')).toBe('of_later');
  });
});
