import { describe, expect, it } from '@jest/globals';
import { ByteText } from './byte-text.js';

const written = (write: (text: ByteText) => void, roomBytes = 4): string => {
  const text = new ByteText(roomBytes);
  write(text);
  return text.textFrom(0);
};

describe('ByteText', () => {
  it.each([
    [0],
    [7],
    [10],
    [99],
    [100],
    [2_147_483_647],
    [2_147_483_648],
    [9_999_999_999],
    [1_763_700_600_123],
    [Number.MAX_SAFE_INTEGER],
    [-1],
    [-0],
    [0.5],
    [1e21],
    [Number.NaN],
  ])('writes the number %p as JSON does', (value) => {
    expect(written((text) => text.number(value))).toBe(JSON.stringify(value));
  });

  it('writes every number of up to four digits and every power of ten', () => {
    for (let value = 0; value < 10_000; value += 1)
      expect(written((text) => text.number(value))).toBe(String(value));
    for (let power = 1; power < Number.MAX_SAFE_INTEGER; power *= 10)
      for (const value of [power - 1, power, power + 1])
        expect(written((text) => text.number(value))).toBe(String(value));
  });

  it.each([
    [''],
    ['plain'],
    ['a "quoted" \\ line\n\u2028 \u0000 漢字 🙂 \ud800 \u007f end'],
    ['x'.repeat(1_000)],
    ['é'.repeat(1_000)],
  ])('writes the text %p as JSON does', (value) => {
    expect(written((text) => text.string(value))).toBe(Buffer.from(JSON.stringify(value)).toString());
  });

  it.each([
    [null],
    [true],
    [[]],
    [{}],
    [{ a: undefined }],
    [{ input: { total: 7, cacheRead: undefined, audio: 0 }, output: { total: undefined }, units: 3 }],
    [[{ channelId: 1, channelName: 'ä"', startedAtMs: 1.5 }, 'x', [false, [null]]]],
  ])('writes %j as JSON does', (value) => {
    expect(written((text) => text.json(value))).toBe(JSON.stringify(value));
  });

  it('keeps what stands before, however often it grows', () => {
    const text = new ByteText(1);
    let expected = '';
    for (let round = 0; round < 200; round += 1) {
      text
        .ascii('{"')
        .number(round)
        .ascii(`":${'y'.repeat(round)}`)
        .raw(Buffer.from('ü'))
        .utf8('的');
      expected += `{"${round}":${'y'.repeat(round)}ü的`;
    }
    expect(text.textFrom(0)).toBe(expected);
  });
});
