import { describe, expect, it } from '@jest/globals';
import { toCsvLine } from './csv.js';

describe('a line of a CSV file', () => {
  it.each([
    [['a', 1, true], 'a,1,true\r\n'],
    [['', -5, 0.25], ',-5,0.25\r\n'],
    [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"\r\n'],
  ])('%j is %j', (cells, line) => {
    expect(toCsvLine(cells)).toBe(line);
  });

  it.each([
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    '  =1+1',
    '=cmd|"/c calc"!A1',
    ';=1+1',
    '|=1+1',
    ' ;x',
    '\tx',
    '\rx',
    '\n=1',
    '\u00a0=1',
    '\u3000=1',
    '\u0000=1',
    '＝1+1',
    '＋1',
    '－1',
    '＠SUM(A1)',
    '；=1',
    '｜=1',
    ' ＝1',
    '﹦1',
    '﹢1',
    '﹣1',
    '﹫A1',
    '﹔=1',
    '\u200b=1',
    '\ufeff=1',
    '\u2060=1',
    '\u00ad=1',
    '\u{e0020}=1',
  ])('takes the edge off %j [LOG-03]', (text) => {
    expect(toCsvLine([text])).toMatch(/^"?'/);
  });

  it.each([
    ['a;=1+1', "a;'=1+1\r\n"],
    ['a|@SUM(A1)', "a|'@SUM(A1)\r\n"],
    ['a\t=1', "a\t'=1\r\n"],
    ['a; -1;+2', "a; '-1;'+2\r\n"],
    ['a;"=1"', `"a;""'=1"""\r\n`],
    ['two\n=1', `"two\n'=1"\r\n`],
    ['a;＝1', "a;'＝1\r\n"],
  ])('takes the edge off %j behind the separator of another reader [LOG-03]', (text, line) => {
    expect(toCsvLine([text])).toBe(line);
  });

  it.each(['a=b', '1-1', 'a - b', 'a;b', 'mail@example.com', 'über', '模型；二'])(
    'leaves %j as it is',
    (text) => {
      expect(toCsvLine([text])).toBe(`${text}\r\n`);
    },
  );
});
