import { parseEnv } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { brokenLines } from './env-file.js';

describe('the lines of a file of settings', () => {
  it('reads them whole: names, comments, quotes over several lines, empty ones', () => {
    const text =
      '\uFEFF# comment\n\nPORT=4000\r\nexport HOST = 0.0.0.0 # all\nA="one\ntwo"\nB=\'#\'\nC=`x\ny\nz`\nD=\nE=it"s\n';
    expect(brokenLines(text)).toEqual([]);
    expect(parseEnv('A="one\ntwo"\nexport HOST=1')).toEqual({ A: 'one\ntwo', HOST: '1' });
  });

  it.each([
    ['PORT 4000\nHOST=x', ['line 1: is not NAME=value']],
    ['HOST=x\n\nREDIS_URL: redis://:secret@x', ['line 3: is not NAME=value']],
    ['=x', ['line 1: is not NAME=value']],
    ['A="one\nB=2', ['line 1: its quotation mark is not closed']],
    ['what\nis this', ['line 1: is not NAME=value', 'line 2: is not NAME=value']],
  ])('names the lines of %j by number, without what stands there', (text, faults) => {
    expect(brokenLines(text)).toEqual(faults);
  });
});
