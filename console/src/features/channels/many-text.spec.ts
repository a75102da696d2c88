import { describe, expect, it } from '@jest/globals';
import { MAX_LENGTH, MAX_ROWS, pasteOf, type PastedRows, readPaste } from './many-text';

function rowsOf(text: string): PastedRows {
  const pasted = readPaste(text);
  if (typeof pasted === 'string') throw new Error(pasted);
  return pasted;
}
const cellsOf = (text: string) => rowsOf(text).rows.map(({ cells }) => cells);

describe('readPaste', () => {
  it.each([
    ['tabs', 'OpenAI\tsk-a\tgpt-5,gpt-5-mini\tMain'],
    ['commas and quotes', 'OpenAI, sk-a, "gpt-5,gpt-5-mini", Main'],
    ['semicolons', 'OpenAI;sk-a;"gpt-5,gpt-5-mini";Main'],
  ])('divides rows by %s', (_name, text) => {
    expect(cellsOf(`${text}\r\n\r\n`)).toEqual([
      { provider: 'OpenAI', key: 'sk-a', models: 'gpt-5,gpt-5-mini', name: 'Main' },
    ]);
  });

  it('takes the order of a header, in either language or with the names of the API', () => {
    expect(cellsOf('Key,Name\nsk-a,One')).toEqual([{ key: 'sk-a', name: 'One' }]);
    expect(cellsOf('名称\t密钥\t优先级\n甲\tsk-a\t3')).toEqual([{ name: '甲', key: 'sk-a', priority: '3' }]);
    expect(cellsOf('key,base_url,group\nk,https://a.test,vip')).toEqual([
      { key: 'k', address: 'https://a.test', group: 'vip' },
    ]);
  });

  it('takes the cell of a line with one cell for the key, and an empty first cell for no provider', () => {
    expect(cellsOf('sk-ant-a\nsk-ant-b')).toEqual([{ key: 'sk-ant-a' }, { key: 'sk-ant-b' }]);
    expect(cellsOf(',sk-ant-a,,Mine')).toEqual([{ key: 'sk-ant-a', name: 'Mine' }]);
  });

  it('keeps quotes, delimiters and line breaks inside quotes', () => {
    const json = '{"type": "service_account",\n"id": 1}';
    const text = `Vertex AI,"${json.replaceAll('"', '""')}",gemini-2.5-pro\nOpenAI,sk-b`;
    expect(cellsOf(text)[0]).toEqual({ provider: 'Vertex AI', key: json, models: 'gemini-2.5-pro' });
    expect(cellsOf(text)[1]).toEqual({ provider: 'OpenAI', key: 'sk-b' });
  });

  it('notices when a line has more cells than there are columns', () => {
    const [row] = rowsOf('OpenAI,sk-a,gpt-5,Main,,1,default,2,gpt-5-mini').rows;
    expect(row?.hasMore).toBe(true);
  });

  it.each([
    ['a list', '[{"name":"a"},{"name":"b"}]'],
    ['an answer of the API', '{"success":true,"data":[{"name":"a"},{"name":"b"}]}'],
  ])('reads the objects of JSON: %s', (_name, text) => {
    expect(cellsOf(text)).toEqual([{ name: 'a' }, { name: 'b' }]);
  });

  it('refuses broken JSON and pastes that are too long or have too many rows', () => {
    expect(readPaste('[{"name":"a"}')).toBe('json');
    expect(readPaste('[1]')).toBe('json');
    expect(readPaste('k'.repeat(MAX_LENGTH + 1))).toBe('tooLong');
    expect(readPaste('k\n'.repeat(MAX_ROWS + 1))).toBe('tooMany');
    expect(rowsOf('k\n'.repeat(MAX_ROWS)).rows).toHaveLength(MAX_ROWS);
  });

  it.each(['Key,Name\nsk-a,One\nsk-b,Two', '[{"key":"sk-a"},{"key":"sk-b"}]'])(
    'reads the rows that are left as they were: %s',
    (text) => {
      const pasted = rowsOf(text);
      const left = pasted.rows.slice(1);
      expect(cellsOf(pasteOf(pasted, left))).toEqual(left.map(({ cells }) => cells));
      expect(pasteOf(pasted, [])).toBe('');
    },
  );
});
