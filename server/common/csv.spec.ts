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

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '  =1+1', '=cmd|"/c calc"!A1'])(
    'takes the edge off %j [LOG-03]',
    (text) => {
      expect(toCsvLine([text])).toMatch(/^"?'/);
    },
  );

  it.each(['a=b', '1-1', 'mail@example.com', 'über'])('leaves %j as it is', (text) => {
    expect(toCsvLine([text])).toBe(`${text}\r\n`);
  });
});
