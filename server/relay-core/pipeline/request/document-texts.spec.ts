import { describe, expect, it } from '@jest/globals';
import { documentTexts } from './prompt-texts.js';

const textsOf = (value: unknown): readonly string[] => [...documentTexts(value)];

describe('documentTexts', () => {
  it.each([null, undefined, 7, true, {}, []])('finds none in %j', (value) => {
    expect(textsOf(value)).toEqual([]);
  });

  it('leaves out names of things, signatures and bytes', () => {
    expect(
      textsOf({
        model: 'm',
        user: 'u',
        signature: 's',
        url: 'data:image/png;base64,AAAA',
        image: ' DATA:;base64,AA\r\nAA==\n',
        text: 'said',
      }),
    ).toEqual(['said']);
  });

  it.each([
    'data: a sentence that begins so',
    'data:text/plain,a sentence',
    'data:text/plain;base64,a sentence of words',
    'data:',
  ])('reads %j as the words it is', (text) => {
    expect(textsOf({ description: text })).toEqual([text]);
  });

  it('walks a long text that is nearly bytes once', () => {
    const text = `data:;base64,${'\n'.repeat(500_000)}!`;
    const before = process.cpuUsage().user;
    expect(textsOf({ description: text })).toEqual([text]);
    expect(process.cpuUsage().user - before).toBeLessThan(2_000_000);
  });

  it('reads lists and objects under the names that hold mere texts elsewhere', () => {
    expect(textsOf({ data: ['a'], model: { text: 'b' } })).toEqual(['a', 'b']);
  });

  it('reads names that callers choose, which stand below the third level', () => {
    expect(textsOf({ a: { b: { c: { d: { e: 1 } } } } })).toEqual(['d', 'e']);
  });

  it('reads JSON inside of a text where its escapes hide the words', () => {
    const text = '{"a":"\\u0061bc"}';
    expect(textsOf([text])).toEqual([text, 'abc']);
    expect(textsOf(['no JSON \\u0061'])).toEqual(['no JSON \\u0061']);
  });

  it('stops at 64 levels', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 'deep' : [nested(levels - 1)]);
    expect(textsOf(nested(65))).toEqual(['deep']);
    expect(textsOf(nested(66))).toEqual([]);
  });
});
