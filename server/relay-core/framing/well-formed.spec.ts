import { describe, expect, it } from '@jest/globals';
import { readField, scanObject } from './json-splice.js';
import { wellFormedJson } from './well-formed.js';

const mended = (json: string): string => wellFormedJson(Buffer.from(json)).toString();

describe('half a surrogate pair', () => {
  it.each([
    ['the first half alone', String.raw`"a\ud83d b"`, String.raw`"a\ufffd b"`],
    ['the second half alone', String.raw`"a\uDE00b"`, String.raw`"a\ufffdb"`],
    ['at the end of a text', String.raw`"a\uD83D"`, String.raw`"a\ufffd"`],
    ['two first halves', String.raw`"\ud83d\ud83d\ude00"`, String.raw`"\ufffd\ud83d\ude00"`],
    ['the halves in the wrong order', String.raw`"\ude00\ud83d"`, String.raw`"\ufffd\ufffd"`],
    ['halves in two texts', String.raw`["\ud83d","\ude00"]`, String.raw`["\ufffd","\ufffd"]`],
    ['in a name', String.raw`{"\udBff":1}`, String.raw`{"\ufffd":1}`],
    ['behind an escaped backslash', String.raw`"\\\ud83d"`, String.raw`"\\\ufffd"`],
  ])('becomes U+FFFD: %s', (_where, json, expected) => {
    expect(mended(json)).toBe(expected);
    const text = JSON.stringify(JSON.parse(mended(json)));
    expect(text.isWellFormed() && !/\\ud[89a-f]/i.test(text)).toBe(true);
  });

  it.each([
    ['a whole pair', String.raw`"\ud83d\ude00 \uD83D\uDE00"`],
    ['an escaped backslash and words', String.raw`"\\ud83d"`],
    ['other escapes', String.raw`"\ud7ff\ue000\u00d8"`],
    ['no escapes', '{"a":"😀"}'],
  ])('sees none in %s', (_what, json) => {
    const body = Buffer.from(json);
    expect(wellFormedJson(body)).toBe(body);
  });
});

it('marks a repaired request, and keeps the places of its members', () => {
  const scanned = scanObject(Buffer.from(String.raw`{"model":"m\ud83d","n":1}`));
  if (typeof scanned === 'string') throw new Error(scanned);
  expect(scanned.isRepaired).toBe(true);
  expect(readField(scanned, 'model')).toBe('m\ufffd');
  expect(readField(scanned, 'n')).toBe(1);
  const whole = scanObject(Buffer.from(String.raw`{"model":"m\ud83d\ude00"}`));
  expect(whole).not.toHaveProperty('isMended');
});
